import { useSyncExternalStore } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import type { components } from 'openapi-client';
import { frame } from '../words/frame.js';
import { say } from '../words/words.js';
import { api } from './api.js';
import { session } from './session.js';

export type VariantLabel = components['schemas']['VariantLabel'];

/** Names of variants, asked for once, many at a time, by whatever shows one. */
const MOST = 100;
const GATHER_MILLISECONDS = 5;
/** What does not answer is left in peace for a while: it is busy, or away. */
const AGAIN_AFTER_MILLISECONDS = 3_000;
const known = new Map<string, VariantLabel | null>();
/** Those of which nothing was heard since they were asked for. */
const fresh = new Set<string>();
const wanted = new Set<string>();
const listeners = new Set<() => void>();
let version = 0;
let asking: ReturnType<typeof setTimeout> | undefined;

function tell(): void {
  version++;
  for (const listener of listeners) listener();
}

async function ask(): Promise<void> {
  const all = [...wanted];
  let isBroken = false;
  for (let from = 0; from < all.length; from += MOST) {
    const ids = all.slice(from, from + MOST);
    const labels = await labelsOf(ids).catch(() => undefined);
    isBroken ||= !labels;
    if (!labels) continue;
    const found = new Map(labels.map((label) => [label.variantId, label]));
    for (const id of ids) {
      known.set(id, found.get(id) ?? null);
      fresh.add(id);
      wanted.delete(id);
    }
  }
  asking = undefined;
  askSoon(isBroken ? AGAIN_AFTER_MILLISECONDS : GATHER_MILLISECONDS);
  tell();
}

function askSoon(milliseconds: number): void {
  if (wanted.size > 0) asking ??= setTimeout(() => void ask(), milliseconds);
}

const maySee = (): boolean => {
  const current = session();
  return 'me' in current && current.me.permissions.includes('products.view');
};

/** Undefined where it is worth asking again. */
async function labelsOf(ids: readonly string[]): Promise<readonly VariantLabel[] | undefined> {
  const { data, response } = await api.GET('/products/variant-labels', { params: { query: { ids: ids.join(',') } } });
  if (data) return data.items;
  return response.status === 429 || response.status >= 500 ? undefined : [];
}

/** Stands for a name that cannot be had, and tells one from another. */
const nameless = (variantId: string): VariantLabel => ({
  variantId,
  productId: '',
  description: `${say(frame.product_)} ${variantId.slice(-6)}`,
  saleUnit: '',
  gtin: '',
});

function want(ids: readonly (string | null | undefined)[]): void {
  // Nothing is kept of that: somebody else may sign in, or be given the permission.
  if (!maySee()) return;
  for (const id of ids) if (id && !fresh.has(id)) wanted.add(id);
  askSoon(GATHER_MILLISECONDS);
}

/** A product may have got another name: the known one is shown until it is there. */
export function forgetNames(): void {
  fresh.clear();
  tell();
}

export function noteName(label: VariantLabel): void {
  known.set(label.variantId, label);
  fresh.add(label.variantId);
}

/** Waits until these names are there, or could not be had just now: for what would grow when they come. */
export function namesSettled(ids: readonly string[]): Promise<void> {
  want(ids);
  if (ids.every((id) => known.has(id) || !wanted.has(id))) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      listeners.delete(settle);
      resolve();
    };
    listeners.add(settle);
  });
}

/** Gives the label of a variant; undefined while it is on its way. */
export function useNames(
  ids: readonly (string | null | undefined)[],
): (id: string | null | undefined) => VariantLabel | undefined {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  useEffect(() => {
    want(ids);
  });
  return (id) => {
    if (!id) return undefined;
    const label = maySee() ? known.get(id) : null;
    return label === null ? nameless(id) : label;
  };
}
