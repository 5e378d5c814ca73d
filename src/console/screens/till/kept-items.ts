/**
 * Under which names the browser keeps the sales that the service has not answered yet: one item for each, so that no tab
 * writes over what another one keeps.
 */

const storePrefix = (slug: string): string => `till ${slug} `;

/** The name of what one person keeps in one store. */
export const boxName = (slug: string, userId: string): string => storePrefix(slug) + userId;

/** Earlier versions kept all in one item, which has no key of a sale behind the name. */
const isOf = (name: string, item: string): boolean => item === name || item.startsWith(`${name} `);

export const keptItems = (name: string): readonly string[] =>
  Object.keys(localStorage).filter((item) => isOf(name, item));

export const itemsOfOthers = (slug: string, userId: string): readonly string[] =>
  Object.keys(localStorage).filter((item) => item.startsWith(storePrefix(slug)) && !isOf(boxName(slug, userId), item));
