import { cardFees } from '../../../src/features/card-fees/decider.js';
import type { CardFees } from '../../../src/features/card-fees/domain/state.js';
import { withFirst } from '../../../src/features/card-fees/domain/state.js';
import type { Shop } from '../catalogue-orders/shop.js';
import type { Asked } from '../request-orders/asking.js';

/** What is done to card machines and their rates, what is paid with cards, and what is recalculated. */

export const MONTHS = ['2026-10', '2026-11', '2026-12'];
const PERCENTS = [0, 0.99, 1.45, 2.3333, 3.5];
/** Right before and behind the store's midnight between the two months. */
const AT_MIDNIGHT = ['2026-11-01T02:59:59Z', '2026-11-01T03:00:00Z'];

export const feesOf = ({ world, storeId }: Shop, count = Infinity): CardFees =>
  withFirst(world.state(cardFees, `card-fees-${storeId}`, count), storeId);

export const FIRST: readonly Asked[] = [
  {
    method: 'post',
    path: '/products',
    body: { description: 'Entrega', priceCash: 4, priceCredit: 4, productType: 'SERVICE' },
  },
  {
    method: 'post',
    path: '/card-fees/accounts',
    body: { name: 'Balcão', debitFeePercent: 1.45, creditFees: [{ installments: 1, feePercent: 3.1 }], fixedFee: 0.05 },
  },
];

const anyOf = <T>({ draws }: Shop, all: Iterable<T>): T | undefined => {
  const list = [...all];
  return list.length === 0 ? undefined : draws.of(list);
};

function cardPayment(shop: Shop) {
  const { draws } = shop;
  const isDebit = draws.chance(0.4);
  const brand = draws.chance(0.5) ? anyOf(shop, [...feesOf(shop).brands.values()].slice(0, 3)) : undefined;
  return {
    method: isDebit ? 'DEBIT' : 'CREDIT',
    amount: (1 + draws.under(99_999)) / 100,
    ...(brand ? { cardBrandId: brand.id } : {}),
    ...(isDebit ? {} : { installments: 1 + draws.under(3) }),
  };
}

/** Days lie apart in the index of a month, which is recalculated some of them at a time. */
function occurred({ draws }: Shop): object {
  if (draws.chance(0.3)) return {};
  const day = String(1 + draws.under(31)).padStart(2, '0');
  return { occurredAt: draws.chance(0.2) ? draws.of(AT_MIDNIGHT) : `2026-10-${day}T15:00:00Z` };
}

function sale(shop: Shop): Asked {
  const { draws } = shop;
  const payments = Array.from({ length: 1 + draws.under(3) }, () => cardPayment(shop));
  const total = payments.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
  const items = [{ variantId: shop.anyVariantId(), quantity: 1, unitPrice: total }];
  return { method: 'post', path: '/sales', body: { items, payments, ...occurred(shop) } };
}

export function sell(shop: Shop): void {
  shop.send(sale(shop));
}

export async function sellSome(shop: Shop, count: number): Promise<void> {
  const { world } = shop;
  for (let sales = 0; sales < count; sales++) await world.done(shop.ask(world.any(), sale(shop)));
}

export function cancelSale(shop: Shop): void {
  const sales = shop.world.log.events.filter(({ type }) => type === 'SaleCompleted');
  const { saleId: id } = JSON.parse(anyOf(shop, sales)?.data ?? '{}') as { readonly saleId?: string };
  if (id !== undefined)
    shop.send({ method: 'post', path: '/sales/{id}/cancel', params: { id }, body: { reason: 'Engano' } });
}

const general = ({ draws }: Shop): object => ({
  debitFeePercent: draws.of([null, ...PERCENTS]),
  creditFees: [1, 2, 3].slice(draws.under(3)).map((installments) => ({ installments, feePercent: draws.of(PERCENTS) })),
  fixedFee: draws.of([0, 0.1, 1.5]),
});

export function replaceRates(shop: Shop): void {
  const { draws } = shop;
  const machine = anyOf(shop, feesOf(shop).accounts.keys());
  const accounts = machine === undefined ? {} : { accounts: [{ id: machine, ...general(shop) }] };
  const settings = draws.chance(0.3) ? { settings: { enabled: draws.chance(0.7) } } : {};
  shop.send({ method: 'put', path: '/card-fees', body: { ...accounts, ...settings } });
}

export function replaceRatesOfBrand(shop: Shop): void {
  const { draws } = shop;
  const { accounts, brands } = feesOf(shop);
  const accountId = anyOf(shop, accounts.keys());
  const cardBrandId = anyOf(shop, [...brands.keys()].slice(0, 3));
  if (accountId === undefined || cardBrandId === undefined) return;
  const rates = [1, 2].map((installments) => ({
    cardType: 'credit',
    installments,
    feePercent: draws.of([null, ...PERCENTS]),
  }));
  const body = { cardBrandId, rates };
  shop.send({ method: 'put', path: '/card-fees/accounts/{accountId}/brand-rates', params: { accountId }, body });
}

export function keepMachines(shop: Shop): void {
  const { draws } = shop;
  const accountId = anyOf(shop, feesOf(shop).accounts.keys());
  const path = '/card-fees/accounts/{accountId}';
  if (accountId === undefined || draws.chance(0.3)) {
    const body = { name: draws.of(['Balcão', 'Entrega', 'Reserva']), ...general(shop), active: draws.chance(0.3) };
    shop.send({ method: 'post', path: '/card-fees/accounts', body });
  } else if (draws.chance(0.6)) shop.send({ method: 'post', path: `${path}/activate`, params: { accountId } });
  else shop.send({ method: 'delete', path, params: { accountId } });
}

export function recalculate(shop: Shop): void {
  shop.send({ method: 'post', path: '/card-fees/calc-jobs', body: { month: shop.draws.of(MONTHS.slice(0, 2)) } });
}

export function cancelJob(shop: Shop): void {
  const jobId = anyOf(shop, feesOf(shop).jobs.keys());
  if (jobId !== undefined) shop.send({ method: 'delete', path: '/card-fees/calc-jobs/{jobId}', params: { jobId } });
}

export function adjust(shop: Shop): void {
  const { draws } = shop;
  if (draws.chance(0.4)) {
    shop.send({ method: 'post', path: '/card-fees/auto-adjust/run' });
    return;
  }
  const machines = [...feesOf(shop).accounts.keys()];
  const tiers = machines.slice(0, 1 + draws.under(3)).map((accountId, index) => ({ minGross: 500 * index, accountId }));
  const body = { enabled: tiers.length > 0 && draws.chance(0.8), tiers };
  shop.send({ method: 'put', path: '/card-fees/auto-adjust', body });
}

/** Now and then whoever was at it stood still for longer than others wait. */
export function work({ draws, world }: Shop): void {
  if (draws.chance(0.3)) world.schedule.now += 16_000;
  world.begin(world.any(), 'to work', (process) => process.lookAgain());
}

const LOOKS = 200;

/**
 * Waits until somebody begins a recalculation, who then stands still for longer than others wait, and goes on with it; as soon as it is taken
 * over the one before goes on as well.
 */
export function takeOver({ world, storeId }: Shop): void {
  const { schedule, log } = world;
  const claims = () => log.of(`card-fees-${storeId}`).filter(({ type }) => type === 'FeeJobClaimed').length;
  world.begin(world.any(), 'to take over', async (process) => {
    const nextClaim = async () => {
      const before = claims();
      for (let looks = 0; looks < LOOKS && claims() === before; looks++) await schedule.wait(process, 'looks');
    };
    await nextClaim();
    schedule.now += 16_000;
    world.favour(process);
    await Promise.all([process.lookAgain(), nextClaim().then(world.favourNobody)]);
  });
}
