import { isSameJson } from '../../../kernel/values/difference.js';
import type { Formula, FormulaChange } from '../events.js';

/** What differs between two versions of a formula, leaf by leaf, as it is stored: decimals are strings. */

type Json = FormulaChange['from'];
type Members = Readonly<Record<string, Json>>;

const stored = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

function memberChanges(before: Members, after: Members, prefix: string): FormulaChange[] {
  return Object.keys({ ...before, ...after }).flatMap((member) => {
    const [from = null, to = null] = [before[member], after[member]];
    return isSameJson(from, to) ? [] : [{ path: `${prefix}${member}`, from, to }];
  });
}

type KeyOf = (member: Members, index: number) => string;

/** Members of two lists that have the same key are compared, the others came or went. */
function listChanges(name: string, before: readonly Members[], after: readonly Members[], keyOf: KeyOf) {
  const byKey = (list: readonly Members[]) => new Map(list.map((member, index) => [keyOf(member, index), member]));
  const [old, now] = [byKey(before), byKey(after)];
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((key): FormulaChange[] => {
    const [from, to] = [old.get(key), now.get(key)];
    const path = `${name}[${key}]`;
    if (from && to) return memberChanges(from, to, `${path}.`);
    return [{ path, from: from ?? null, to: to ?? null }];
  });
  const from = [...old.keys()].filter((key) => now.has(key));
  const to = [...now.keys()].filter((key) => old.has(key));
  return isSameJson(from, to) ? changes : [...changes, { path: name, from, to }];
}

/** Inputs and by-products are told apart by their variant, stages by their place. */
export function formulaChanges(before: Formula, after: Formula): readonly FormulaChange[] {
  const split = (formula: Formula) => {
    const { items, stages, byproducts, ...rest } = stored(formula) as Members & {
      readonly [list in 'items' | 'stages' | 'byproducts']: readonly Members[];
    };
    return { items, stages, byproducts, rest };
  };
  const [old, now] = [split(before), split(after)];
  return [
    ...memberChanges(old.rest, now.rest, ''),
    ...listChanges('items', old.items, now.items, ({ componentVariantId }) => componentVariantId as string),
    ...listChanges('stages', old.stages, now.stages, (_, index) => String(index)),
    ...listChanges('byproducts', old.byproducts, now.byproducts, ({ variantId }) => variantId as string),
  ];
}
