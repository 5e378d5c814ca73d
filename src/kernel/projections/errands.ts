import { randomUUID } from 'node:crypto';
import type { Position } from '../../ports/event-store.js';
import type { Vault, VaultRow } from '../../ports/vault.js';
import type { Clock } from '../values/clock.js';
import type { ProjectionHealth } from './projections.js';

/** What one process asks of the one that projects, which alone can do it. */
export type Errand =
  | { readonly kind: 'rebuild'; readonly collections: readonly string[] }
  | { readonly kind: 'skip'; readonly collection: string; readonly position: Position };

export interface AskedErrand {
  readonly id: string;
  readonly errand: Errand;
  /** Somebody has begun it; who that was may have gone since. */
  readonly begun: boolean;
}

export interface Word {
  readonly state: 'begun' | 'done' | 'failed';
  readonly reason?: string;
}

const ASKED = 'projection-errand';
const WORD = 'projection-errand-word';
const HEALTH = 'projection-health';

/** Whoever asks says so again while it waits: nobody does what is waited for no more. */
const ASKED_LIVES = 60_000;
const ASK_AGAIN_LOOKS = 20;
const LOOK_EVERY = 250;
/** So many looks without a new word are half a minute. */
const PATIENCE_LOOKS = 120;
const WORD_LIVES = 600_000;
const HEALTH_LIVES = 6_000;
const MOST = 100;

/** Rows through which the processes of one read model speak to the one of them that projects. */
export class Errands {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    /** Those who project the same. */
    private readonly group: string,
    private readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>,
  ) {}

  /** Resolves once it is done, by whichever process projects until then. */
  async have(errand: Errand, signal: AbortSignal): Promise<void> {
    const id = `${this.group}/${randomUUID()}`;
    await this.ask(id, errand);
    try {
      await this.untilDone(id, errand, signal);
    } finally {
      await this.forget(id).catch(() => undefined);
    }
  }

  async asked(): Promise<readonly AskedErrand[]> {
    const rows = await this.vault.list(ASKED, { prefix: `${this.group}/`, limit: MOST });
    const words = new Map((await this.wordsOn(rows)).map(({ id, value }) => [id, value as Word]));
    return rows
      .map(({ id, value }) => ({ id, errand: value as Errand, begun: words.get(id)?.state === 'begun' }))
      .filter(({ id, begun }) => begun || !words.has(id));
  }

  async say(id: string, word: Word): Promise<void> {
    const expiresAt = this.clock.now() + WORD_LIVES;
    await this.vault.write([{ kind: WORD, id, value: word, expected: 'any', expiresAt }]);
  }

  /** For a few seconds, unless it is said again. */
  async publish(health: readonly ProjectionHealth[]): Promise<void> {
    const expiresAt = this.clock.now() + HEALTH_LIVES;
    await this.vault.write([{ kind: HEALTH, id: this.group, value: health, expected: 'any', expiresAt }]);
  }

  async published(): Promise<readonly ProjectionHealth[]> {
    const row = await this.vault.get(HEALTH, this.group);
    return (row?.value as readonly ProjectionHealth[] | undefined) ?? [];
  }

  /** Words that cannot be read for a while do not end it: whoever does it goes on all the same. */
  private async untilDone(id: string, errand: Errand, signal: AbortSignal): Promise<void> {
    let heard = { version: 0, look: 0 };
    for (let look = 0; look - heard.look < PATIENCE_LOOKS; look++) {
      if (look > 0 && look % ASK_AGAIN_LOOKS === 0) await this.ask(id, errand).catch(() => undefined);
      await this.pause(LOOK_EVERY, signal);
      signal.throwIfAborted();
      const said = await this.vault.get(WORD, id).catch(() => undefined);
      if (!said) continue;
      const { state, reason } = said.value as Word;
      if (state === 'done') return;
      if (state === 'failed') throw new Error(reason);
      if (said.version !== heard.version) heard = { version: said.version, look };
    }
    throw new Error('no process that projects does it: one with the role projections must run');
  }

  private async ask(id: string, errand: Errand): Promise<void> {
    const expiresAt = this.clock.now() + ASKED_LIVES;
    await this.vault.write([{ kind: ASKED, id, value: errand, expected: 'any', expiresAt }]);
  }

  private async forget(id: string): Promise<void> {
    await this.vault.write([ASKED, WORD].map((kind) => ({ kind, id, value: undefined, expected: 'any' as const })));
  }

  private wordsOn(rows: readonly VaultRow[]): Promise<readonly VaultRow[]> {
    if (rows.length === 0) return Promise.resolve([]);
    return this.vault.getMany(
      WORD,
      rows.map(({ id }) => id),
    );
  }
}
