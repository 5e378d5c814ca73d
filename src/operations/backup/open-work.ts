import { MembershipsAfterRestore } from '../../features/auth/access/memberships-after-restore.js';
import { cardFees } from '../../features/card-fees/decider.js';
import type { CardFeeEvent } from '../../features/card-fees/events.js';
import type { CardFees } from '../../features/card-fees/domain/state.js';
import { ADJUSTMENTS, adjustmentRow, jobRow, JOBS } from '../../features/card-fees/work-rows.js';
import { fiscal } from '../../features/fiscal/decider.js';
import type { FiscalState } from '../../features/fiscal/domain/state.js';
import type { FiscalEvent } from '../../features/fiscal/events.js';
import { FISCAL_WORK, workFrom } from '../../features/fiscal/issuing/work-rows.js';
import { inventoryEvents } from '../../features/inventory/events.js';
import { ChangesAfterRestore } from '../../features/products/changes-after-restore.js';
import type { Recorded } from '../../kernel/events/event.js';
import { recordedEvent } from '../../kernel/events/recorded.js';
import { StreamStates } from '../../kernel/events/stream-states.js';
import type { StoredEvent } from '../../ports/event-store.js';
import type { VaultWrite } from '../../ports/vault.js';

/** Kinds of rows that say what is still to be done, and follow from what a log says. */
export const OPEN_WORK: ReadonlySet<string> = new Set([FISCAL_WORK, JOBS, ADJUSTMENTS]);

const HOLDS: ReadonlySet<string> = new Set(['SaleTaxingBegan', 'SaleTaxingEnded']);

type Work = Parameters<typeof workFrom>[0];

/** Sales that are held for documents which nothing but the hold may speak of, by document. */
class Holds {
  readonly open = new Map<string, Work>();

  addSale(stored: StoredEvent): void {
    const event = recordedEvent(inventoryEvents, stored);
    if (event.type === 'SaleTaxingEnded') this.open.delete(event.data.documentId);
    if (event.type !== 'SaleTaxingBegan') return;
    const { saleId, documentId, insteadOf } = event.data;
    if (insteadOf !== null) this.open.delete(insteadOf);
    this.open.set(documentId, { storeId: event.meta.storeId ?? '', documentId, saleId });
  }

  /** An authorized document keeps its sale; one that was cancelled lets go of it. */
  addDocument(event: Recorded<FiscalEvent>): void {
    if (event.type !== 'DocumentAuthorized' && event.type !== 'DocumentCancelled') return;
    const { documentId, saleId } = event.data.document;
    if (event.type === 'DocumentAuthorized') this.open.delete(documentId);
    else this.open.set(documentId, { storeId: event.meta.storeId ?? '', documentId, saleId });
  }
}

/** What is still to be done as these events tell it: rows that lie beside them may be newer, and speak of other work or of none. */
export function openWork(events: Iterable<StoredEvent>, now: number): readonly VaultWrite[] {
  const documents = new StreamStates(fiscal);
  const fees = new StreamStates(cardFees);
  const holds = new Holds();
  const changes = new ChangesAfterRestore();
  const memberships = new MembershipsAfterRestore();
  for (const stored of events) {
    changes.add(stored);
    memberships.add(stored);
    if (HOLDS.has(stored.type)) holds.addSale(stored);
    fees.add(stored);
    const event = documents.add(stored);
    if (event) holds.addDocument(event);
  }
  return [
    ...fiscalWork(documents, holds.open, now),
    ...feeWork(fees, now),
    ...changes.rows(now),
    ...memberships.rows(now),
  ];
}

function fiscalWork(
  { all }: StreamStates<FiscalState, FiscalEvent>,
  holds: ReadonlyMap<string, Work>,
  now: number,
): readonly VaultWrite[] {
  const works = new Map(holds);
  for (const { storeId, state } of all) {
    for (const [documentId, { facts }] of state.open)
      works.set(documentId, { storeId, documentId, saleId: facts.saleId });
  }
  return [...works.values()].map((work) => workFrom(work, now));
}

const feeWork = ({ all }: StreamStates<CardFees, CardFeeEvent>, now: number): readonly VaultWrite[] =>
  all.flatMap(({ storeId, state: { jobs, autoAdjust } }) => [
    ...[...jobs.keys()].map((jobId) => jobRow(storeId, jobId, now)),
    ...(autoAdjust.enabled ? [adjustmentRow(storeId, now)] : []),
  ]);
