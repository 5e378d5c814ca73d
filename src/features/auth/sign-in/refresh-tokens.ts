import type { KeyObject } from 'node:crypto';
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isSameHash } from './same-hash.js';

/** What a session keeps of its refresh tokens: hashes alone. */
export interface RefreshState {
  readonly generation: number;
  readonly currentHash: string;
  /** The hash of the token that the current one succeeded; null for the first. */
  readonly parentHash: string | null;
  /** Milliseconds since 1970. */
  readonly rotatedAt: number;
}

/** A token whose seal is ours; whether it still counts only its session knows. */
interface RefreshToken {
  readonly userId: string;
  readonly sessionId: string;
  readonly generation: number;
  readonly secret: Buffer;
}

/**
 * `rotated`: store the new state by compare-and-set, then hand out the token. `repeated`: the successor again, nothing to store.
 * `reused`: an older token came back, so that somebody has a copy: revoke the session.
 */
export type Refreshed =
  | { readonly outcome: 'rotated'; readonly token: string; readonly state: RefreshState }
  | { readonly outcome: 'repeated'; readonly token: string }
  | { readonly outcome: 'reused' };

/** Clients that refresh twice at once show the parent twice. */
const GRACE = 10_000;

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const MAC_BYTES = 32;
const BODY_BYTES = 2 * ID_BYTES + 4 + SECRET_BYTES;
const TOKEN = /^[A-Za-z0-9_-]+$/;
const TOKEN_LENGTH = Math.ceil(((BODY_BYTES + MAC_BYTES) * 4) / 3);

const hashOf = (secret: Buffer): string => hash('sha256', secret);
const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const macOf = (key: KeyObject, body: Buffer): Buffer => createHmac('sha256', key).update('token').update(body).digest();

function seal(key: KeyObject, { userId, sessionId, generation, secret }: RefreshToken): string {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(generation);
  const body = Buffer.concat([idBytes(userId), idBytes(sessionId), count, secret]);
  return Buffer.concat([body, macOf(key, body)]).toString('base64url');
}

/** Undefined for what we never made. */
export function readRefreshToken(key: KeyObject, text: string): RefreshToken | undefined {
  if (text.length !== TOKEN_LENGTH || !TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The last character has bits to spare: one token has one text.
  if (bytes.toString('base64url') !== text) return undefined;
  const body = bytes.subarray(0, BODY_BYTES);
  if (!timingSafeEqual(macOf(key, body), bytes.subarray(BODY_BYTES))) return undefined;
  return {
    userId: idText(body.subarray(0, ID_BYTES)),
    sessionId: idText(body.subarray(ID_BYTES, 2 * ID_BYTES)),
    generation: body.readUInt32BE(2 * ID_BYTES),
    secret: body.subarray(2 * ID_BYTES + 4),
  };
}

/** The first token of a new session. */
export function firstRefreshToken(
  key: KeyObject,
  { userId, sessionId, now }: { readonly userId: string; readonly sessionId: string; readonly now: number },
): { readonly token: string; readonly state: RefreshState } {
  const secret = randomBytes(SECRET_BYTES);
  return {
    token: seal(key, { userId, sessionId, generation: 1, secret }),
    state: { generation: 1, currentHash: hashOf(secret), parentHash: null, rotatedAt: now },
  };
}

/** Follows from its parent, so that it can be given again while only hashes are stored. */
function successorOf(key: KeyObject, parent: RefreshToken): RefreshToken {
  const generation = parent.generation + 1;
  const secret = createHmac('sha256', key)
    .update(`successor ${parent.sessionId} ${generation} `)
    .update(parent.secret)
    .digest();
  return { ...parent, generation, secret };
}

/** Undefined for a token that its session never had. */
export function refresh(
  key: KeyObject,
  presented: RefreshToken,
  state: RefreshState,
  now: number,
): Refreshed | undefined {
  const presentedHash = hashOf(presented.secret);
  if (presented.generation === state.generation) {
    if (!isSameHash(presentedHash, state.currentHash)) return undefined;
    const successor = successorOf(key, presented);
    const { generation, secret } = successor;
    return {
      outcome: 'rotated',
      token: seal(key, successor),
      state: { generation, currentHash: hashOf(secret), parentHash: state.currentHash, rotatedAt: now },
    };
  }
  if (presented.generation > state.generation) return undefined;
  const isParent = state.parentHash !== null && isSameHash(presentedHash, state.parentHash);
  if (isParent && now - state.rotatedAt <= GRACE) {
    return { outcome: 'repeated', token: seal(key, successorOf(key, presented)) };
  }
  return { outcome: 'reused' };
}
