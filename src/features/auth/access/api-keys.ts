import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { VaultWrite } from '../../../ports/vault.js';

/** `smk_` + the key's id + `_` + 32 random bytes; only a hash of these bytes is kept, in the vault. */
const KEY = /^smk_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/;

export const API_KEY_ROW = 'api-key';

export const apiKeyRow = z.object({ storeId: z.string(), secretHash: z.string() });
export type ApiKeyRow = z.output<typeof apiKeyRow>;

const withHyphens = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

export function parseKey(text: string): { readonly keyId: string; readonly secret: string } | undefined {
  const match = KEY.exec(text);
  return match?.[1] && match[2] ? { keyId: withHyphens(match[1]), secret: match[2] } : undefined;
}

/** A fresh key with the row that recognises it. */
export function makeKey(keyId: string, storeId: string): { readonly key: string; readonly row: VaultWrite } {
  const secret = randomBytes(32).toString('base64url');
  const value: ApiKeyRow = { storeId, secretHash: hashSecret(secret) };
  return {
    key: `smk_${keyId.replaceAll('-', '')}_${secret}`,
    row: { kind: API_KEY_ROW, id: keyId, value, expected: 'absent' },
  };
}
