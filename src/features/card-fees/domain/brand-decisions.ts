import { isSameJson } from '../../../kernel/values/difference.js';
import { NAME_TAKEN } from '../../../kernel/patterns/named-set.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import { foldText } from '../../../kernel/values/words.js';
import type { CardBrand, CardFeeEvent } from '../events.js';
import { CARD_FEES_LIMIT, TBAND_TAKEN } from '../rejections.js';
import type { CardFees } from './state.js';

export const MOST_BRANDS = 200;

interface ToBrand {
  readonly brandId: string;
  /** What is asked of the configuration's revision: it is what these commands answer with. */
  readonly ifMatch: IfMatch;
}

export type BrandCommand =
  | { readonly type: 'addBrand'; readonly brand: CardBrand }
  | (ToBrand & { readonly type: 'changeBrand'; readonly changes: Partial<Omit<CardBrand, 'id'>> })
  | (ToBrand & {
      readonly type: 'removeBrand';
      /** It is in sales: then it is only deactivated. */
      readonly used: boolean;
    });

export function decideBrand(fees: CardFees, command: BrandCommand): readonly CardFeeEvent[] {
  switch (command.type) {
    case 'addBrand':
      if (fees.brands.size >= MOST_BRANDS) throw new Rejection(CARD_FEES_LIMIT);
      expectFree(fees, command.brand);
      return [{ type: 'CardBrandAdded', data: command.brand }];
    case 'changeBrand': {
      const before = expectBrand(fees, command);
      const after = { ...before, ...command.changes };
      expectFree(fees, after);
      return isSameJson(after, before) ? [] : [{ type: 'CardBrandChanged', data: after }];
    }
    case 'removeBrand': {
      const brand = expectBrand(fees, command);
      if (!command.used) return [{ type: 'CardBrandDeleted', data: { id: brand.id } }];
      return brand.active ? [{ type: 'CardBrandChanged', data: { ...brand, active: false } }] : [];
    }
  }
}

function expectBrand({ brands, revision }: CardFees, { brandId, ifMatch }: ToBrand): CardBrand {
  const brand = brands.get(brandId);
  if (!brand) throw new Rejection(NOT_FOUND);
  if (!matches(ifMatch, revision)) throw new Rejection(STALE);
  return brand;
}

function expectFree({ brands }: CardFees, { id, name, tBand }: CardBrand): void {
  const folded = foldText(name);
  const others = [...brands.values()].filter((brand) => brand.id !== id);
  if (others.some((other) => foldText(other.name) === folded)) throw new Rejection(NAME_TAKEN);
  if (tBand !== null && others.some((other) => other.tBand === tBand)) throw new Rejection(TBAND_TAKEN);
}
