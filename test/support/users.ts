import { NO_FISCAL_SETTINGS } from '../../src/features/contracts/fiscal-settings.js';
import { memberServices } from '../../src/features/auth/access/services.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { CommandContext } from '../../src/kernel/lanes/command-context.js';
import type { StoreFacts } from '../../src/features/contracts/feature.js';
import type { Seed } from '../../src/kernel/values/ids.js';
import { newSeed } from '../../src/kernel/values/ids.js';
import { Lanes } from '../../src/kernel/lanes/lanes.js';
import { MailQueue } from '../../src/kernel/reactors/mail-queue.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import type { Commands } from '../../src/kernel/lanes/commands.js';
import type { EventStore } from '../../src/ports/event-store.js';
import type { Mail } from '../../src/ports/mailer.js';
import type { PasswordHasher } from '../../src/ports/password-hasher.js';
import { MemoryEventStore } from './memory-event-store.js';
import { MemoryVault } from './memory-vault.js';

/** Hashes at once, so that races are between commands. */
const instantHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`hash of ${password}`),
  verify: (password, hash) => Promise.resolve(hash === `hash of ${password}`),
  newCodeSalt: () => 'salt',
  hashCode: (code, salt) => Promise.resolve(`${salt} ${code}`),
  close: () => Promise.resolve(),
};

/** Stops the appends to streams that match, as a crash would. */
class Crash {
  before: RegExp | undefined;

  wrap(store: EventStore): EventStore {
    return Object.assign(Object.create(store) as EventStore, {
      append: (...call: Parameters<EventStore['append']>) =>
        this.before?.test(call[0]) === true ? Promise.reject(new Error('crashed')) : store.append(...call),
    });
  }
}

/** Accounts and members without the service around them, on a clock that is set unless one is given. */
export function openUsers(readClock?: () => number) {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const clock = systemClock(readClock ?? (() => now));
  const vault = new MemoryVault(clock.now);
  const crash = new Crash();
  const store = new MemoryEventStore();
  const lanes = new Lanes({ store: crash.wrap(store), vault });
  const sent: Mail[] = [];
  const errors: unknown[] = [];
  const mailer = {
    send(mail: Mail) {
      sent.push(mail);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  const mail = new MailQueue({
    vault,
    clock,
    mailer,
    holder: 'test',
    alone: true,
    onError: (error) => errors.push(error),
  });
  const facts = (id: string): StoreFacts => ({
    id,
    slug: id,
    legalName: 'Padaria',
    taxId: null,
    fiscal: NO_FISCAL_SETTINGS,
    tradeName: `Loja ${id}`,
    timeZone: 'America/Sao_Paulo',
    segment: 'RETAIL' as const,
    modules: { production: false, scaleCode: true, orders: false },
    activityCode: null,
    plan: { apiAccess: true },
    requireTwoFactor: false,
  });
  const stores = {
    byId: (id: string) => Promise.resolve(facts(id)),
    bySlug: (id: string) => Promise.resolve(facts(id)),
    all: () => Promise.resolve([]),
  };
  const services = { lanes, vault, clock, hasher: instantHasher, mail, stores, holder: 'test', alone: true };
  return {
    ...services,
    ...memberServices(services),
    store,
    sent,
    errors,
    crash,
    wait(milliseconds: number) {
      now += milliseconds;
    },
    seed: () => newSeed(clock.now()),
    /** One request's commands; the same seed makes it a repeat. */
    context(storeId: string, seed: Seed = newSeed(clock.now()), keyed = false): Commands {
      const sender = { storeId, actor: SYSTEM, requestId: 'test', seed, keyed, claim: undefined };
      return new CommandContext(lanes, { ...sender, repeatSince: keyed ? seed.at : undefined });
    },
  };
}

export type Users = ReturnType<typeof openUsers>;
