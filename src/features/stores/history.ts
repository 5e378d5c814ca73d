import type { MemberWords } from '../../kernel/events/changes-written.js';
import { changesWritten } from '../../kernel/events/changes-written.js';
import type { Histories } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { StoreEvent } from './events.js';

const PT = {
  legalName: 'razão social',
  tradeName: 'nome fantasia',
  taxId: 'CNPJ',
  segment: 'segmento',
  activityCode: 'CNAE',
  timeZone: 'fuso horário',
  'modules.production': 'módulo de produção',
  'modules.scaleCode': 'módulo de códigos de balança',
  'modules.orders': 'módulo de pedidos',
  requireTwoFactor: 'segundo fator obrigatório',
  environment: 'ambiente',
  taxRegime: 'regime tributário',
  stateRegistration: 'inscrição estadual',
  address: 'endereço',
  'series.55': 'série da NF-e',
  'series.65': 'série da NFC-e',
  certificate: 'certificado',
  'cancelMinutes.55': 'minutos para cancelar a NF-e',
  'cancelMinutes.65': 'minutos para cancelar a NFC-e',
  offline65: 'NFC-e em contingência',
  allow65ToCompany: 'NFC-e para empresas',
  technicalContact: 'responsável técnico',
  qrCode: 'versão do QR Code',
  cscId: 'identificador do CSC',
  simulatorOutage: 'simulador fora do ar',
} satisfies MemberWords;
const EN: Readonly<Record<keyof typeof PT, string>> = {
  legalName: 'legal name',
  tradeName: 'trade name',
  taxId: 'CNPJ',
  segment: 'segment',
  activityCode: 'activity code',
  timeZone: 'time zone',
  'modules.production': 'module of production',
  'modules.scaleCode': 'module of scale codes',
  'modules.orders': 'module of orders',
  requireTwoFactor: 'compulsory second factor',
  environment: 'environment',
  taxRegime: 'tax regime',
  stateRegistration: 'state registration',
  address: 'address',
  'series.55': 'series of the NF-e',
  'series.65': 'series of the NFC-e',
  certificate: 'certificate',
  'cancelMinutes.55': 'minutes to cancel the NF-e',
  'cancelMinutes.65': 'minutes to cancel the NFC-e',
  offline65: 'NFC-e in contingency',
  allow65ToCompany: 'NFC-e to companies',
  technicalContact: 'technical contact',
  qrCode: 'version of the QR code',
  cscId: 'identifier of the CSC',
  simulatorOutage: 'simulator away',
};

const about = ({ id }: { readonly id: string }) => [entity('store', id)];

export const storeHistory: Histories<StoreEvent> = {
  StoreCreated: {
    about,
    pt: ({ tradeName, slug }) => `A loja ${tradeName} (${slug}) foi criada.`,
    en: ({ tradeName, slug }) => `The store ${tradeName} (${slug}) was created.`,
  },
  StoreChanged: {
    about,
    pt: ({ was, ...now }, say) =>
      `As configurações da loja ${now.tradeName} foram alteradas${changesWritten(was, now, PT, say)}.`,
    en: ({ was, ...now }, say) =>
      `The settings of the store ${now.tradeName} were changed${changesWritten(was, now, EN, say)}.`,
  },
  StoreFiscalSettingsChanged: {
    about,
    pt: ({ was, fiscal }, say) =>
      `As configurações fiscais da loja foram alteradas${changesWritten(was, fiscal, PT, say)}.`,
    en: ({ was, fiscal }, say) => `The store's fiscal settings were changed${changesWritten(was, fiscal, EN, say)}.`,
  },
  StorePlanChanged: {
    about,
    pt: ({ plan }) =>
      `O plano da loja passou a ser ${plan.name}${plan.apiAccess ? ', com acesso à API' : ', sem acesso à API'}.`,
    en: ({ plan }) =>
      `The store's plan became ${plan.name}${plan.apiAccess ? ', with API access' : ', without API access'}.`,
  },
};
