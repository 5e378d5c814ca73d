import { api, body } from '../../client/api.js';
import type { Kind } from '../../client/queries.js';
import { useRead } from '../../client/queries.js';
import type { Choice } from '../../parts/fields.js';

export type NamedPath = '/categories' | '/brands' | '/product-tags';

const KINDS: Readonly<Record<NamedPath, Kind>> = {
  '/categories': 'category',
  '/brands': 'brand',
  '/product-tags': 'tag',
};

/** The categories, brands or tags of the store, to choose from. */
export function useNamed(path: NamedPath): readonly Choice[] {
  const named = useRead<readonly { readonly id: string; readonly name: string }[]>({
    key: [path, 'choices'],
    kinds: [KINDS[path]],
    read: (signal) => body(api.GET(path, { signal })),
  });
  return (named.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
