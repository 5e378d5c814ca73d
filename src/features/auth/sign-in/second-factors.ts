import type { Clock } from '../../../kernel/values/clock.js';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import type { Vault, VaultRow, VaultWrite } from '../../../ports/vault.js';
import type { BackupCodes } from './backup-codes.js';
import { hashBackupCode, withoutCode } from './backup-codes.js';
import { matchTotp } from './one-time-codes.js';

const TOTP = 'totp';
const BACKUP_CODES = 'backup-codes';

interface Totp {
  readonly secret: string;
  readonly lastStep: number;
}

/** What a second factor keeps; `lastStep` is that of the code which confirmed it. */
export const enrolmentRows = (factorId: string, totp: Totp, codes: BackupCodes): readonly VaultWrite[] => [
  { kind: BACKUP_CODES, id: factorId, value: codes, expected: 'any', endsWhenRefused: true },
  { kind: TOTP, id: factorId, value: totp, expected: 'any', endsWhenRefused: true },
];

/** What removes a second factor that was given up; nothing where there was none. */
export const removalRows = (factorId: string | null): readonly VaultWrite[] =>
  factorId === null
    ? []
    : [
        { kind: TOTP, id: factorId, value: undefined, expected: 'any' },
        { kind: BACKUP_CODES, id: factorId, value: undefined, expected: 'any' },
      ];

/** Uses codes of enrolled users up. Of several uses of one code at once, also in several processes, one succeeds. */
export class SecondFactors {
  constructor(
    private readonly services: { readonly vault: Vault; readonly clock: Clock; readonly hasher: PasswordHasher },
  ) {}

  /** `first` is done once the code is known to be right, and what it throws keeps the code unused. */
  async useTotp(factorId: string, code: string, first?: () => Promise<void>): Promise<boolean> {
    const step = ({ secret, lastStep }: Totp) => {
      const used = matchTotp(secret, code, lastStep, this.services.clock.now());
      return used === undefined ? undefined : { secret, lastStep: used };
    };
    return (await this.use<Totp>(TOTP, factorId, step, first)) !== undefined;
  }

  /** How many codes are left after this one; undefined when it is none. */
  async useBackupCode(factorId: string, typed: string, first?: () => Promise<void>): Promise<number | undefined> {
    const { vault, hasher } = this.services;
    const row = await vault.get(BACKUP_CODES, factorId);
    if (!row) return undefined;
    const { salt } = row.value as BackupCodes;
    const hash = await hashBackupCode(hasher, typed, salt);
    if (hash === undefined) return undefined;
    const left = await this.use<BackupCodes>(BACKUP_CODES, factorId, (kept) => withoutCode(kept, hash), first);
    return left?.hashes.length;
  }

  /** `step` gives the row without the code, or undefined when it is not the right one; gives what is kept when that was done. */
  private async use<T>(
    kind: string,
    id: string,
    step: (kept: T) => T | undefined,
    first?: () => Promise<void>,
  ): Promise<T | undefined> {
    for (let tries = 0; ; tries++) {
      const row = (await this.services.vault.get(kind, id)) as (VaultRow & { readonly value: T }) | undefined;
      const value = row && step(row.value);
      if (!row || value === undefined) return undefined;
      if (tries === 0) await first?.();
      if (await this.services.vault.write([{ kind, id, value, expected: row.version }])) return value;
    }
  }
}
