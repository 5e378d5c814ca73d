import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Commands } from '../../../kernel/lanes/commands.js';
import { RowConflict } from '../../../ports/event-store.js';
import type { Vault, VaultWrite } from '../../../ports/vault.js';
import type { Doer } from './decider.js';
import { access } from './decider.js';
import type { ApiKey } from './events.js';

/** `smk_` + the key's id + `_` + 32 random bytes; only a hash of these bytes is kept, in the vault. */
const KEY = /^smk_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/;

export const API_KEY_ROW = 'api-key';

export const apiKeyRow = z.object({ storeId: z.string(), secretHash: z.string() });
type ApiKeyRow = z.output<typeof apiKeyRow>;

const withHyphens = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

export function parseKey(text: string): { readonly keyId: string; readonly secret: string } | undefined {
  const match = KEY.exec(text);
  return match?.[1] && match[2] ? { keyId: withHyphens(match[1]), secret: match[2] } : undefined;
}

/** Gives the key itself, which nobody can show again. */
export async function createKey(
  context: Commands,
  vault: Vault,
  { by, ...key }: Omit<ApiKey, 'keyId'> & { readonly by: Doer },
): Promise<{ readonly keyId: string; readonly key: string }> {
  const keyId = context.newId();
  const secret = randomBytes(32).toString('base64url');
  const value: ApiKeyRow = { storeId: context.storeId, secretHash: hashSecret(secret) };
  // The id is nobody else's, and a row without its event opens nothing: a repeat may put its own secret in place, where it is what is answered.
  const expected = context.isRepeat ? 'any' : 'absent';
  const row: VaultWrite = { kind: API_KEY_ROW, id: keyId, value, expected, endsWhenRefused: true };
  await context.execute(access, { type: 'createKey', key: { keyId, ...key }, by }, { rows: [row] });
  const kept = await vault.get(API_KEY_ROW, keyId);
  const isOwn = kept !== undefined && apiKeyRow.parse(kept.value).secretHash === value.secretHash;
  if (context.isRepeat && !isOwn) await vault.write([row]);
  else if (kept && !isOwn) throw new RowConflict();
  return { keyId, key: `smk_${keyId.replaceAll('-', '')}_${secret}` };
}

/** Forgets the secret of a key; to go with the fact that it was revoked. */
export const keyDeletion = (keyId: string): VaultWrite => ({
  kind: API_KEY_ROW,
  id: keyId,
  value: undefined,
  expected: 'any',
});
