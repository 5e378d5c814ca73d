import { useSyncExternalStore } from 'preact/compat';
import type { components } from 'openapi-client';

export type Me = components['schemas']['Me'];
export type Permission = Me['permissions'][number];

/**
 * Who is signed in, as far as this tab knows. `lost` means that the session ended while somebody was at work, `switched`
 * that it is in another store by now: what they typed stays, and requests wait until they are back.
 */
type SessionState =
  { readonly kind: 'unknown' | 'none' } | { readonly kind: 'signed-in' | 'lost' | 'switched'; readonly me: Me };

let state: SessionState = { kind: 'unknown' };
let isPasswordInDoubt = false;
const listeners = new Set<() => void>();
let waiting: (() => void)[] = [];

export const session = (): SessionState => state;
export const storeSlug = (): string | undefined => ('me' in state ? state.me.storeSlug : undefined);

export const userId = (): string | undefined => ('me' in state ? state.me.id : undefined);

/** The cookies cannot be seen from here; this says only whether it is worth asking. */
const MARK = 'signed-in';
export const wasSignedIn = (): boolean => localStorage.getItem(MARK) !== null;

export function setSession(next: SessionState): void {
  state = next;
  if (next.kind === 'signed-in') localStorage.setItem(MARK, 'yes');
  if (next.kind === 'none') localStorage.removeItem(MARK);
  if (next.kind === 'signed-in') {
    isPasswordInDoubt = false;
    for (const go of waiting) go();
    waiting = [];
  }
  for (const listener of listeners) listener();
}

const isBackAtWork = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));

/** Resolves when somebody is signed in again. */
export function signedInAgain(): Promise<void> {
  if (state.kind === 'signed-in' || state.kind === 'switched') setSession({ kind: 'lost', me: state.me });
  return isBackAtWork();
}

/** Resolves when the session is in the store again that this tab shows. */
export function backInStore(): Promise<void> {
  if (state.kind === 'signed-in') setSession({ kind: 'switched', me: state.me });
  return isBackAtWork();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A new password was sent, and nobody knows whether it counts: it would have ended the session. */
export function doubtPassword(): void {
  isPasswordInDoubt = true;
  for (const listener of listeners) listener();
}

export const usePasswordInDoubt = (): boolean => useSyncExternalStore(subscribe, () => isPasswordInDoubt);

export const useSession = (): SessionState => useSyncExternalStore(subscribe, session);

export function useMe(): Me {
  const current = useSession();
  if (!('me' in current)) throw new Error('nobody is signed in');
  return current.me;
}

export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useMe();
  return (permission) => permissions.includes(permission);
}
