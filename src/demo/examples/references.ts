import { DAY } from '../days.js';
import { DAYS } from '../trade.js';
import { dayOf, startOfDay } from '../../kernel/values/days.js';
import { timeOfId, uuidV5 } from '../../kernel/values/ids.js';

/** What examples call the records of the demonstration: `{{product PAO-003}}` is the id of that product. */

const TIME_ZONE = 'America/Sao_Paulo';
const REFERENCE = /\{\{(.+?)\}\}/g;
const WHOLE = /^\{\{(.+)\}\}$/;

/** Undefined for what it does not know. */
export type Resolve = (reference: string) => string | undefined;

/** Names of the demonstration's records whose ids are made of them. */
const NAMED: Readonly<Record<string, (name: string) => string>> = {
  product: (sku) => `product ${sku}`,
  variant: (sku) => `variant ${sku}`,
  recipe: (sku) => `recipe ${sku}`,
  customer: (name) => `customer ${name}`,
  category: (name) => `categories ${name}`,
  brand: (name) => `brands ${name}`,
  tag: (name) => `tags ${name}`,
  sale: (number) => `venda ${number}`,
  location: () => 'first location',
};

/** The records of the demonstration in a store: their ids come from the store's own, and so does its first day. */
export function demoReferences(storeId: string): Resolve {
  const today = dayOf(timeOfId(storeId), TIME_ZONE);
  const dayBefore = (days: number) => dayOf(startOfDay(today, TIME_ZONE) + DAY / 2 - days * DAY, TIME_ZONE);
  const first = dayBefore(DAYS);
  const dated: Readonly<Record<string, (name: string) => string>> = {
    day: (back) => dayBefore(Number(back)),
    month: () => first.slice(0, 7),
    receipt: (supplier) => uuidV5(storeId, `insumos ${supplier} ${first}`),
    order: (sku) => uuidV5(storeId, `ordem ${sku} ${first}`),
    inputLot: (sku) => uuidV5(storeId, `lote I ${sku} ${first}`),
    inputCode: (sku) => `I${first.replaceAll('-', '').slice(2)}-${sku}`,
  };
  return (reference) => {
    const [kind = '', ...words] = reference.split(' ');
    const name = words.join(' ');
    const ofName = NAMED[kind];
    return ofName ? uuidV5(storeId, ofName(name)) : dated[kind]?.(name);
  };
}

/** A text with what its references stand for; undefined where one of them is not known. */
function resolveText(text: string, resolve: Resolve): string | undefined {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return resolve(whole);
  const resolved = text.replaceAll(REFERENCE, (all, reference: string) => resolve(reference) ?? all);
  return resolved.includes('{{') ? undefined : resolved;
}

/** The same for all texts in a value; one that is not known stays away with its member. */
export function resolveAll(value: unknown, resolve: Resolve): unknown {
  if (typeof value === 'string') return resolveText(value, resolve);
  if (Array.isArray(value)) return value.map((item) => resolveAll(item, resolve));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, resolveAll(member, resolve)] as const)
      .filter(([, member]) => member !== undefined),
  );
}
