import type { Appended, EventStore, StoredEvent } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import type { PasswordHasher } from '../../../src/ports/password-hasher.js';
import type { Vault, VaultWrite } from '../../../src/ports/vault.js';
import type { Actor } from '../fiscal-orders/schedule.js';
import type { Ground } from './ground.js';

const MOST_HEARD_AT_ONCE = 5;

/** Without the first parts of ids. */
const shortened = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{14}([0-9a-f]{4})/g, '$1');

const rowsTold = (rows: readonly VaultWrite[]): string =>
  rows.map(({ kind, value }) => `${kind}${value === undefined ? '-' : '+'}`).join(' ');

/** Whom a subscription tells, and up to where it has told them; a batch that was refused is told again. */
interface Hearing {
  heardUpTo: string;
  readonly onEvents: (events: readonly StoredEvent[]) => Promise<void>;
  running: Promise<unknown> | undefined;
}

/** The ports of one process: each of its calls waits for its turn, and where servers are asked some writes get no answer. */
export class Ports {
  private readonly subscriptions = new Set<Hearing>();

  constructor(
    private readonly actor: Actor,
    private readonly ground: Ground,
  ) {}

  private readonly act = <T>(what: string, act: () => T | Promise<T>): Promise<T> =>
    this.ground.schedule.act(this.actor, what, act);

  private async written<T>(what: string, write: () => T | Promise<T>): Promise<T> {
    const { areServers, draws, lossy, schedule } = this.ground;
    if (!areServers || schedule.isCalm || !draws.chance(lossy)) return this.act(what, write);
    const arrives = draws.chance(0.5);
    await this.act(`${what} ${arrives ? 'WITHOUT AN ANSWER' : 'IN VAIN'}`, async () => {
      if (arrives) await write();
    });
    throw new StoreUnavailable('away', arrives || draws.chance(0.5));
  }

  get eventStore(): EventStore {
    const { log, areServers, schedule } = this.ground;
    return {
      logId: 'log',
      exclusive: !areServers,
      storesRows: !areServers,
      append: (stream, revision, events, rows = []): Promise<Appended> => {
        const what = `appends ${events.map(({ type }) => type).join('+')} to ${shortened(stream)} ${rowsTold(rows)}`;
        return this.written(what.trimEnd(), () => log.append(stream, revision, events, rows));
      },
      readStream: (stream, options) => this.act(`reads ${shortened(stream)}`, () => log.read(stream, options)),
      readAll: (after, limit) => this.act('reads the log', () => log.after(after, limit)),
      readAt: (positions) => this.act('reads events', () => positions.flatMap((position) => log.at(position) ?? [])),
      head: () => this.act('asks for the head', () => log.head),
      subscribe: (after, onEvents) => {
        const hearing: Hearing = { heardUpTo: after, onEvents, running: undefined };
        this.subscriptions.add(hearing);
        return {
          stop: async () => {
            this.subscriptions.delete(hearing);
            await hearing.running;
          },
          get provedLiveAt() {
            return log.isWholeUntil(hearing.heardUpTo);
          },
        };
      },
      isPosition: (token) => /^\d{12}$/.test(token) && schedule.now > 0,
      close: () => Promise.resolve(),
    };
  }

  get vault(): Vault {
    const { vault, areServers } = this.ground;
    return {
      atomic: !areServers,
      get: (kind, id) => this.act(`gets ${kind}`, () => vault.get(kind, id)),
      getMany: (kind, ids) => this.act(`gets ${kind}`, () => vault.getMany(kind, ids)),
      write: (rows) => (areServers ? this.writeOneByOne(rows) : this.write(rows)),
      list: (kind, options) => this.act(`lists ${kind}`, () => vault.list(kind, options)),
      due: (kind, before, limit) => this.act(`looks what is due of ${kind}`, () => vault.due(kind, before, limit)),
      sweep: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
  }

  private write(rows: readonly VaultWrite[]): Promise<boolean> {
    return this.written(`writes ${rowsTold(rows)}`, () => this.ground.vault.write(rows));
  }

  private async writeOneByOne(rows: readonly VaultWrite[]): Promise<boolean> {
    for (const row of rows) if (!(await this.write([row]))) return false;
    return true;
  }

  /** Costs nothing, and nobody is to keep it. */
  get hasher(): PasswordHasher {
    return {
      hash: (password) => this.act('hashes', () => hashOf(password)),
      verify: (password, hash) => this.act('verifies', () => hash === hashOf(password)),
      newCodeSalt: () => 'salt',
      hashCode: (code) => this.act('hashes a code', () => Buffer.from(code).toString('hex')),
      close: () => Promise.resolve(),
    };
  }

  /** Subscriptions hear of what is new, each at a moment of its own. */
  listen(): void {
    const { log } = this.ground;
    if (this.actor.isDead) return;
    for (const hearing of this.subscriptions)
      if (!hearing.running && hearing.heardUpTo !== log.head) this.tell(hearing);
  }

  private tell(hearing: Hearing): void {
    const { log, draws, schedule } = this.ground;
    hearing.running = schedule
      .wait(this.actor, 'hears')
      .then(async () => {
        if (!this.subscriptions.has(hearing)) return;
        const events = log.after(hearing.heardUpTo, 1 + draws.under(MOST_HEARD_AT_ONCE));
        await hearing.onEvents(events);
        hearing.heardUpTo = events.at(-1)?.position ?? hearing.heardUpTo;
      })
      .catch(() => undefined)
      .finally(() => (hearing.running = undefined));
  }
}

const HASH = 'hash of ';
const hashOf = (password: string): string => `${HASH}${password}`;
/** The password that a hash is of. */
export const hashed = (hash: string): string => hash.slice(HASH.length);
