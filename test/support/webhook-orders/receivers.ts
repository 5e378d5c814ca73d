import type { PostResult } from '../../../src/ports/http-poster.js';
import type { VaultWrite } from '../../../src/ports/vault.js';
import type { Delivery } from '../../../src/features/webhooks/deliveries.js';
import { isEnded } from '../../../src/features/webhooks/deliveries.js';
import { WEBHOOK_TEST } from '../../../src/features/webhooks/events.js';
import { DELIVERY_QUEUE } from '../../../src/features/webhooks/records.js';
import { WEBHOOK_SECRET } from '../../../src/features/webhooks/secrets.js';
import type { Actor } from '../fiscal-orders/schedule.js';
import type { Outside } from '../request-orders/ground.js';
import type { World } from '../request-orders/world.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DOCUMENTED = [1, 5, 15, 60, 180, 360, 720, 1_440].map((minutes) => minutes * MINUTE);
/** So long is waited for an answer. */
const TIMEOUT = 10_000;

type Manner = 'well' | 'ill' | 'away';

export interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Between these lengths of the log lies what its sender knew. */
  readonly knownFrom: number;
  readonly knownTo: number;
  readonly at: number;
  /** What it was answered with; undefined where the sender heard nothing. */
  readonly heard: number | undefined;
  readonly answered: number;
}

/** Those who are told of fiscal events: some answer well, some ill, some are never there. */
export class Receivers implements Outside {
  readonly received: Received[] = [];
  readonly retryDelays: readonly number[];
  readonly isSkewed: boolean;
  /** Of each destination, by their ids. */
  readonly secrets = new Map<string, Map<string | undefined, string>>();
  /** The deliveries that somebody asked for again. */
  readonly retried = new Set<string>();
  readonly faults: string[] = [];
  /** How deliveries ended. */
  private readonly ended = new Map<string, string>();
  private readonly manners = new Map<string, Manner>();

  constructor(private readonly world: World) {
    const { draws, vault } = world;
    this.retryDelays = draws.of([DOCUMENTED, [MINUTE], [100, 5_000]]);
    this.isSkewed = draws.chance(0.25);
    const write = vault.write.bind(vault);
    vault.write = async (rows) => {
      const isWritten = await write(rows);
      if (isWritten) for (const row of rows) this.note(row);
      return isWritten;
    };
  }

  newSkew(): number {
    const { draws } = this.world;
    return this.isSkewed ? draws.of([-HOUR, -MINUTE, 0, MINUTE, HOUR]) : 0;
  }

  posterOf(actor: Actor) {
    return {
      refusalOf: () => undefined,
      post: (post: Pick<Received, 'url' | 'headers' | 'body'>) => this.post(actor, post),
    };
  }

  private note({ kind, id, value }: VaultWrite): void {
    if (kind.startsWith(`${DELIVERY_QUEUE}-`)) this.noteDelivery(value ?? {});
    if (kind !== WEBHOOK_SECRET || value === undefined) return;
    const known = this.secrets.get(id) ?? new Map<string | undefined, string>();
    const { id: secretId, secret } = value as { readonly id?: string; readonly secret: string };
    this.secrets.set(id, known.set(secretId, secret));
  }

  private noteDelivery({ id, status, retriedAt, event }: Partial<Delivery>): void {
    // The row of a line is of none.
    if (id === undefined || status === undefined) return;
    // A test that takes long may be made again by who repeats the request, and is told as it went last.
    const ended = event === WEBHOOK_TEST ? undefined : this.ended.get(id);
    if (ended !== undefined && ended !== 'FAILED' && ended !== status)
      this.faults.push(`what had ended is changed: ${id} ${ended} ${status}`);
    if (retriedAt) this.retried.add(id);
    if (isEnded({ status })) this.ended.set(id, status);
  }

  private async post(actor: Actor, post: Pick<Received, 'url' | 'headers' | 'body'>): Promise<PostResult> {
    const { draws, schedule, log, quietAt } = this.world;
    const { url, headers, body } = post;
    const [knownTo, at] = [log.events.length, schedule.now];
    await schedule.wait(actor, `posts ${headers['X-Service-Event'] ?? ''} to ${url}`);
    const told = (statusCode: number | null, error: string | null): PostResult => ({
      durationMs: schedule.now - at,
      statusCode,
      error,
      snippet: null,
    });
    const manner = this.mannerOf(url);
    const isWell = schedule.isCalm ? manner !== 'away' : draws.chance(manner === 'well' ? 0.9 : 0.2);
    if (manner === 'away' || (!isWell && draws.chance(0.2))) return told(null, 'the connection was refused');
    const answered = isWell ? draws.of([200, 204]) : draws.of([301, 404, 500]);
    const isLost = !schedule.isCalm && draws.chance(0.1);
    const heard = isLost ? undefined : answered;
    this.received.push({ url, headers, body, knownFrom: quietAt, knownTo, at, heard, answered });
    await schedule.wait(actor, `is answered ${String(heard)}`, isLost ? TIMEOUT : draws.of([1, 100, 2_000, 9_000]));
    return heard === undefined ? told(null, 'no answer in time') : told(heard, null);
  }

  private mannerOf(url: string): Manner {
    const known = this.manners.get(url) ?? this.world.draws.of<Manner>(['well', 'well', 'ill', 'away']);
    this.manners.set(url, known);
    return known;
  }
}
