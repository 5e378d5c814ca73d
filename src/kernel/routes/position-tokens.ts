import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Position } from '../../ports/event-store.js';

const SEAL = 16;
const LONGEST = 200;

/**
 * Positions as clients see them. A position counts what all stores together wrote, which is nobody's business: clients get it sealed, and
 * bring it back as it is. One position always has the same token; only the order of positions, not of tokens, means anything.
 */
export class PositionTokens {
  private readonly cipherKey: Buffer;
  private readonly sealKey: Buffer;
  /** Commands that were appended together have one position. */
  private last: { readonly position: Position; readonly token: string } | undefined;

  constructor(secret: Uint8Array) {
    const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `positions ${purpose}`, 32));
    this.cipherKey = keyFor('cipher');
    this.sealKey = keyFor('seal');
  }

  seal(position: Position): string {
    if (this.last?.position !== position) this.last = { position, token: this.sealed(position) };
    return this.last.token;
  }

  private sealed(position: Position): string {
    const seal = this.sealOf(position);
    const cipher = createCipheriv('aes-256-ctr', this.cipherKey, seal);
    return Buffer.concat([seal, cipher.update(position, 'utf8'), cipher.final()]).toString('base64url');
  }

  /** Undefined for what this service did not make. */
  open(token: string): Position | undefined {
    if (token.length > LONGEST) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= SEAL || bytes.toString('base64url') !== token) return undefined;
    const seal = bytes.subarray(0, SEAL);
    const decipher = createDecipheriv('aes-256-ctr', this.cipherKey, seal);
    const position = decipher.update(bytes.subarray(SEAL), undefined, 'utf8') + decipher.final('utf8');
    return timingSafeEqual(seal, this.sealOf(position)) ? position : undefined;
  }

  private sealOf(position: Position): Buffer {
    return createHmac('sha256', this.sealKey).update(position).digest().subarray(0, SEAL);
  }
}
