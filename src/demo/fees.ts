import type { CardFeesCommand } from '../features/card-fees/decider.js';
import { cardFees } from '../features/card-fees/decider.js';
import { monthOf, startOfMonth } from '../features/card-fees/domain/months.js';
import { monthAfter, monthBefore } from '../kernel/values/days.js';
import { feeOf, RateTable } from '../features/card-fees/domain/rates.js';
import { Recalculation } from '../features/card-fees/domain/recalculation.js';
import { firstConfiguration, termsOf } from '../features/card-fees/domain/state.js';
import { placeOf } from '../features/card-fees/events.js';
import { adjustmentRow } from '../features/card-fees/work-rows.js';
import type { InventoryCommand } from '../features/inventory/decider.js';
import type { Payment } from '../features/inventory/events.js';
import type { Commands } from '../kernel/lanes/commands.js';
import { Decimal } from '../kernel/values/decimal.js';
import { uuidV5 } from '../kernel/values/ids.js';

/** Two card machines: the sales of the past went through the first, and last month was recalculated with the cheaper second. */

const d = (value: number): Decimal => Decimal.from(value);

type AddAccount = Extract<CardFeesCommand, { readonly type: 'addAccount' }>;
type Rates = AddAccount['rates'];
type Sale = Extract<InventoryCommand, { readonly type: 'completeSale' }>;

const creditFees = (first: number, second: number, third: number): NonNullable<Rates['creditFees']> =>
  [first, second, third].map((feePercent, at) => ({ installments: at + 1, feePercent: d(feePercent) }));

const MACHINES: readonly (Pick<AddAccount, 'rates'> & { readonly name: string; readonly acquirer: string })[] = [
  {
    name: 'Balcão',
    acquirer: 'Adquirente Paulista',
    rates: { debitFeePercent: d(1.99), creditFees: creditFees(3.49, 4.29, 4.99) },
  },
  {
    name: 'Entrega',
    acquirer: 'Adquirente do Vale',
    rates: { debitFeePercent: d(1.39), creditFees: creditFees(2.89, 3.59, 4.19) },
  },
];
/** From this card volume of a month on the second machine is the better one. */
const SECOND_FROM = 5_000;
const TBANDS = ['01', '02', '06'] as const;
/** The third brand's own rate, on both machines. */
const OWN_CREDIT = d(3.79);

const machineId = (storeId: string, at: number): string => uuidV5(storeId, `card machine ${String(at)}`);
const brandIds = (storeId: string): readonly string[] => {
  const { brands } = firstConfiguration(storeId);
  return TBANDS.flatMap((code) => brands.filter(({ tBand }) => tBand === code).map(({ id }) => id));
};

const run = (commands: Commands, command: CardFeesCommand, name: string, rows?: Parameters<Commands['execute']>[2]) =>
  commands.execute(cardFees, command, { name, ...rows });

/** The machines with their rates; the first is active. */
export async function fillCardMachines(commands: Commands): Promise<void> {
  const { storeId } = commands;
  const { accounts } = await commands.current(cardFees);
  for (const [at, { name, acquirer, rates }] of MACHINES.entries()) {
    const accountId = machineId(storeId, at);
    if (accounts.has(accountId)) continue;
    const details = {
      name,
      acquirer,
      acquirerTaxId: null,
      terminalId: `PDV ${String(at + 1)}`,
      fixedFee: Decimal.zero,
      settlementDaysDebit: 1,
      settlementDaysCredit: 30,
    };
    const [, , third = ''] = brandIds(storeId);
    const own = {
      cardBrandId: third,
      rates: [{ cardType: 'credit' as const, installments: 1, feePercent: OWN_CREDIT }],
    };
    const flags = { activate: false, useForPaymentLink: false };
    await run(commands, { type: 'addAccount', storeId, accountId, details, rates, brandRates: [own], ...flags }, name);
  }
}

export type PriceCard = (
  payment: Pick<Payment, 'method' | 'amount' | 'installments'>,
) => Pick<Payment, 'cardBrandId' | 'feePercent' | 'fee' | 'feePending' | 'feeTerms'>;

/** What a card payment cost at the first machine. */
export async function priceCards(commands: Commands): Promise<PriceCard> {
  const { storeId } = commands;
  const { account, ...terms } = termsOf({ ...(await commands.current(cardFees)), activeId: machineId(storeId, 0) });
  const table = new RateTable({ ...terms, account });
  const brands = brandIds(storeId);
  return ({ method, amount, installments }) => {
    const cents = amount.times(Decimal.hundred).toNumber();
    const cardBrandId = brands[cents % brands.length] ?? null;
    const cardType = method === 'DEBIT' ? 'debit' : 'credit';
    const rate = table.rateOf({ cardBrandId, cardType, installments: installments ?? 1 });
    if (!rate) throw new Error('a card machine of the demo store lacks a rate');
    const { feePercent, fixedFee, source } = rate;
    const feeTerms = { accountId: account?.id ?? null, accountName: account?.name ?? null, source, fixedFee };
    return { cardBrandId, feePercent, fee: feeOf(amount, rate), feePending: false, feeTerms };
  };
}

/** A sale that counts still, with the number that the store gave it. */
export interface DemoSale {
  readonly sale: Sale;
  readonly number: number;
}

/** The second machine, active from now on; last month recalculated with it, and the choice by volume switched on. */
export async function recalculateLastMonth(
  commands: Commands,
  sales: readonly DemoSale[],
  { until, timeZone }: { readonly until: number; readonly timeZone: string },
): Promise<void> {
  const { storeId } = commands;
  if ((await commands.current(cardFees)).autoAdjust.enabled) return;
  const [first, second] = [machineId(storeId, 0), machineId(storeId, 1)];
  const present = monthOf(until, timeZone);
  await run(commands, { type: 'activateAccount', storeId, accountId: second, ifMatch: undefined }, 'second machine');
  await runJob(commands, sales, monthBefore(present));
  const tiers = [
    { minGross: Decimal.zero, accountId: first },
    { minGross: d(SECOND_FROM), accountId: second },
  ];
  const rows = [adjustmentRow(storeId, startOfMonth(monthAfter(present), timeZone))];
  const command = { type: 'configureAutoAdjust', storeId, enabled: true, tiers, ifMatch: undefined } as const;
  await run(commands, command, 'tiers', { rows });
}

async function runJob(commands: Commands, sales: readonly DemoSale[], month: string): Promise<void> {
  const { storeId } = commands;
  const jobId = uuidV5(storeId, `recalculation ${month}`);
  const job = async () => (await commands.current(cardFees)).jobs.get(jobId);
  if (!(await job())) await run(commands, { type: 'queueJob', storeId, jobId, month }, 'queue');
  const seenEpoch = (await job())?.epoch ?? 0;
  await run(commands, { type: 'claimJob', storeId, jobId, seenEpoch }, 'claim');
  const { terms, epoch = 0, upTo: after = '' } = (await job()) ?? {};
  const ofMonth = sales.filter(({ sale }) => sale.occurredOn.startsWith(month));
  const places = ofMonth.map(({ sale, number }) => placeOf(sale.occurredOn, number)).sort();
  const upTo = places.at(-1);
  if (terms && upTo !== undefined && after === '') {
    const recalculation = new Recalculation(new RateTable(terms));
    for (const { sale, number } of ofMonth) addSale(recalculation, sale, number);
    const { progress, changes } = recalculation;
    const batch = { jobId, epoch, upTo, progress, changes };
    await run(commands, { type: 'recordBatch', storeId, after, batch }, 'batch');
  }
  await run(commands, { type: 'finishJob', storeId, jobId, epoch }, 'finish');
}

function addSale(recalculation: Recalculation, { saleId, occurredOn, payments }: Sale, number: number): void {
  for (const [payment, paid] of payments.entries()) {
    const { method, amount, cardBrandId, installments, fee, feePercent } = paid;
    if (method !== 'DEBIT' && method !== 'CREDIT') continue;
    const cardType = method === 'DEBIT' ? 'debit' : 'credit';
    const kind = { cardBrandId, cardType, installments: installments ?? 1 } as const;
    recalculation.add({ saleId, number, occurredOn, payment, amount, ...kind, fee, feePercent }, true);
  }
}
