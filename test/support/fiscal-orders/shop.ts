import { readFileSync } from 'node:fs';
import { NO_FISCAL_SETTINGS } from '../../../src/features/contracts/fiscal-settings.js';
import type { StoreFacts } from '../../../src/features/contracts/feature.js';
import { fiscal } from '../../../src/features/fiscal/decider.js';
import type { FiscalDocument } from '../../../src/features/fiscal/domain/document.js';
import { documentIdOf } from '../../../src/features/fiscal/domain/document.js';
import { remembered } from '../../../src/features/fiscal/domain/state.js';
import { inventory } from '../../../src/features/inventory/decider.js';
import type { InventoryFact } from '../../../src/features/inventory/events.js';
import type { SaleAccount } from '../../../src/features/inventory/sales/domain/sale-account.js';
import { saleAccount } from '../../../src/features/inventory/sales/domain/sale-account.js';
import type { Seed } from '../../../src/kernel/values/ids.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import { address, TAX_ID } from '../fiscal/notes.js';
import { MemoryVault } from '../memory-vault.js';
import { Draws } from './draws.js';
import { DrawnAuthority } from './drawn-authority.js';
import { Dead, Schedule } from './schedule.js';
import { SharedStreams } from './shared-streams.js';

export const STORE = '01a1fe3e-9906-738c-84d5-8a2d82aaaaaa';
const INVENTORY = `inventory-${STORE}`;
const FISCAL = `fiscal-${STORE}`;
const stored = JSON.parse(readFileSync('test/fixtures/events/SaleCompleted.v2.json', 'utf8')) as {
  readonly lines: readonly { readonly issues: readonly unknown[] }[];
  readonly payments: readonly object[];
};

/** What the processes of a store share: its streams and rows, the authority, and what somebody may set. */
export class Shop {
  readonly draws: Draws;
  readonly schedule: Schedule;
  readonly vault: MemoryVault;
  readonly streams: SharedStreams;
  readonly authority: DrawnAuthority;
  /** Whether there is one process, which knows that. */
  readonly isAlone: boolean;
  /** Whether rows are stored apart from events. */
  readonly areRowsApart: boolean;
  /** Errors that somebody would read in the log. */
  readonly errors: unknown[] = [];
  readonly saleIds: string[] = [];
  /** Something that documents need is not set. */
  isIncomplete = false;
  series = 1;

  constructor(private readonly seed: number) {
    const draws = new Draws(seed);
    this.draws = draws;
    this.isAlone = draws.chance(0.25);
    this.areRowsApart = !this.isAlone && draws.chance(0.6);
    this.schedule = new Schedule(draws, draws.of([0.1, 0.3, 0.6]));
    this.vault = new MemoryVault(() => this.schedule.now);
    this.streams = new SharedStreams(this.schedule, this.vault, this.areRowsApart);
    this.authority = new DrawnAuthority(this.schedule, draws.of([0, 0.1, 0.4]));
  }

  get facts(): StoreFacts {
    return {
      id: STORE,
      slug: 'loja',
      legalName: 'Padaria Aurora Ltda',
      tradeName: 'Aurora',
      taxId: TAX_ID,
      timeZone: 'America/Sao_Paulo',
      segment: 'BAKERY',
      modules: { production: false, scaleCode: false, orders: false },
      activityCode: null,
      plan: { apiAccess: true },
      requireTwoFactor: false,
      fiscal: {
        ...NO_FISCAL_SETTINGS,
        taxRegime: 'SIMPLES',
        stateRegistration: this.isIncomplete ? null : '111222333444',
        address: { ...address('SP'), street: 'Rua' },
        series: { '55': this.series, '65': this.series },
      },
    };
  }

  newSeed(): Seed {
    return {
      at: this.schedule.now,
      entropy: Array.from({ length: 32 }, () => this.draws.under(16).toString(16)).join(''),
    };
  }

  /** What the log would hold of an error; a process that died writes none. */
  readonly logged = (error: unknown): void => {
    if (!(error instanceof Dead)) this.errors.push(error);
  };

  /** A sale of two of the same for cash, as it was completed. */
  async sell(): Promise<void> {
    const number = this.saleIds.length + 1;
    const saleId = `01a1fe3e-9906-738c-84d5-${String(this.seed).padStart(8, '0')}${String(number).padStart(4, '0')}`;
    const line = stored.lines.find(({ issues }) => issues.length === 0);
    const cash = { method: 'CASH', amount: '8', cardBrandId: null, installments: null, feeTerms: null, tendered: null };
    const sold = inventory.events.decode('SaleCompleted', 2, {
      ...stored,
      saleId,
      number,
      customerId: null,
      lines: [{ ...line, quantity: '2', unitPrice: '4', total: '8', discount: '0' }],
      payments: [{ ...stored.payments[0], ...cash }],
      total: '8',
    });
    const at = new Date(this.schedule.now).toISOString();
    const envelope = { commandId: saleId, storeId: STORE, actor: SYSTEM, requestId: 'sale', at };
    const decided = { ...inventory, decider: { ...inventory.decider, decide: () => [sold] } };
    await this.streams.record(decided, INVENTORY, { type: 'completeSale' } as never, envelope);
    this.saleIds.push(saleId);
  }

  accountOf(saleId: string): SaleAccount {
    const account = saleAccount(this.streams.of(inventory, INVENTORY).events, saleId);
    if (!account) throw new Error(`there is no sale ${saleId}`);
    return account;
  }

  variantOf(saleId: string): InventoryFact<'SaleCompleted'>['lines'][number]['variantId'] {
    return this.accountOf(saleId).sale.lines[0]?.variantId ?? '';
  }

  get fiscalEvents() {
    return this.streams.of(fiscal, FISCAL).events;
  }

  /** Every document that anything is known of, those that were abandoned among them. */
  get documentIds(): readonly string[] {
    return [...new Set(this.fiscalEvents.flatMap((event) => documentIdOf(event) ?? []))];
  }

  /** Null of one that was abandoned. */
  documentOf(documentId: string): FiscalDocument | null | undefined {
    return remembered(this.streams.of(fiscal, FISCAL).head.state, documentId);
  }
}
