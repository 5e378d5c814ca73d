import { z } from 'zod';
import type { Clock } from '../../kernel/values/clock.js';
import { Turns } from '../../kernel/values/turns.js';
import type { Vault } from '../../ports/vault.js';
import type { Destination } from './decider.js';
import type { Delivery, DeliveryStatus } from './deliveries.js';
import { DELIVERY_STATUSES, statusAt } from './deliveries.js';

const KIND = 'webhook-health';
const HOUR = 3_600_000;
const WINDOW = 24;
const FLUSH_AFTER = 250;

const lastDelivery = z.object({
  id: z.string(),
  event: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  at: z.string(),
  /** The delivery's; rows of earlier releases have none. */
  activation: z.int().optional(),
});
const stored = z.object({
  /** Attempts by the hour in which they were made. */
  hours: z.array(z.object({ hour: z.int(), succeeded: z.int(), failed: z.int() })),
  consecutiveFailures: z.int(),
  lastDelivery: lastDelivery.nullable(),
});
type Health = z.output<typeof stored>;

export interface DestinationHealth {
  readonly lastDelivery: {
    readonly id: string;
    readonly event: string;
    readonly status: DeliveryStatus;
    readonly at: string;
  } | null;
  readonly health: { readonly successRate24h: number | null; readonly consecutiveFailures: number };
}

const NONE: Health = { hours: [], consecutiveFailures: 0, lastDelivery: null };

interface Noted {
  readonly delivery: Delivery;
  readonly succeeded: boolean;
  readonly at: number;
}

/** How attempts at destinations went: a small window for each, written down a moment later and many at once. */
export class HealthBook {
  private readonly noted = new Map<string, Noted[]>();
  private readonly turns = new Turns();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly services: { readonly vault: Vault; readonly clock: Clock; onError(error: unknown): void },
  ) {}

  note(delivery: Delivery, succeeded: boolean): void {
    const noted = this.noted.get(delivery.destinationId) ?? [];
    noted.push({ delivery, succeeded, at: this.services.clock.now() });
    this.noted.set(delivery.destinationId, noted);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, FLUSH_AFTER).unref();
  }

  /** Once everything that was noted is written down. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return this.turns.take(() => this.writeAll());
  }

  /** By the ids of the destinations. What this process has noted is written down first: who saw a delivery end sees it here too. */
  async of(destinations: readonly Destination[]): Promise<ReadonlyMap<string, DestinationHealth>> {
    await this.flush();
    const ids = destinations.map(({ destinationId }) => destinationId);
    const rows = await this.services.vault.getMany(KIND, ids);
    const known = new Map(rows.map(({ id, value }) => [id, stored.parse(value)]));
    const now = this.services.clock.now();
    return new Map(
      destinations.map((each) => [each.destinationId, shown(known.get(each.destinationId) ?? NONE, each, now)]),
    );
  }

  forget(destinationId: string): Promise<boolean> {
    return this.services.vault.write([{ kind: KIND, id: destinationId, value: undefined, expected: 'any' }]);
  }

  private async writeAll(): Promise<void> {
    const all = [...this.noted];
    this.noted.clear();
    const written = all.map(([destinationId, noted]) => this.add(destinationId, noted));
    for (const outcome of await Promise.allSettled(written)) {
      if (outcome.status === 'rejected') this.services.onError(outcome.reason);
    }
  }

  private async add(destinationId: string, noted: readonly Noted[]): Promise<void> {
    const { vault } = this.services;
    for (;;) {
      const row = await vault.get(KIND, destinationId);
      const value = noted.reduce(after, row ? stored.parse(row.value) : NONE);
      if (await vault.write([{ kind: KIND, id: destinationId, value, expected: row?.version ?? 'absent' }])) return;
    }
  }
}

/** What lies further ahead than another process's clock may be is of a clock that was ahead. */
const isWithin =
  (present: number) =>
  ({ hour }: Health['hours'][number]): boolean =>
    hour > present - WINDOW && hour <= present + 1;

function after(health: Health, { delivery, succeeded, at }: Noted): Health {
  const hour = Math.floor(at / HOUR);
  const recent = health.hours.filter(isWithin(hour));
  const current = recent.find((each) => each.hour === hour) ?? { hour, succeeded: 0, failed: 0 };
  const counted = succeeded
    ? { ...current, succeeded: current.succeeded + 1 }
    : { ...current, failed: current.failed + 1 };
  const { id, event, status, activation } = delivery;
  return {
    hours: [...recent.filter((each) => each.hour !== hour), counted],
    consecutiveFailures: succeeded ? 0 : health.consecutiveFailures + 1,
    lastDelivery: { id, event, status, at: new Date(at).toISOString(), activation },
  };
}

function shown(health: Health, destination: Destination, now: number): DestinationHealth {
  const { hours, consecutiveFailures, lastDelivery: last } = health;
  const recent = hours.filter(isWithin(Math.floor(now / HOUR)));
  const succeeded = recent.reduce((sum, each) => sum + each.succeeded, 0);
  const all = recent.reduce((sum, each) => sum + each.succeeded + each.failed, 0);
  const successRate24h = all === 0 ? null : Math.round((succeeded / all) * 10_000) / 10_000;
  const lastDelivery = last && { id: last.id, event: last.event, status: statusAt(last, destination), at: last.at };
  return { lastDelivery, health: { successRate24h, consecutiveFailures } };
}
