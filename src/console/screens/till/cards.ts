import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';

const NONE: readonly { readonly id: string; readonly name: string }[] = [];
const USUAL_INSTALLMENTS = 12;

/** The cards that the store takes. Who may not see them sells without naming the brand. */
export function useCards(mayView: boolean) {
  const cards = useRead({
    key: ['till', 'cards'],
    kinds: ['cardBrand', 'cardAccount'],
    when: mayView,
    read: (signal) => body(api.GET('/card-fees', { signal })),
  });
  return {
    brands: cards.data?.brands.filter(({ active }) => active) ?? NONE,
    maxInstallments: cards.data?.settings.maxInstallments ?? USUAL_INSTALLMENTS,
  };
}
