import type { Catalogue } from '../contracts/catalogue.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { TaxRuleDirectory } from '../contracts/tax-rule-directory.js';
import type { OpeningEntry, StockKeeper } from '../contracts/stock-keeper.js';
import type { Hold } from '../../kernel/patterns/holds.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { VaultWrite } from '../../ports/vault.js';
import type { Product } from './domain/product.js';
import type { KitComponent } from './events.js';

/** What a product is about to record, or to have recorded, in streams beside its own. */
export interface UnfinishedChange {
  readonly productId: string;
  /** Of a new kit. */
  readonly parts?: readonly KitComponent[] | undefined;
  /** What a kit is to have instead, and the revision at which its product did not know of it. */
  readonly otherParts?: { readonly components: readonly KitComponent[]; readonly revision: number } | undefined;
  /** What is there of its new variants. */
  readonly opening?: readonly OpeningEntry[] | undefined;
  /** By which its goods may be kept from moving, and kits from taking it. */
  readonly hold?: string | undefined;
}

interface UnfinishedNotes {
  /** To be stored with the first fact of a new product or variant. */
  row(context: Commands, change: UnfinishedChange): VaultWrite;
  /** By which a request keeps the goods of a product from moving, and kits from taking it, to change it while it is as it is now. */
  holdOf(context: Commands, known: Pick<Product, 'revision'>): Hold;
  /** Comes before the first fact in another stream than the product's. */
  begin(context: Commands, change: UnfinishedChange): Promise<void>;
}

/** What writing products needs beside the context of a request. */
export interface ProductServices {
  readonly reads: ReadModels;
  readonly catalogue: Catalogue;
  readonly taxRules: TaxRuleDirectory;
  readonly stock: Pick<StockKeeper, 'open' | 'retire' | 'restore' | 'retired' | 'endKeeping' | 'resumeKeeping'>;
  readonly unfinished: UnfinishedNotes;
}
