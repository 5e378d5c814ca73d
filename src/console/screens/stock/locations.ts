import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import type { Choice } from '../../parts/fields.js';

/** Where goods lie: few, so all of them at once. */
export function useLocations() {
  const locations = useRead({
    key: ['locations'],
    kinds: ['location'],
    read: (signal) => body(api.GET('/locations', { params: { query: { limit: 200 } }, signal })),
  });
  const all = locations.data?.items ?? [];
  return {
    reading: locations,
    all,
    choices: all.filter(({ active }) => active).map(({ id, name }): Choice => ({ value: id, label: name })),
    nameOf: (id: string) => all.find((location) => location.id === id)?.name ?? '…',
    usual: all.find(({ isDefault }) => isDefault)?.id ?? '',
  };
}
