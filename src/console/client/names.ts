import { useSyncExternalStore } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api } from './api.js';

export type VariantLabel = components['schemas']['VariantLabel'];

/** Names of variants, asked for once, many at a time, by whatever shows one. */
const MOST = 100;
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
  asking = undefined;
  const all = [...wanted];
  wanted.clear();
  for (let from = 0; from < all.length; from += MOST) {
    const ids = all.slice(from, from + MOST);
    const { data } = await api.GET('/products/variant-labels', { params: { query: { ids: ids.join(',') } } });
    if (!data) continue;
    const found = new Map(data.items.map((label) => [label.variantId, label]));
    for (const id of ids) {
      known.set(id, found.get(id) ?? null);
      fresh.add(id);
    }
  }
  tell();
}

function want(ids: readonly (string | null | undefined)[]): void {
  for (const id of ids) if (id && !fresh.has(id)) wanted.add(id);
  if (wanted.size > 0) asking ??= setTimeout(() => void ask().catch(() => undefined), 5);
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

/** Gives the label of a variant; undefined while it is on its way, or for one that is gone. */
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
  return (id) => (id ? (known.get(id) ?? undefined) : undefined);
}
