import { reservationType } from '../../kernel/patterns/reservation.js';
import type { Reserver } from '../../kernel/patterns/reservations.js';
import { Reservations } from '../../kernel/patterns/reservations.js';
import { streamName } from '../../kernel/events/decider.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { CodeClaim } from './decider.js';
import { product, takenOf } from './decider.js';
import { ownGtin } from '../../brazil/own-gtin.js';
import type { Code, Product } from './domain/product.js';
import { codesOfProduct, gtinCode, skuCode } from './domain/product.js';
import { codeEvents } from './events.js';
import { GTIN_TAKEN } from './rejections.js';
import { recordedBefore } from './repeats.js';

/** GTINs and SKUs, each unique in its store: a stream for each holds it for a product, whose own stream confirms it. */

const OWN_GTIN_TRIES = 20;
export const NO_CODES: readonly Code[] = [];

const claimsOf = (kind: 'gtin' | 'sku'): Reservations<Product> =>
  new Reservations({
    type: reservationType(kind, codeEvents),
    stream: ({ storeId }, code) => streamName(kind, storeId, code.slice(kind.length + 1)),
    storeId: ({ storeId }) => storeId,
    async owner(context, ownerId, code) {
      const found = await context.current(product, { id: ownerId });
      if (typeof found === 'string') return found === 'ended' ? 'ended' : 'open';
      return codesOfProduct(found).includes(code as Code) ? found : 'open';
    },
    async drop(context, { ownerId, claimId }, code) {
      const command = { type: 'dropClaim', productId: ownerId, claimId, code: code as Code } as const;
      await context.execute(product, command, { id: ownerId });
    },
  });

const gtins = claimsOf('gtin');
const skus = claimsOf('sku');
const claimsFor = (code: Code): Reservations<Product> => (code.startsWith('gtin-') ? gtins : skus);

/** The claims by which a product holds its codes. */
type Holds = readonly (readonly [Code, string | undefined])[];

/** Holds all of them, or says which is taken. */
export async function reserveCodes(context: Commands, claimant: Reserver, codes: readonly Code[]): Promise<void> {
  const outcomes = await Promise.all(codes.map((code) => claimsFor(code).claim(context, code, claimant)));
  const taken = codes.find((_, index) => outcomes[index] !== 'claimed');
  if (taken !== undefined) throw takenOf(taken);
}

/** A code of the store's own, held for the product; `name` tells it from others of the same claim. */
export async function reserveOwnGtin(context: Commands, claimant: Reserver, name: string): Promise<string> {
  for (let attempt = 0; attempt < OWN_GTIN_TRIES; attempt++) {
    const gtin = ownGtin(claimant.claimId, `${name}/${attempt}`);
    if ((await gtins.claim(context, gtinCode(gtin), claimant)) === 'claimed') return gtin;
  }
  throw new Rejection(GTIN_TAKEN);
}

const holdsOf = (context: Commands, ownerId: string, codes: readonly Code[]): Promise<Holds> =>
  Promise.all(codes.map(async (code) => [code, await claimsFor(code).claimOf(context, code, ownerId)] as const));

/** Sets free what is still held by these claims. */
export async function releaseCodes(context: Commands, holds: Holds): Promise<void> {
  await Promise.all(holds.map(([code, claimId]) => claimsFor(code).release(context, code, claimId)));
}

/**
 * Runs a change that gives a product other codes: new ones are held before it, those that it no longer has set free behind it. What a refused
 * change held stays held until its time is over: another change of the same product may have taken it over. So it is with what a change
 * that was stopped behind its fact has not set free.
 */
export async function withCodes<T>(
  context: Commands,
  claimant: Reserver,
  { before, after }: { readonly before: readonly Code[]; readonly after: readonly Code[] },
  change: (claim: CodeClaim) => Promise<T>,
): Promise<T> {
  // The product may have other codes by now: those that a repeat would hold or set free are not its own any more.
  if (await recordedBefore(context, claimant.ownerId)) return change({ claimId: claimant.claimId, codes: NO_CODES });
  const fresh = [...new Set(after)].filter((code) => !before.includes(code));
  const gone = await holdsOf(
    context,
    claimant.ownerId,
    before.filter((code) => !after.includes(code)),
  );
  await reserveCodes(context, claimant, fresh);
  const changed = await change({ claimId: claimant.claimId, codes: fresh });
  await releaseCodes(context, gone);
  return changed;
}

/** The product that has an SKU, itself or for a variant. */
export const ownerOfSku = (context: Commands, sku: string): Promise<Product | undefined> =>
  skus.ownerOf(context, skuCode(sku));
