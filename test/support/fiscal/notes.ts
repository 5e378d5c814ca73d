import { Decimal } from '../../../src/kernel/values/decimal.js';
import type { State } from '../../../src/brazil/states.js';
import { accessKey } from '../../../src/features/fiscal/domain/access-key.js';
import type { Address, Emission, Issuer, Note, NoteItem, Recipient } from '../../../src/features/fiscal/domain/note.js';
import type { TaxRegime } from '../../../src/features/contracts/fiscal-settings.js';
import type { TaxedPayment } from '../../../src/features/contracts/sales-to-tax.js';
import type { GoodsFacts } from '../../../src/features/fiscal/domain/taxed-sale.js';
import type { TaxRule } from '../../../src/features/fiscal/domain/tax-rules.js';
import { defaultRules } from '../../../src/features/fiscal/domain/tax-rules.js';

/** Samples of what documents are made of. */

export const TAX_ID = '11222333000181';
const d = (text: string): Decimal => Decimal.from(text);

export const address = (state: State = 'SP', cityCode = '3550308'): Address => ({
  street: 'Rua das Flores & Cia <1>',
  number: '100',
  complement: 'Loja “A” – térreo',
  district: 'Centro',
  cityCode,
  city: 'São Paulo',
  state,
  postalCode: '01001000',
  phone: '+5511987654321',
});

export const issuer = (regime: TaxRegime = 'SIMPLES'): Issuer => ({
  taxId: TAX_ID,
  legalName: 'Padaria Pão & Cia Ltda',
  tradeName: 'Pão & Cia',
  stateRegistration: '111222333444',
  regime,
  address: address(),
});

export const company = (changes: Partial<Recipient> = {}): Recipient => ({
  document: '12ABC34501DE35',
  name: 'Mercado Silva S.A.',
  stateRegistration: '123456789012',
  address: address(),
  email: 'nfe@mercado.example',
  ...changes,
});

export const person: Recipient = {
  document: '52998224725',
  name: 'Maria Souza',
  stateRegistration: null,
  address: null,
  email: null,
};

export const ruleFor = (regime: TaxRegime, own = true): TaxRule => {
  const rules = defaultRules({ own: 'own', bought: 'bought' }, regime, 'SP');
  return rules[own ? 0 : 1] as TaxRule;
};

export const item = (changes: Partial<NoteItem> = {}): NoteItem => ({
  code: 'PAO-1',
  gtin: '7891000100103',
  description: 'Pão Francês “especial” €',
  ncm: '19059090',
  cest: null,
  unit: 'UN',
  quantity: d('2'),
  unitPrice: d('9.99'),
  gross: d('19.98'),
  discount: d('0.58'),
  industryTax: d('0'),
  taxedUnit: null,
  netWeightKg: d('0.05'),
  tareKg: null,
  volumeSpecies: 'CAIXA',
  lots: [],
  rule: ruleFor('SIMPLES'),
  ...changes,
});

export const note = (changes: Partial<Note> = {}): Note => {
  const items = changes.items ?? [item()];
  const total = Decimal.sum(items.map(({ gross, discount }) => gross.minus(discount)));
  return {
    model: 65,
    environment: 'HOMOLOGATION',
    issuer: issuer(),
    recipient: null,
    items,
    payments: [{ code: '01', description: null, amount: total, later: false, card: null }],
    change: Decimal.zero,
    technicalContact: null,
    ...changes,
  };
};

export function emission({ model }: Pick<Note, 'model'>, changes: Partial<Emission> = {}): Emission {
  const { series = 1, number = 101, randomCode = '00848090', emissionType = 1, issuedOn = '2026-11-20' } = changes;
  const parts = { stateCode: '35', taxId: TAX_ID, model, series, number, emissionType, randomCode, issuedOn };
  return {
    series,
    number,
    randomCode,
    emissionType,
    issuedOn,
    accessKey: accessKey(parts),
    issuedAt: `${issuedOn}T10:15:30-03:00`,
    contingency: null,
    ...changes,
  };
}

export const goodsOf = (variantId: string, changes: Partial<GoodsFacts> = {}): GoodsFacts => ({
  variantId,
  code: variantId,
  description: variantId,
  isService: false,
  gtin: null,
  ncm: '19059090',
  cest: null,
  unit: 'UN',
  taxRuleId: null,
  ownProduction: true,
  netWeightKg: null,
  tareKg: null,
  volumeSpecies: null,
  tribUnit: null,
  tribUnitFactor: null,
  ...changes,
});

export const paymentOf = (
  method: TaxedPayment['method'],
  amount: Decimal,
  changes: Partial<TaxedPayment> = {},
): TaxedPayment => ({
  method,
  amount,
  cardBrandId: null,
  accountId: null,
  installments: null,
  tendered: null,
  authorizationCode: null,
  endToEndId: null,
  description: null,
  ...changes,
});
