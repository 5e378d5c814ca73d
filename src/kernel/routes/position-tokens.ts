import type { Position } from '../../ports/event-store.js';
import { SealedTexts } from './sealed-texts.js';

const LONGEST = 200;

/**
 * Positions as clients see them. A position counts what all stores together wrote, which is nobody's business: clients get it sealed, and
 * bring it back as it is. One position always has the same token; only the order of positions, not of tokens, means anything.
 */
export class PositionTokens {
  private readonly sealed: SealedTexts;
  /** Commands that were appended together have one position. */
  private last: { readonly position: Position; readonly token: string } | undefined;

  constructor(secret: Uint8Array) {
    this.sealed = new SealedTexts(secret, 'positions', LONGEST);
  }

  seal(position: Position): string {
    if (this.last?.position !== position) this.last = { position, token: this.sealed.seal(position) };
    return this.last.token;
  }

  /** Undefined for what this service did not make. */
  open(token: string): Position | undefined {
    return this.sealed.open(token);
  }
}
