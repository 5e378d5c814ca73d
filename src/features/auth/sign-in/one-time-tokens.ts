import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../../kernel/values/clock.js';
import type { Vault, VaultRow, VaultWrite } from '../../../ports/vault.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const PURPOSES = {
  /** The password was right, the second factor is missing. */
  pending: { lives: 5 * MINUTE, onlyLatest: false },
  /** The second factor must be set up first. */
  enrollment: { lives: 5 * MINUTE, onlyLatest: false },
  reset: { lives: HOUR, onlyLatest: true },
  /** Whoever shows it reads the mail of an account's address. */
  verification: { lives: 24 * HOUR, onlyLatest: true },
  invitation: { lives: 7 * 24 * HOUR, onlyLatest: false },
} as const;

export type Purpose = keyof typeof PURPOSES;

const MOST_TRIES = 5;
const KIND = 'one-time-token';
const LATEST = 'latest-one-time-token';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Kept {
  readonly owner: string;
  readonly value: unknown;
  readonly tries: number;
  readonly expiresAt: number;
}

interface Found {
  readonly id: string;
  readonly version: number;
  readonly kept: Kept;
}

interface IssuedToken {
  readonly owner: string;
  readonly value: unknown;
}

/** A token that was shown with a try left; the try is already counted. */
interface TokenTry extends IssuedToken {
  /** Uses the token up: true for one caller alone, who may then do what it allows. */
  spend(): Promise<boolean>;
}

/** Tokens of 256 random bits that work once, for one purpose; only their hashes are kept. */
export class OneTimeTokens {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async issue(purpose: Purpose, owner: string, value: unknown = null): Promise<string> {
    const { token, rows } = this.make(purpose, owner, value);
    await this.vault.write(rows);
    return token;
  }

  /** A token with the rows that make it count, to be stored with the fact that it was given. */
  make(
    purpose: Purpose,
    owner: string,
    value: unknown = null,
  ): { readonly token: string; readonly rows: readonly VaultWrite[] } {
    const token = randomBytes(32).toString('base64url');
    const { lives, onlyLatest } = PURPOSES[purpose];
    const expiresAt = this.clock.now() + lives;
    const id = rowId(purpose, token);
    const kept: Kept = { owner, value, tries: 0, expiresAt };
    const row: VaultWrite = { kind: KIND, id, value: kept, expected: 'absent', expiresAt };
    const latest: VaultWrite = { kind: LATEST, id: `${purpose}/${owner}`, value: id, expected: 'any', expiresAt };
    return { token, rows: onlyLatest ? [row, latest] : [row] };
  }

  /** What was issued with a token that could still be tried; counts nothing. */
  async look(purpose: Purpose, token: string): Promise<IssuedToken | undefined> {
    return (await this.find(purpose, token))?.kept;
  }

  /** Counts a try; undefined when the token is unknown, spent, expired, superseded, of another purpose or tried too often. */
  async tryOnce(purpose: Purpose, token: string): Promise<TokenTry | undefined> {
    const kept = await this.change(purpose, token, (known) => ({ ...known, tries: known.tries + 1 }));
    return kept && { owner: kept.owner, value: kept.value, spend: () => this.spend(purpose, token) };
  }

  /** Makes another value of the one beside a token that could still be tried, and gives it; undefined if it could not. */
  async replace<T>(purpose: Purpose, token: string, make: (value: unknown) => T): Promise<T | undefined> {
    const changed = await this.change(purpose, token, (known) => ({ ...known, value: make(known.value) }));
    return changed?.value as T | undefined;
  }

  private async change(purpose: Purpose, token: string, step: (known: Kept) => Kept): Promise<Kept | undefined> {
    for (;;) {
      const found = await this.find(purpose, token);
      if (!found) return undefined;
      const { id, version, kept } = found;
      const value = step(kept);
      const { expiresAt } = kept;
      if (await this.vault.write([{ kind: KIND, id, value, expected: version, expiresAt }])) return value;
    }
  }

  /** Who tried before it was spent may spend it after the last try was counted. */
  private async spend(purpose: Purpose, token: string): Promise<boolean> {
    for (;;) {
      const found = await this.alive(purpose, token);
      if (!found) return false;
      const { id, version } = found;
      if (await this.vault.write([{ kind: KIND, id, value: undefined, expected: version }])) return true;
    }
  }

  private async find(purpose: Purpose, token: string): Promise<Found | undefined> {
    const found = await this.alive(purpose, token);
    return found && found.kept.tries < MOST_TRIES ? found : undefined;
  }

  private async alive(purpose: Purpose, token: string): Promise<Found | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const id = rowId(purpose, token);
    const row = (await this.vault.get(KIND, id)) as (VaultRow & { readonly value: Kept }) | undefined;
    if (!row || row.value.expiresAt <= this.clock.now()) return undefined;
    if (PURPOSES[purpose].onlyLatest) {
      const latest = await this.vault.get(LATEST, `${purpose}/${row.value.owner}`);
      if (latest?.value !== id) return undefined;
    }
    return { id, version: row.version, kept: row.value };
  }
}

/** The look-up is by a hash of all 256 bits, so its time tells nothing about a token. */
const rowId = (purpose: Purpose, token: string): string => hash('sha256', `${purpose}:${token}`);
