import type { Catalogue } from '../contracts/catalogue.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { TaxRuleDirectory } from '../contracts/tax-rule-directory.js';
import type { StockKeeper } from '../contracts/stock-keeper.js';

/** What writing products needs beside the context of a request. */
export interface ProductServices {
  readonly reads: ReadModels;
  readonly catalogue: Catalogue;
  readonly taxRules: TaxRuleDirectory;
  readonly stock: Pick<StockKeeper, 'open' | 'retire' | 'restore' | 'retired' | 'endKeeping' | 'resumeKeeping'>;
}
