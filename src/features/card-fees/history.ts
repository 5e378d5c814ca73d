import type { Histories } from '../../kernel/events/history.js';
import { counted, entity, monthWritten } from '../../kernel/events/history.js';
import type { CardFeeEvent } from './events.js';

const account = ({ accountId }: { readonly accountId: string }) => [entity('cardAccount', accountId)];
const brand = ({ id }: { readonly id: string }) => [entity('cardBrand', id)];
const job = ({ jobId }: { readonly jobId: string }) => [entity('feeJob', jobId)];

export const cardFeeHistory: Histories<CardFeeEvent> = {
  CardFeesOpened: {
    about: ({ brands }) => brands.flatMap(brand),
    pt: ({ brands }) => `As taxas de cartão começaram, com ${String(brands.length)} bandeiras.`,
    en: ({ brands }) => `Card fees began, with ${String(brands.length)} brands.`,
  },
  CardFeeSettingsChanged: {
    about: () => [],
    kinds: ['cardAccount'],
    pt: ({ enabled, maxInstallments }) =>
      `As taxas de cartão estão ${enabled ? 'ligadas' : 'desligadas'}, com até ${counted(maxInstallments, 'parcela', 'parcelas')}.`,
    en: ({ enabled, maxInstallments }) =>
      `Card fees are ${enabled ? 'on' : 'off'}, with up to ${counted(maxInstallments, 'instalment', 'instalments')}.`,
  },
  CardAccountAdded: {
    about: account,
    pt: ({ name }) => `A maquininha ${name} foi cadastrada.`,
    en: ({ name }) => `The card machine ${name} was added.`,
  },
  CardAccountChanged: {
    about: account,
    pt: ({ name }) => `A maquininha ${name} foi alterada.`,
    en: ({ name }) => `The card machine ${name} was changed.`,
  },
  CardAccountActivated: {
    about: account,
    pt: ({ accountId }, say) => `A maquininha ${say.name('cardAccount', accountId)} passou a ser a ativa.`,
    en: ({ accountId }, say) => `The card machine ${say.name('cardAccount', accountId)} became the active one.`,
  },
  PaymentLinkAccountChosen: {
    about: account,
    pt: ({ accountId }, say) =>
      `A maquininha ${say.name('cardAccount', accountId)} passou a servir aos links de pagamento.`,
    en: ({ accountId }, say) => `The card machine ${say.name('cardAccount', accountId)} now serves payment links.`,
  },
  CardAccountDeleted: {
    about: account,
    pt: ({ accountId }, say) => `A maquininha ${say.name('cardAccount', accountId)} foi excluída.`,
    en: ({ accountId }, say) => `The card machine ${say.name('cardAccount', accountId)} was deleted.`,
  },
  FeeRatesReplaced: {
    about: ({ accountId, cardBrandId }) => [
      ...account({ accountId }),
      ...(cardBrandId === null ? [] : brand({ id: cardBrandId })),
    ],
    pt: ({ accountId, cardBrandId, rates }, say) =>
      `As taxas ${cardBrandId === null ? 'gerais' : `da bandeira ${say.name('cardBrand', cardBrandId)}`} na maquininha ${say.name('cardAccount', accountId)} foram trocadas: ${counted(rates.length, 'taxa', 'taxas')}.`,
    en: ({ accountId, cardBrandId, rates }, say) =>
      `The ${cardBrandId === null ? 'general rates' : `rates of the brand ${say.name('cardBrand', cardBrandId)}`} on the machine ${say.name('cardAccount', accountId)} were replaced: ${counted(rates.length, 'rate', 'rates')}.`,
  },
  CardBrandAdded: {
    about: brand,
    pt: ({ name }) => `A bandeira ${name} foi cadastrada.`,
    en: ({ name }) => `The card brand ${name} was added.`,
  },
  CardBrandChanged: {
    about: brand,
    pt: ({ name, active }) => `A bandeira ${name} foi alterada${active ? '' : ' e está inativa'}.`,
    en: ({ name, active }) => `The card brand ${name} was changed${active ? '' : ' and is inactive'}.`,
  },
  CardBrandDeleted: {
    about: brand,
    pt: ({ id }, say) => `A bandeira ${say.name('cardBrand', id)} foi excluída.`,
    en: ({ id }, say) => `The card brand ${say.name('cardBrand', id)} was deleted.`,
  },
  AutoAdjustConfigured: {
    about: ({ tiers }) => tiers.flatMap(account),
    kinds: ['cardAccount'],
    pt: ({ enabled, tiers }) =>
      `O ajuste automático está ${enabled ? 'ligado' : 'desligado'}, com ${counted(tiers.length, 'faixa', 'faixas')}.`,
    en: ({ enabled, tiers }) =>
      `Automatic adjustment is ${enabled ? 'on' : 'off'}, with ${counted(tiers.length, 'tier', 'tiers')}.`,
  },
  AutoAdjustRan: {
    about: ({ accountId }) => (accountId === null ? [] : account({ accountId })),
    kinds: ['cardAccount'],
    pt: ({ month, volume, accountName, status }, say) =>
      `O volume de ${monthWritten(month)} foi ${say.money(volume)}: ${status === 'applied' ? `a maquininha ${accountName ?? ''} passou a valer` : 'a maquininha não mudou'}.`,
    en: ({ month, volume, accountName, status }, say) =>
      `The volume of ${month} was ${say.money(volume)}: ${status === 'applied' ? `the machine ${accountName ?? ''} came into force` : 'the machine stayed'}.`,
  },
  FeeJobQueued: {
    about: job,
    pt: ({ month }) => `O recálculo das taxas de ${monthWritten(month)} foi pedido.`,
    en: ({ month }) => `The recalculation of the fees of ${month} was asked for.`,
  },
  FeeJobClaimed: {
    about: job,
    pt: ({ jobId }, say) => `O recálculo das taxas de ${say.name('feeJob', jobId)} começou ou continuou.`,
    en: ({ jobId }, say) => `The recalculation of the fees of ${say.name('feeJob', jobId)} began or went on.`,
  },
  FeesRecalculated: {
    about: ({ jobId, changes }) => [
      ...job({ jobId }),
      ...changes.flatMap(({ payments }) => payments.map(({ saleId }) => entity('sale', saleId))),
    ],
    pt: ({ month, progress: { updated, skipped, failed } }) =>
      `Taxas de ${monthWritten(month)} recalculadas: ${String(updated)} mudaram, ${String(skipped)} ficaram, ${String(failed)} sem taxa.`,
    en: ({ month, progress: { updated, skipped, failed } }) =>
      `Fees of ${month} were recalculated: ${String(updated)} changed, ${String(skipped)} stayed, ${String(failed)} without a rate.`,
  },
  FeeJobFinished: {
    about: job,
    pt: ({ jobId }, say) => `O recálculo das taxas de ${say.name('feeJob', jobId)} terminou.`,
    en: ({ jobId }, say) => `The recalculation of the fees of ${say.name('feeJob', jobId)} is done.`,
  },
  FeeJobFailed: {
    about: job,
    pt: ({ jobId, error }, say) => `O recálculo das taxas de ${say.name('feeJob', jobId)} falhou: ${error}.`,
    en: ({ jobId, error }, say) => `The recalculation of the fees of ${say.name('feeJob', jobId)} failed: ${error}.`,
  },
  FeeJobCancelled: {
    about: job,
    pt: ({ jobId }, say) =>
      `O recálculo das taxas de ${say.name('feeJob', jobId)} foi cancelado; o que já mudou permanece.`,
    en: ({ jobId }, say) =>
      `The recalculation of the fees of ${say.name('feeJob', jobId)} was cancelled; what had changed stays.`,
  },
};
