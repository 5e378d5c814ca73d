import type { ConsumerAddresses } from '../../../brazil/consumer-addresses.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { Clock } from '../../../kernel/values/clock.js';
import { memoise } from '../../../kernel/values/memoise.js';
import { dayOf } from '../../../kernel/values/days.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { FiscalAuthority } from '../../../ports/fiscal-authority.js';
import type { Catalogue, VariantFacts } from '../../contracts/catalogue.js';
import type { CustomerDirectory, CustomerFacts } from '../../contracts/customer-directory.js';
import type { StoreDirectory, StoreFacts } from '../../contracts/feature.js';
import type { RecipeBook } from '../../contracts/recipe-book.js';
import type { CardFeeBook } from '../../contracts/card-fee-book.js';
import type { SaleToTax } from '../../contracts/sales-to-tax.js';
import { NOTHING_TO_TAX } from '../../contracts/sales-to-tax.js';
import type { Lack } from '../domain/missing.js';
import {
  absent,
  isCompany,
  isPastTrial,
  missingInAddress,
  missingInItem,
  missingInName,
  missingInRecipient,
  missingInRule,
} from '../domain/missing.js';
import type { Issuer, Note, Recipient, TechnicalContact } from '../domain/note.js';
import type { CardFacts, CardFactsOf } from '../domain/taxed-payments.js';
import { paidOf } from '../domain/taxed-payments.js';
import type { GoodsFacts, PartsOfKits, SoldItem } from '../domain/taxed-sale.js';
import { pricedItem, soldItems } from '../domain/taxed-sale.js';
import { ruleFinder } from '../domain/fitting-rules.js';
import { usesCsosn } from '../domain/tax-rules.js';
import { isTooLarge } from '../domain/document-size.js';
import { layoutText } from '../domain/xml/markup.js';
import { phoneDigits } from '../domain/xml/parties.js';
import { destinationOf } from '../domain/xml/note-xml.js';
import type { Failure, Model } from '../events.js';
import { lacking } from '../failure-sentences.js';
import { rulesOf } from '../rules/tax-rule-book.js';
import type { Signer, SettingsKeeper } from '../settings-keeper.js';
import type { SecurityCode } from '../signing/qr-code-url.js';

/** A document that lacks nothing but its number. */
export interface Draft {
  readonly note: Note;
  readonly signer: Signer;
  readonly securityCode: SecurityCode | undefined;
  /** Where consumers look it up, as far as an operator says so. */
  readonly consumerAddresses: Partial<ConsumerAddresses>;
}

export interface DraftingServices {
  readonly stores: StoreDirectory;
  readonly catalogue: Catalogue;
  readonly customers: CustomerDirectory;
  readonly recipes: RecipeBook;
  readonly settings: SettingsKeeper;
  readonly cardFees: CardFeeBook;
  readonly clock: Clock;
  readonly authority: Pick<FiscalAuthority, 'consumerAddresses'>;
}

const MOST_ITEMS = 990;
/** From this total on a consumer must be known. */
const KNOWN_FROM = Decimal.from('10000');
const DEPTH = 20;
const CODE = 60;

/** Makes a document of a sale, or says all at once what is missing. */
export async function draftOf(
  services: DraftingServices,
  context: RequestContext,
  store: StoreFacts,
  sale: SaleToTax,
  model: Model,
): Promise<Draft | Failure> {
  const { fiscal } = store;
  const { taxRegime: regime, environment } = fiscal;
  const [items, customer, { plain: rules }] = await Promise.all([
    soldOf(services, context, sale),
    customerOf(services, context, sale),
    rulesOf(services.stores, context),
  ]);
  if (items.length === 0) throw new Rejection(NOTHING_TO_TAX);
  const ruleOf = ruleFinder(rules);
  const ruled = items.map((item) => ({ item, rule: ruleOf(item.goods) }));
  const total = Decimal.sum(items.map((item) => item.total));
  const recipient = recipientOf(customer, model);
  const issuedOn = dayOf(services.clock.now(), store.timeZone);
  const refused = refusal(model, store, items, recipient, issuedOn);
  if (refused) return refused;
  const owner = { taxId: store.taxId ?? '', name: store.legalName };
  const canSign = store.taxId !== null;
  const signer = canSign ? await services.settings.signer(store.id, fiscal, owner) : undefined;
  const securityCode = fiscal.qrCode === 2 ? await services.settings.securityCode(store.id, fiscal) : undefined;
  const missing = [
    ...missingInStore(store),
    ...(canSign && !signer ? [absent('store.fiscal.certificate')] : []),
    ...(model === 65 && fiscal.qrCode === 2 && !securityCode ? [absent('store.fiscal.csc')] : []),
    ...missingInRecipient({ model, customerId: sale.customerId, recipient, total, mustBeKnownFrom: KNOWN_FROM }),
    ...ruled.flatMap(({ item, rule }) => missingInItem(item, rule)).map(absent),
    ...ruled
      .flatMap(({ rule }) => (rule ? missingInRule(rule, { regime, model, environment, issuedOn }) : []))
      .map(absent),
  ];
  if (missing.length > 0 || !signer || !fiscal.address) return lacking(missing);
  const noteItems = ruled.flatMap(({ item, rule }) => (rule ? [pricedItem(item, rule, model)] : []));
  const { payments, change } = paidOf(sale.payments, total, await cardsOf(services, context, sale));
  const note: Note = {
    model,
    environment: fiscal.environment,
    issuer: issuerOf(store),
    recipient,
    items: noteItems,
    payments,
    change,
    technicalContact: fiscal.technicalContact,
  };
  if (!usesCsosn(regime) && destinationOf(note) === 'OUT_OF_STATE_CONSUMER') return farConsumer;
  if (isTooLarge(note)) return tooLarge;
  const { state } = fiscal.address;
  return {
    note,
    signer,
    securityCode,
    consumerAddresses: services.authority.consumerAddresses({ state, environment }),
  };
}

const farConsumer: Failure = {
  code: 'INTERSTATE_CONSUMER',
  message: 'Under the regimes NORMAL and SIMPLES_EXCESS the tax shared between two states is not computed here',
  missing: [],
};

const tooLarge: Failure = {
  code: 'TOO_LARGE',
  message: 'The document would be longer than the 500 kB that authorities take',
  missing: [],
};

/** From 2027 on CBS is part of what is paid, and PIS and COFINS end: a document as in 2026 would be wrong without anybody's seeing it. */
const unknownYear: Failure = {
  code: 'TAX_YEAR_UNKNOWN',
  message: 'IBS and CBS are known up to 2026: the regime NORMAL needs a newer version of this program',
  missing: [],
};

/** What no data would mend. */
function refusal(
  model: Model,
  { fiscal }: StoreFacts,
  items: readonly SoldItem[],
  recipient: Recipient | null,
  issuedOn: string,
): Failure | undefined {
  if (items.length > MOST_ITEMS) {
    return { code: 'TOO_MANY_ITEMS', message: 'A document has at most 990 items', missing: [] };
  }
  if (fiscal.taxRegime === 'NORMAL' && isPastTrial({ environment: fiscal.environment, issuedOn })) return unknownYear;
  if (model === 65 && recipient !== null && isCompany(recipient.document) && !fiscal.allow65ToCompany) {
    return { code: 'COMPANY_NEEDS_55', message: 'A sale to a company takes a document of model 55', missing: [] };
  }
  return undefined;
}

const missingInStore = memoise(({ taxId, legalName, fiscal }: StoreFacts): readonly Lack[] => {
  const { technicalContact } = fiscal;
  return [
    ...missingInName('store.legalName', legalName),
    ...(technicalContact ? missingInContact(technicalContact) : []),
    ...(taxId === null ? [absent('store.taxId')] : []),
    ...(fiscal.stateRegistration === null ? [absent('store.fiscal.stateRegistration')] : []),
    ...missingInAddress('store.fiscal.address', fiscal.address),
  ];
});

const missingInContact = ({ name, phone }: TechnicalContact): readonly Lack[] => [
  ...missingInName('store.fiscal.technicalContact.name', name),
  ...(phoneDigits(phone) === null ? [{ path: 'store.fiscal.technicalContact.phone', fault: 'noPhone' } as const] : []),
];

const issuerOf = memoise(({ taxId, legalName, tradeName, fiscal }: StoreFacts): Issuer => {
  const { address, stateRegistration, taxRegime } = fiscal;
  if (!address || taxId === null || stateRegistration === null) throw new Error('the issuer is not complete');
  return { taxId, legalName, tradeName, stateRegistration, regime: taxRegime, address };
});

async function customerOf(
  { customers }: DraftingServices,
  context: RequestContext,
  { customerId }: SaleToTax,
): Promise<CustomerFacts | undefined> {
  return customerId === null ? undefined : (await customers.byIds(context, [customerId])).get(customerId);
}

/** The brands and machines of a sale's card payments. */
async function cardsOf(
  { cardFees }: DraftingServices,
  context: RequestContext,
  { payments }: SaleToTax,
): Promise<CardFactsOf> {
  const keyOf = ({ cardBrandId, accountId }: Parameters<CardFactsOf>[0]): string =>
    `${cardBrandId ?? ''}/${accountId ?? ''}`;
  const facts = new Map<string, CardFacts>();
  for (const payment of payments) {
    if (payment.method !== 'CREDIT' && payment.method !== 'DEBIT') continue;
    const { tBand, acquirerTaxId } = await cardFees.partiesOf(context, payment);
    facts.set(keyOf(payment), { brandCode: tBand, acquirerTaxId });
  }
  return (payment) => facts.get(keyOf(payment)) ?? { brandCode: null, acquirerTaxId: null };
}

/** Who is not known by a document is not named in a consumer's note. */
function recipientOf(customer: CustomerFacts | undefined, model: Model): Recipient | null {
  if (!customer || (customer.document === null && model === 65)) return null;
  const { document, name, stateRegistration = null, address = null, email } = customer;
  return { document: document ?? '', name, stateRegistration, address, email };
}

/** The goods of a sale, and the parts of its kits, down to what is no kit, as they were made up when they were sold. */
async function soldOf(
  { catalogue, recipes }: DraftingServices,
  context: RequestContext,
  sale: SaleToTax,
): Promise<readonly SoldItem[]> {
  const asSold = sale.kits && new Map(sale.kits.map(({ variantId, parts }) => [variantId, parts]));
  const known = new Map<string, VariantFacts>();
  let wanted: readonly string[] = sale.lines.map(({ variantId }) => variantId);
  for (let depth = 0; wanted.length > 0 && depth <= DEPTH; depth++) {
    const found = await catalogue.variants(context, wanted);
    for (const [id, facts] of found) known.set(id, facts);
    const parts = wanted.flatMap((id) => (asSold ? asSold.get(id) : found.get(id)?.components) ?? []);
    wanted = [...new Set(parts.map(({ variantId }) => variantId))].filter((id) => !known.has(id));
  }
  const made = await recipes.finished(context);
  const goods = new Map([...known].map(([id, facts]) => [id, goodsOf(facts, made.has(id))]));
  return soldItems(sale.lines, goods, asSold ?? presentKits(known));
}

/** Sales from before it was kept do not say how their kits were made up. */
function presentKits(known: ReadonlyMap<string, VariantFacts>): PartsOfKits {
  const partOf = ({ variantId, quantity }: NonNullable<VariantFacts['components']>[number]) => {
    const priceCash = known.get(variantId)?.priceCash ?? Decimal.zero;
    return { variantId, quantity, priceCash };
  };
  return new Map([...known].map(([id, { components = [] }]) => [id, components.map(partOf)]));
}

const goodsOf = (facts: VariantFacts, ownProduction: boolean): GoodsFacts => ({
  variantId: facts.variantId,
  code: [facts.sku, facts.gtin].find((code) => layoutText(code ?? '', CODE) !== '') ?? facts.variantId,
  description: facts.description,
  isService: facts.productType === 'SERVICE',
  gtin: facts.gtin || null,
  ncm: facts.ncm,
  cest: facts.cest,
  unit: facts.saleUnit,
  taxRuleId: facts.taxRuleId,
  ownProduction,
  netWeightKg: facts.netWeightKg,
  tareKg: facts.packagingTareKg,
  volumeSpecies: facts.volumeSpecies,
  tribUnit: facts.tribUnit,
  tribUnitFactor: facts.tribUnitFactor,
});
