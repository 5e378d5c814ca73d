import type { Kind } from '../../client/queries.js';
import { documentStates } from '../../words/documents.js';
import { paymentMethods } from '../../words/payments.js';
import type { Text } from '../../words/words.js';
import { words as cards } from '../cards/words.js';
import { words as documents } from '../documents/words.js';
import { words as production } from '../production/words.js';
import { words as products } from '../products/words.js';
import { words as recipes } from '../recipes/words.js';
import { words as settings } from '../settings/words.js';
import { words as stock } from '../stock/words.js';

type Codes = Readonly<Partial<Record<string, Text>>>;

const states: Readonly<Partial<Record<Kind, Codes>>> = {
  document: documentStates,
  feeJob: cards,
  lot: { AVAILABLE: stock.available, BLOCKED: stock.blocked },
  order: production,
  sale: production,
};

const codes: Readonly<Partial<Record<string, Codes>>> = {
  costKind: recipes,
  environment: documents,
  formulaMode: recipes,
  issueBy: { ENTRY: products.byEntry, EXPIRY: products.byExpiry },
  method: paymentMethods,
  origin: stock,
  percentBasis: recipes,
  productType: { MERCHANDISE: products.oneMerchandise, SERVICE: products.oneService },
  role: settings,
  segment: settings,
};

const CODE = /^[A-Z][A-Z_]*$/;

/** What a code of a record's field is called, as the pages of such records call it. */
export const codeWords = (kind: Kind, field: string, value: string): Text | undefined =>
  CODE.test(value) ? (field === 'status' ? states[kind] : codes[field])?.[value] : undefined;
