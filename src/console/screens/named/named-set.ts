import type { ComponentChildren } from 'preact';
import type { Kind } from '../../client/queries.js';
import type { Permission } from '../../client/session.js';

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly productCount: number;
  readonly defaultNcm?: string | null;
}

export type Path = '/categories' | '/brands' | '/product-tags';

export interface NamedSet {
  readonly path: Path;
  readonly kind: Kind;
  readonly title: 'categories' | 'brands' | 'tags';
  readonly permission: Permission;
  readonly extra?: ComponentChildren;
  readonly rowAction?: (row: Named) => ComponentChildren;
}
