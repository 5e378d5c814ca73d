import { expect, test } from '@jest/globals';
import { cardFees } from '../../../src/features/card-fees/decider.js';
import { FeeWork } from '../../../src/features/card-fees/fee-work.js';
import { ADJUSTMENTS, JOBS } from '../../../src/features/card-fees/work-rows.js';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { WorkQueue } from '../../../src/kernel/reactors/work-queue.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { newSeed } from '../../../src/kernel/values/ids.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

/** On servers the row of work is stored before the fact that it follows from, and somebody may look at it in between. */

const MINUTE = 60_000;
const STORE = 'store';
/** A second before December, where the store is. */
const DECEMBER = Date.parse('2026-12-01T03:00:00Z');

class Office {
  now = DECEMBER - 1_000;
  readonly vault = new MemoryVault(() => this.now);
  readonly lanes = new Lanes({ store: new MemoryEventStore(), vault: this.vault });
  readonly work: FeeWork;
  private readonly errors: unknown[] = [];

  constructor() {
    this.work = new FeeWork({
      lanes: this.lanes,
      vault: this.vault,
      clock: { now: () => this.now },
      holder: 'office',
      alone: false,
      stores: { byId: () => Promise.resolve({ timeZone: 'America/Sao_Paulo' }) },
      head: () => Promise.resolve('0'),
      projections: { waitFor: () => Promise.resolve(true) },
      reads: { find: () => Promise.resolve(NOTHING), findRows: () => Promise.resolve(NOTHING) },
      onError: (error: unknown) => this.errors.push(error),
    } as unknown as FeatureServices);
  }

  request(): CommandContext {
    const sender = { storeId: STORE, actor: SYSTEM, requestId: 'request', seed: newSeed(this.now) };
    return new CommandContext(this.lanes, { ...sender, keyed: false, claim: undefined, repeatSince: undefined });
  }

  async look(): Promise<void> {
    for (const queue of this.work.background.queues ?? []) {
      if (!(queue instanceof WorkQueue)) throw new Error('it is no queue');
      queue.wake();
      await queue.idle();
    }
    expect(this.errors).toEqual([]);
  }

  async switchOn(context: CommandContext): Promise<void> {
    const nothingElse = { acquirer: null, acquirerTaxId: null, terminalId: null, fixedFee: Decimal.zero };
    const details = { name: 'Balcão', ...nothingElse, settlementDaysDebit: 1, settlementDaysCredit: 30 };
    const machine = { accountId: 'machine', details, rates: {}, brandRates: [] };
    const wishes = { activate: true, useForPaymentLink: false };
    await this.request().execute(cardFees, { type: 'addAccount', storeId: STORE, ...machine, ...wishes });
    const tiers = [{ minGross: Decimal.zero, accountId: 'machine' }];
    const command = { type: 'configureAutoAdjust', storeId: STORE, enabled: true, tiers, ifMatch: undefined } as const;
    await context.execute(cardFees, command);
  }
}

const NOTHING = { items: [], nextCursor: null };

test('a recalculation is not recorded any more when its row may have been given up', async () => {
  const office = new Office();
  const context = office.request();
  await office.vault.write([office.work.jobRow(context, 'job')]);
  office.now += MINUTE;
  await office.look();
  expect(await office.vault.list(JOBS, { limit: 9 })).toEqual([]);
  const queued = context.execute(cardFees, { type: 'queueJob', storeId: STORE, jobId: 'job', month: '2026-11' });
  await expect(queued).rejects.toThrow('stood still');
  expect((await office.request().current(cardFees)).jobs.size).toBe(0);
});

test('the choice of the machine goes on that is switched on as a month begins', async () => {
  const office = new Office();
  const context = office.request();
  await office.vault.write([await office.work.adjustmentRow(context)]);
  office.now = DECEMBER;
  await office.look();
  await office.switchOn(context);
  office.now += MINUTE;
  await office.look();
  const [row] = await office.vault.list(ADJUSTMENTS, { limit: 9 });
  expect(row).toMatchObject({ value: { storeId: STORE }, dueAt: Date.parse('2027-01-01T03:00:00Z') });
});

test('it ends where it stays off, and is not switched on any more by who comes later', async () => {
  const office = new Office();
  const context = office.request();
  await office.vault.write([await office.work.adjustmentRow(context)]);
  for (const at of [DECEMBER, DECEMBER + MINUTE]) {
    office.now = at;
    await office.look();
  }
  expect(await office.vault.list(ADJUSTMENTS, { limit: 9 })).toEqual([]);
  await expect(office.switchOn(context)).rejects.toThrow('stood still');
});
