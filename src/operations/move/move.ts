import { z } from 'zod';
import { LogCheck } from '../../kernel/proof/log-check.js';
import type { StoredEvent } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type { LogTarget, LogToMove, RowSeal, SealedRow, VaultTarget, VaultToMove } from '../../ports/moving.js';
import { StartRefused } from '../../ports/start-refused.js';

/** What goes where; what stays where it is is undefined on both sides. */
export interface Move {
  readonly log: { readonly from: LogToMove; readonly to: LogTarget } | undefined;
  /** The vault that goes, or else the one that stays and follows a log that goes. */
  readonly vault: { readonly from: VaultToMove; readonly to: VaultTarget };
  /** Names the log also where it stays. */
  readonly logId: string;
  readonly seal: RowSeal;
  /** Refuses what processes of the service still use; undefined where nothing can, as in a data folder that is locked. */
  readonly now: (() => number) | undefined;
  /** Events so far, now and then. */
  readonly onProgress: (events: number) => void;
}

export interface Moved {
  readonly logId: string;
  readonly events: number | null;
  readonly rootHash: string | null;
  readonly vaultRows: number;
}

const REACTOR = 'reactor';
const reactor = z.object({ position: z.string() }).loose();
const LEASE = 'lease';
const lease = z.object({ until: z.number(), milliseconds: z.number().default(0) }).loose();
const PROGRESS_EVERY = 10_000;

/** Copies what an earlier try has not, checks that all of it arrived, and only then says on both sides where it is. */
export async function move({ log, vault, logId, seal, now, onProgress }: Move): Promise<Moved> {
  if (now) await expectUnused(vault.from, seal, now());
  // Before anything is written where the log goes, which takes its time and could not be used for another move afterwards.
  await vault.to.expectRoom(logId);
  if (log) await copyLog(log.from, log.to, onProgress);
  await vault.to.begin(logId);
  const wanted = await reactorPositions(vault.from, seal);
  const compared = log && (await compare(log.from, log.to, wanted));
  const vaultRows = await copyVault(vault, seal, compared?.positions);
  const arrived = await vault.to.count();
  if (arrived !== vaultRows) {
    throw new StartRefused(
      `${String(vaultRows)} rows of the vault were sent and ${String(arrived)} arrived: repeat the move`,
    );
  }
  // One that was started meanwhile has perhaps recorded what was not copied.
  if (now) await expectUnused(vault.from, seal, now());
  // The log first: where a vault stays, its reactors follow the log that they know until it is there.
  await log?.to.finish();
  await vault.to.finish();
  await vault.from.markMoved();
  // The last mark: a log that was moved away refuses another move, and a vault that one does not end would look as if it were in use.
  await log?.from.markMoved();
  return { logId, events: compared?.events ?? null, rootHash: compared?.rootHash ?? null, vaultRows };
}

async function copyLog(from: LogToMove, to: LogTarget, onProgress: Move['onProgress']): Promise<void> {
  let count = await to.begin(from.logId);
  let said = count;
  for await (const page of from.pages(count)) {
    await to.append(page);
    count += page.length;
    if (count - said < PROGRESS_EVERY) continue;
    said = count;
    onProgress(count);
  }
}

/** A process that goes on would append to what nobody uses any more. While the service runs, one of its processes holds a lease at any time. */
async function expectUnused(from: VaultToMove, seal: RowSeal, now: number): Promise<void> {
  let last = now;
  for await (const page of from.pages()) {
    for (const row of page) {
      if (row.kind !== LEASE) continue;
      const { until, milliseconds } = lease.parse(seal.open(row));
      // One that ends later than it can is of a clock that was ahead.
      if (until <= now + milliseconds) last = Math.max(last, until);
    }
  }
  if (last === now) return;
  throw new StartRefused(
    `the service still runs on these servers: stop all its processes first (after a kill, wait ${String(Math.ceil((last - now) / 1_000))} s)`,
  );
}

/** Where the reactors are. Opening their rows also proves the key. */
async function reactorPositions(from: VaultToMove, seal: RowSeal): Promise<ReadonlySet<string>> {
  const positions = new Set<string>();
  for await (const page of from.pages()) {
    for (const row of page) {
      if (row.kind === REACTOR) positions.add(reactor.parse(seal.open(row)).position);
    }
  }
  return positions;
}

async function* single(pages: AsyncIterable<readonly StoredEvent[]>): AsyncGenerator<StoredEvent, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}

/** Both logs side by side: the same events in the same order, each continuing its chain; and what wanted positions are on the other side. */
async function compare(from: LogToMove, to: LogTarget, wanted: ReadonlySet<string>) {
  const check = new LogCheck();
  const before = new LogCheck();
  const positions = new Map<string, string>([[START, START]]);
  const [left, right] = [single(from.pages(0)), single(to.pages())];
  for (;;) {
    const [sent, arrived] = [await left.next(), await right.next()];
    if (sent.value === undefined || arrived.value === undefined) {
      if (sent.value === arrived.value) break;
      throw new StartRefused(
        arrived.value === undefined
          ? 'the logs are not of the same length: repeat the move'
          : 'an earlier try brought the log, and it has gone on since where it went: there it is used, and no more where it came from',
      );
    }
    before.add(sent.value);
    check.add(arrived.value);
    if (sent.value.id !== arrived.value.id) throw new StartRefused(`the logs differ at the event ${sent.value.id}`);
    const { position } = arrived.value;
    if (wanted.has(sent.value.position)) positions.set(sent.value.position, position);
    // A try that was broken off late may have translated it already.
    else if (wanted.has(position)) positions.set(position, position);
  }
  const rootHash = check.tree.root();
  if (rootHash !== before.tree.root()) throw new StartRefused('the events that arrived are not those that were sent');
  return { events: check.tree.size, rootHash, positions };
}

/** Gives how many rows there are. */
async function copyVault(
  { from, to }: Move['vault'],
  seal: RowSeal,
  positions: ReadonlyMap<string, string> | undefined,
): Promise<number> {
  let count = 0;
  for await (const page of from.pages()) {
    await to.put(page.map((row) => translated(row, seal, positions)));
    count += page.length;
  }
  return count;
}

/** A reactor goes on after the same event. */
function translated(row: SealedRow, seal: RowSeal, positions: ReadonlyMap<string, string> | undefined): SealedRow {
  if (row.kind !== REACTOR || !positions) return row;
  const value = reactor.parse(seal.open(row));
  const position = positions.get(value.position);
  if (position === undefined)
    throw new StartRefused(`the reactor ${row.id} is at ${value.position}, where the log has no event`);
  return seal.seal(row, { ...value, position });
}
