import { z } from 'zod';
import { storedDecimal } from '../../kernel/values/fields.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { Hold } from '../../kernel/patterns/holds.js';
import type { BackgroundWork } from '../../kernel/reactors/background.js';
import { SecondLook, mayGoOn } from '../../kernel/reactors/second-look.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { newId } from '../../kernel/values/ids.js';
import { memoise } from '../../kernel/values/memoise.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { FeatureServices } from '../contracts/feature.js';
import { findProduct, restoreLeft } from './changes.js';
import { recordParts } from './creation.js';
import { NOTHING_PREPARED, product } from './decider.js';
import { partsOf, sameParts } from './domain/kits.js';
import type { Product } from './domain/product.js';
import { kitComponent } from './events.js';
import { kits } from './kit-decider.js';
import { letInUnlessService } from './kit-uses.js';
import type { UnfinishedChange } from './services.js';
import { resumeWhereKept } from './stock-keeping.js';

/** Names the kind of rows; never changed. */
export const PRODUCT_CHANGES = 'product-changes';

const task = z.object({
  storeId: z.string(),
  productId: z.string(),
  parts: z.array(kitComponent).optional(),
  otherParts: z.object({ components: z.array(kitComponent), revision: z.number() }).optional(),
  opening: z
    .array(z.object({ variantId: z.string(), quantity: storedDecimal, unitCost: storedDecimal.nullable() }))
    .optional(),
  hold: z.string().optional(),
});
type Task = UnfinishedChange & { readonly storeId: string };

/**
 * A product's stock and its parts stand in streams of their own. What a request that died in between has recorded there is brought into
 * line with the product, which counts: a new one gets what it was to have, any other keeps what it was.
 */
class UnfinishedChanges {
  private readonly secondLook: SecondLook<Task>;

  constructor(private readonly services: FeatureServices) {
    this.secondLook = new SecondLook(
      {
        name: PRODUCT_CHANGES,
        task,
        // A new product, or a new variant, is looked at whatever is changed meanwhile, and so is each hold.
        idOf: ({ productId, opening, hold }) => opening?.[0]?.variantId ?? hold ?? productId,
        finish: (context, left) => this.finish(context, left),
      },
      services,
    );
  }

  row(context: Commands, unfinished: UnfinishedChange): VaultWrite {
    return this.secondLook.row(context, { storeId: context.storeId, ...unfinished });
  }

  async begin(context: Commands, unfinished: UnfinishedChange): Promise<void> {
    await this.services.vault.write([this.row(context, unfinished)]);
  }

  /** A repeat finds the one that an earlier run had, unless the product has changed since, or somebody may be about to give it up. */
  holdOf(context: Commands, { revision }: Pick<Product, 'revision'>): Hold {
    const { clock } = this.services;
    const id = mayGoOn(context, clock) ? context.namedId(`hold ${String(revision)}`) : newId(clock.now());
    return { id, revision };
  }

  get background(): BackgroundWork {
    return this.secondLook.background;
  }

  private async finish(
    context: RequestContext,
    { productId, opening, hold, ...parts }: UnfinishedChange,
  ): Promise<void> {
    const found = await findProduct(context, productId);
    await letInUnlessService(context, productId, hold);
    if (!found) {
      await context.execute(kits, { type: 'replace', productId, components: [] });
      return;
    }
    await this.finishStock(context, found, { opening, hold });
    await this.finishParts(context, found, parts);
  }

  private async finishStock(
    context: RequestContext,
    { productId, variants }: Product,
    { opening = [], hold }: Pick<UnfinishedChange, 'opening' | 'hold'>,
  ): Promise<void> {
    const { stock } = this.services;
    const ids = variants.map(({ id }) => id);
    await restoreLeft(this.services, context, productId, { variantIds: ids, own: hold });
    await resumeWhereKept(this.services, context, productId, { variantIds: ids, own: hold });
    const entries = opening.filter(({ variantId }) => ids.includes(variantId));
    if (entries.length > 0) await unlessRefused(stock.open(context, entries, { unmovedOnly: true }));
  }

  private async finishParts(
    context: RequestContext,
    { productId, variants, fields, revision }: Product,
    { parts, otherParts }: Pick<UnfinishedChange, 'parts' | 'otherParts'>,
  ): Promise<void> {
    const present = partsOf((await context.current(kits)).parts, productId);
    const ids = variants.map(({ id }) => id);
    const fitting = present.filter(({ parentVariantId }) => parentVariantId === null || ids.includes(parentVariantId));
    const left = fields.isComposite ? fitting : [];
    if (left.length < present.length) {
      await context.execute(kits, { type: 'replace', productId, components: left });
    } else if (fields.isComposite && otherParts?.revision === revision && sameParts(present, otherParts.components)) {
      await this.touch(context, productId);
    } else if (fields.isComposite && parts && revision === 0 && present.length === 0) {
      await unlessRefused(recordParts({ ...this.services, unfinished: this }, context, productId, parts));
    }
  }

  /** The record changed with its parts: whoever holds an earlier entity tag is told so. */
  private async touch(context: RequestContext, productId: string): Promise<void> {
    const claim = { claimId: '', codes: [] };
    const change = {
      type: 'change',
      changes: {},
      claim,
      touched: true,
      prepared: NOTHING_PREPARED,
      ifMatch: undefined,
    } as const;
    await context.execute(product, change, { id: productId });
  }
}

/** What would be refused to anybody is not done. */
async function unlessRefused(doing: Promise<unknown>): Promise<void> {
  try {
    await doing;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
}

/** One for each service: its routes write down what its background does. */
export const unfinishedChangesOf = memoise((services: FeatureServices) => new UnfinishedChanges(services));
