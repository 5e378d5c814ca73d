import { LRUCache } from 'lru-cache';
import { streamName } from '../../kernel/events/decider.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { Reaction, Reactor } from '../../kernel/reactors/reactor.js';
import type { Outcome, WorkItem } from '../../kernel/reactors/work-line.js';
import { WorkQueue } from '../../kernel/reactors/work-queue.js';
import { memoise } from '../../kernel/values/memoise.js';
import { TurnsByKey } from '../../kernel/values/turns.js';
import type { FeatureServices } from '../contracts/feature.js';
import type { FiscalEvent } from '../fiscal/events.js';
import { fiscalEvents, NOTIFICATIONS } from '../fiscal/events.js';
import type { Destination } from './decider.js';
import { webhooks } from './decider.js';
import type { Delivery, Listener } from './deliveries.js';
import { cancelled, delivery, deliveryOf, expiryOf, isEnded, mayBeSent, retried, rowIdOf } from './deliveries.js';
import { HealthBook } from './health.js';
import type { FoundDelivery } from './records.js';
import { DELIVERY_QUEUE, DeliveryRecords } from './records.js';
import { TESTS_RUNNING } from './rejections.js';
import { Secrets } from './secrets.js';
import type { SendingServices } from './sending.js';
import { attemptDelivery } from './sending.js';

const PER_DESTINATION = 8;
const IN_ALL = 256;
const CACHED = 1_000;
/** It must be longer than the longest attempt. */
const LEASE = 20_000;
/** Tests of one destination that run or wait. */
const TESTS_AT_ONCE = 8;
/** For as long as one of them may take. */
const TEST_SECONDS = 10;

/** What the endpoints, the reactor and the sender of webhooks share. */
export class WebhookServices {
  readonly secrets: Secrets;
  readonly health: HealthBook;
  readonly records: DeliveryRecords;
  readonly queue: WorkQueue<Delivery>;
  /** Where in the log destinations were switched on. */
  private readonly activations = new LRUCache<string, string>({ max: CACHED });

  private readonly testing = new TurnsByKey();

  constructor(readonly services: FeatureServices) {
    this.secrets = new Secrets(services.vault);
    this.health = new HealthBook(services);
    this.records = new DeliveryRecords(services.vault);
    this.queue = new WorkQueue<Delivery>(
      {
        name: DELIVERY_QUEUE,
        task: delivery,
        perLine: PER_DESTINATION,
        atOnce: IN_ALL,
        leaseMilliseconds: LEASE,
        longestWait: Math.max(LEASE, ...services.webhookRetryDelays),
        expiresAt: expiryOf,
        work: (item) => this.send(item),
      },
      services,
    );
  }

  /** As new as the log is when it is asked. */
  async destinationsOf(storeId: string): Promise<readonly Destination[]> {
    const { lanes } = this.services;
    const { state } = await lanes.current(webhooks, streamName(webhooks.category, storeId), lanes.freshness);
    return [...state.destinations.values()];
  }

  /** Undefined where it was removed. */
  private async destinationOf({ storeId, destinationId }: Delivery): Promise<Destination | undefined> {
    return (await this.destinationsOf(storeId)).find((destination) => destination.destinationId === destinationId);
  }

  private async listenersOf(storeId: string): Promise<readonly Listener[]> {
    const active = (await this.destinationsOf(storeId)).filter((destination) => destination.active);
    const since = await Promise.all(active.map((destination) => this.positionOf(storeId, destination)));
    return active.map((destination, index) => ({ destination, since: since[index] ?? '' }));
  }

  private async positionOf(storeId: string, { destinationId, activation }: Destination): Promise<string> {
    const key = `${destinationId} ${String(activation)}`;
    const known = this.activations.get(key);
    if (known !== undefined) return known;
    const stream = streamName(webhooks.category, storeId);
    const [event] = await this.services.lanes.eventsAt(webhooks, stream, [activation]);
    const position = event?.position ?? '';
    this.activations.set(key, position);
    return position;
  }

  /** From fiscal events to deliveries. */
  readonly reactor: Reactor<FiscalEvent> = {
    name: 'webhooks',
    codec: fiscalEvents,
    types: Object.keys(NOTIFICATIONS) as (keyof typeof NOTIFICATIONS)[],
    begins: 'at the first event',
    react: async (events): Promise<Reaction> => {
      const stores = new Set(events.map(({ meta }) => meta.storeId ?? ''));
      const listeners = new Map<string, readonly Listener[]>();
      for (const storeId of stores) listeners.set(storeId, await this.listenersOf(storeId));
      const made = events.flatMap((event) =>
        (listeners.get(event.meta.storeId ?? '') ?? []).flatMap((each) => deliveryOf(event, each) ?? []),
      );
      const lines = new Set(made.map(({ destinationId }) => destinationId));
      const rows = made.map((each) => this.rowOf(each));
      return {
        rows: this.queue.findable(rows, lines),
        wake: (how) => {
          if (how === 'new') this.queue.takeStored(rows);
          else this.queue.wake(lines);
        },
      };
    },
  };

  /** What the sender runs: the queue, and the last figures of health when it stops. */
  readonly sender = {
    start: () => {
      this.queue.start();
    },
    close: async () => {
      await this.queue.close();
      await this.health.flush();
    },
  };

  /** Has the sender look at a destination's deliveries, wherever it runs. */
  async lookAt(destinationId: string): Promise<void> {
    await this.services.vault.write(this.queue.announce([destinationId]));
    this.queue.wake([destinationId]);
  }

  /**
   * One attempt here and now, kept as a delivery that has ended. One after the other: nobody floods a receiver with them. It goes to the
   * destination as it is when the turn comes: others may have taken a while.
   */
  async sendOnce(made: Delivery): Promise<Delivery> {
    const { destinationId } = made;
    if (this.testing.countOf(destinationId) >= TESTS_AT_ONCE) {
      throw new Rejection(TESTS_RUNNING, undefined, { retryAfter: TEST_SECONDS });
    }
    return this.testing.take(destinationId, async () => {
      const destination = await this.destinationOf(made);
      if (!destination) throw new Rejection(NOT_FOUND);
      const outcome = await attemptDelivery(this.sending, made, destination, { plan: [] });
      await this.services.vault.write([
        this.queue.row({ id: rowIdOf(made.id), line: destinationId, task: outcome }, 'any'),
      ]);
      await this.health.flush();
      return outcome;
    });
  }

  /** Has a failed delivery sent again; undefined when somebody else was faster. */
  async retry({ delivery: failed, version }: FoundDelivery, destination: Destination): Promise<Delivery | undefined> {
    const now = this.services.clock.now();
    const task = retried(failed, destination, now);
    const line = failed.destinationId;
    const row = this.queue.row({ id: rowIdOf(failed.id), line, task, dueAt: now }, version);
    if (!(await this.services.vault.write(this.queue.findable([row], [line])))) return undefined;
    this.queue.wake([line]);
    return task;
  }

  private get sending(): SendingServices {
    const { clock, poster } = this.services;
    return { poster, clock, secrets: this.secrets, health: this.health };
  }

  private rowOf(made: Delivery) {
    // The time of the event may be ahead of a clock that was set back since.
    const dueAt = Math.min(Date.parse(made.createdAt), this.services.clock.now());
    return this.queue.row({ id: rowIdOf(made.id), line: made.destinationId, task: made, dueAt });
  }

  private async send({ task, signal }: WorkItem<Delivery>): Promise<Outcome<Delivery>> {
    const { clock, webhookRetryDelays } = this.services;
    if (isEnded(task)) return { task };
    const destination = await this.destinationOf(task);
    if (!destination || !mayBeSent(task, destination)) return { task: cancelled(task, clock.now()) };
    const plan = task.retriedAt === null ? webhookRetryDelays : [];
    const outcome = await attemptDelivery(this.sending, task, destination, { plan, signal });
    return outcome.nextAttemptAt === null
      ? { task: outcome }
      : { task: outcome, dueAt: Date.parse(outcome.nextAttemptAt) };
  }
}

/** One for each running service: the endpoints wake the sender of their own process. */
export const webhookServices = memoise((services: FeatureServices) => new WebhookServices(services));
