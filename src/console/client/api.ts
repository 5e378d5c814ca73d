import createClient from 'openapi-fetch';
import type { components, paths } from 'openapi-client';
import { language } from '../words/language.js';
import type { Problem } from './problem.js';
import { NETWORK, Refused } from './problem.js';
import { backInStore, session, setSession, signedInAgain, storeSlug, userId } from './session.js';
import { strongTag } from './tags.js';

/** The one way to the service: with the session's cookies, the store that this tab shows, and a session that is renewed when it ran out. */

const PUBLIC =
  /^\/auth\/(?:login|refresh|2fa\/(?:verify|recover|enroll\/)|forgot-password|reset-password|email-verifications\/confirm)|^\/users\/invitations\/accept/;

/** Says itself which store it means, also where the session is in another one than this tab shows. */
const SWITCH_STORE = '/auth/switch-store';

const replayed = new Set<string>();

/** Whether what was sent with this key had been done before: the answer was the one of then. */
export const wasReplayed = (key: string): boolean => replayed.has(key);

async function sent(request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set('Accept-Language', language());
  const slug = storeSlug();
  const { pathname } = new URL(request.url);
  if (slug !== undefined && !PUBLIC.test(pathname)) {
    if (pathname !== SWITCH_STORE) headers.set('X-Store-Slug', slug);
    // Another tab may have signed in somebody else, in whose name nothing of this one may happen.
    headers.set('X-Signed-In-As', userId() ?? '');
  }
  try {
    const response = await fetch(new Request(request, { headers }));
    const key = headers.get('Idempotency-Key');
    if (key !== null && response.headers.has('Idempotency-Replayed')) replayed.add(key);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Refused(NETWORK);
  }
}

let refreshing: Promise<boolean> | undefined;

/** Renews the session's cookies, once for all who ask at a time. */
function refresh(): Promise<boolean> {
  refreshing ??= fetch('/auth/refresh', { method: 'POST' })
    .then(
      ({ status }) => {
        if (status === 200) return true;
        if (status === 401) return false;
        throw new Refused({ status, code: 'UNAVAILABLE' });
      },
      () => {
        throw new Refused(NETWORK);
      },
    )
    .finally(() => {
      refreshing = undefined;
    });
  return refreshing;
}

const codeOf = async (response: Response): Promise<string | undefined> => {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;
};

/**
 * What somebody may do was changed while they were at work: the pages then offer no more, and no less, than that. Or they
 * changed their account on another device; or their session ended, and they signed in again in another tab.
 */
export async function readSession(): Promise<void> {
  const { data } = await api.GET('/auth/me').catch(() => ({ data: undefined }));
  const current = session();
  if (!data || !('me' in current)) return;
  if (current.kind === 'lost' || JSON.stringify(data) !== JSON.stringify(current.me))
    setSession({ kind: 'signed-in', me: data });
}

/**
 * Sends a request; where the session ended, is somebody else's or in another store, it waits until its person is back in
 * this one, and then goes on with the very same request.
 */
async function guarded(request: Request, isRenewed = false): Promise<Response> {
  const again = request.clone();
  const response = await sent(request);
  if (PUBLIC.test(new URL(request.url).pathname)) return response;
  if (response.status === 409 && (await codeOf(response)) === 'STORE_SWITCHED') {
    await backInStore();
    return guarded(again);
  }
  if (response.status === 403 && (await codeOf(response)) === 'PERMISSION_DENIED') void readSession();
  if (response.status === 409 && (await codeOf(response)) === 'USER_SWITCHED') {
    await signedInAgain();
    return guarded(again);
  }
  // A wrong password or code is 401 as well: sent again, it would be counted twice.
  if (isRenewed || response.status !== 401 || (await codeOf(response)) !== 'CREDENTIAL_INVALID') return response;
  // What it was renewed to may be somebody else's, or in another store.
  if (await refresh()) return guarded(again, true);
  if (session().kind === 'unknown' || session().kind === 'none') return response;
  await signedInAgain();
  return guarded(again);
}

export const api = createClient<paths, 'application/json' | 'application/problem+json'>({
  baseUrl: location.origin,
  fetch: (request) => guarded(request),
  credentials: 'same-origin',
});

export interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

function problemOf(error: unknown, { status, headers }: Response): Problem {
  const known = typeof error === 'object' && error !== null && 'code' in error ? (error as Partial<Problem>) : {};
  // A proxy that refuses says it in the header alone, and may name a moment instead.
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return { code: 'UNAVAILABLE', ...known, status, ...(Number.isNaN(seconds) ? {} : { retryAfter: seconds }) };
}

type DryRun = components['schemas']['DryRunAnswer'];

/** What is answered to who asked for JSON, and not for a dry run. */
type Real<T> = Exclude<T, DryRun | string>;

/** An answer that breaks off on its way is none: what was asked for may have happened or not. */
const whole = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    const isGivenUp = error instanceof DOMException && error.name === 'AbortError';
    throw isGivenUp || error instanceof Refused ? error : new Refused(NETWORK);
  });

/** The body of an answer; throws Refused. */
export async function body<T>(answer: Promise<Answered<T>>): Promise<Real<T>> {
  const { data, error, response } = await whole(answer);
  if (!response.ok) throw new Refused(problemOf(error, response));
  return data as Real<T>;
}

/** What a command would do, asked for with `Prefer: dry-run`. */
export async function dryRun(answer: Promise<Answered<unknown>>): Promise<DryRun> {
  return (await body<unknown>(answer)) as DryRun;
}

export interface Tagged<T> {
  readonly record: T;
  readonly etag: string;
}

/** A single record with the tag that its change takes in `If-Match`. */
export async function tagged<T>(answer: Promise<Answered<T>>): Promise<Tagged<Real<T>>> {
  const { response } = await whole(answer);
  return { record: await body(answer), etag: strongTag(response.headers.get('etag')) };
}

export interface Counted<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** A plain list that says in headers where it goes on and, where it is counted, how many there are. */
export async function plainPage<T>(answer: Promise<Answered<readonly T[]>>): Promise<Counted<T>> {
  const { response } = await whole(answer);
  const items = await body(answer);
  const total = Number(response.headers.get('x-total-count') ?? items.length);
  return { items, nextCursor: response.headers.get('x-next-cursor'), total };
}

/** A file of the service, as a blob that a page can show or save. */
export async function file(path: string): Promise<{ readonly blob: Blob; readonly name: string }> {
  const response = await guarded(new Request(new URL(path, location.origin)));
  if (!response.ok) {
    const error: unknown = await response.json().catch(() => undefined);
    throw new Refused(problemOf(error, response));
  }
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { blob: await whole(response.blob()), name: name ?? path.split('/').pop() ?? 'file' };
}

/** Saves a file of the service under its own name. */
export async function save(path: string): Promise<void> {
  saveFile(await file(path));
}

export function saveFile({ blob, name }: Awaited<ReturnType<typeof file>>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  forgetLater(link.href);
}

/** A browser may ask before it reads what is saved, and reads what is shown once more. */
function forgetLater(address: string): void {
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}

/** Opens a file of the service in a tab of its own, even where the session has to be renewed first. */
export async function openFile(path: string): Promise<void> {
  const found = await file(path);
  const address = URL.createObjectURL(found.blob);
  // A browser lets no page open a tab long after the click: what took so long is saved instead.
  if (!open(address, '_blank')) saveFile(found);
  forgetLater(address);
}

/** How the service is: what those who watch it read too. It answers also where something is not in order. */
export async function health(): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch('/healthz').catch(() => undefined);
  if (!answer) throw new Refused(NETWORK);
  if (!answer.ok) throw new Refused(problemOf(await answer.json().catch(() => undefined), answer));
  return whole(answer.json() as Promise<Readonly<Record<string, unknown>>>);
}
