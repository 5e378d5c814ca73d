import {
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  keepPreviousData,
} from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import type { Tagged } from './api.js';
import { wasReplayed } from './api.js';
import type { IntentionKey } from './intentions.js';
import { useIntentionKey } from './intentions.js';
import { isPassing, refusalOf, retryDelay } from './problem.js';
import type { kinds } from '../screens/audit/words.js';
import type { Question } from './questions.js';
import { ask } from './questions.js';
import { frame } from '../words/frame.js';

/** Reading and changing records: what is read is kept, shared between screens and read anew when it changed. */

/** What a message of `GET /live` names. */
export type Kind = keyof typeof kinds;

/** Who waits for longer than this is told why. */
const MOST_DELAY_MILLISECONDS = 15_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The service may run on this very machine: what the browser says of the network is no reason not to ask.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      gcTime: 5 * 60_000,
      retry: (count, error) => count < 2 && isPassing(error) && retryDelay(count, error) <= MOST_DELAY_MILLISECONDS,
      retryDelay,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Reads anew what shows records of these kinds; all that is shown where none is named. */
export function refreshKinds(kinds?: readonly Kind[]): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ meta }) =>
      !kinds || ((meta?.['kinds'] as readonly Kind[] | undefined) ?? []).some((kind) => kinds.includes(kind)),
  });
}

/** Reads anew what was there before anybody could hear of its changes: on a slow line the page may follow them long after. */
export const refreshRead = (): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ state }) => state.data !== undefined });

export interface Reading<T> {
  /** The screen's name, then what distinguishes this reading. */
  readonly key: readonly unknown[];
  /** Records whose change makes it outdated. */
  readonly kinds: readonly Kind[];
  readonly read: (signal: AbortSignal) => Promise<T>;
  readonly when?: boolean;
  /** Shows what was read before while the next is on its way, as searches do. */
  readonly keep?: boolean;
  readonly every?: number;
}

export function useRead<T>({ key, kinds, read, when = true, keep = false, every }: Reading<T>) {
  return useQuery<T>({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    enabled: when,
    meta: { kinds },
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
}

/** What a reading needs that others need as well: asked for once, until a record changes that makes it outdated. */
export const readOnce = <T>({ key, kinds, read }: Pick<Reading<T>, 'key' | 'kinds' | 'read'>): Promise<T> =>
  queries.query<T>({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    meta: { kinds },
    staleTime: Infinity,
    retry: false, // the reading that needs it tries again
  });

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | null | undefined;
}

/** Where a page begins, as a query says it. */
export interface Place {
  readonly cursor?: string;
}

interface Listing<T, P extends Page<T> = Page<T>> extends Omit<Reading<P>, 'read'> {
  /** Asks for the page at this place: at the beginning, or where the one before ended. */
  readonly read: (at: Place, signal: AbortSignal) => Promise<P>;
}

const BEGINNING: Place = {};

/** A list that goes on by cursors. */
export function useList<T, P extends Page<T> = Page<T>>({
  key,
  kinds,
  read,
  when = true,
  keep = false,
  every,
}: Listing<T, P>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }: { pageParam: Place; signal: AbortSignal }) => read(pageParam, signal),
    initialPageParam: BEGINNING,
    getNextPageParam: ({ nextCursor: cursor }: P) => (cursor ? { cursor } : undefined),
    enabled: when,
    meta: { kinds },
    // Whoever reads on is not held up by what came since.
    refetchInterval: ({ state }) => (every !== undefined && (state.data?.pages.length ?? 1) === 1 ? every : false),
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
  const items = query.data?.pages.flatMap(({ items }: P) => items) ?? [];
  return { ...query, items };
}

/** All of a list, however many pages it has. */
export async function allPages<T>(read: (at: Place) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  let at: Place | undefined = BEGINNING;
  while (at) {
    const { items, nextCursor: cursor }: Page<T> = await read(at);
    all.push(...items);
    at = cursor ? { cursor } : undefined;
  }
  return all;
}

export interface Command<I, O> {
  /** Sends it with these headers: the key of this intention, and what was read before it where that matters. */
  readonly send: (input: I, headers: Record<string, string>) => Promise<O>;
  /** Records that it changes. */
  readonly kinds?: readonly Kind[];
  readonly onDone?: (output: O, input: I) => void;
  /** Where it is added, if each time that it is done counts: what may be booked already is then not sent once more unasked. */
  readonly adds?: string | undefined;
}

/** Whether what was sent may still be booked: sent again, it must be the same intention. */
export const isUnsettled = (error: unknown): boolean => isPassing(error) || isRefused(error, 'IDEMPOTENCY_IN_PROGRESS');

/**
 * What a command is about, as it was when it was sent, until it is known what became of that: it may change because of the
 * command itself, which would then be sent again as another one.
 */
export function useAsSent<T>(
  present: T,
  { isPending, error }: { readonly isPending: boolean; readonly error: unknown },
): T {
  const held = useRef(present);
  if (!isPending && !isUnsettled(error)) held.current = present;
  return held.current;
}

const commandErrors = new WeakSet<Error>();

/** Whether it came of something that somebody did on the page, and looks for what became of it. */
export const isOfCommand = (error: unknown): boolean => error instanceof Error && commandErrors.has(error);

/** What tells a file from another: JSON knows nothing of it. */
const filePrint = (_name: string, value: unknown): unknown =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

const printOf = (input: unknown): string => (input === undefined ? '' : JSON.stringify(input, filePrint));

/** Whether the service has answered what was sent with this key: a refusal of something else says nothing of what another form sent. */
const isAnswer = (error: unknown, intention: IntentionKey): boolean =>
  !isUnsettled(error) &&
  (!intention.isFromBefore() || (refusalOf(error)?.status === 409 && !isRefused(error, 'IDEMPOTENCY_KEY_REUSED')));

const BOOKED_BEFORE: Question = {
  title: frame.bookedBefore,
  text: frame.bookedBeforeAsk,
  yes: frame.bookAgain,
  no: frame.bookNoMore,
};

const SENT_IN_DOUBT: Question = {
  title: frame.sentInDoubt,
  text: frame.sentInDoubtAsk,
  yes: frame.sendAllTheSame,
  no: frame.sendNothing,
};

export function useCommand<I = void, O = unknown>({ send, kinds, onDone, adds }: Command<I, O>) {
  const client = useQueryClient();
  const intention = useIntentionKey(adds);
  const underWay = useRef(new Set<string>()).current;
  const sendWith = (key: string, input: I): Promise<O> => send(input, { 'Idempotency-Key': key });
  /** What another form sent and nobody knows of is asked about once the service has told. */
  const sendOnce = async (input: I): Promise<O> => {
    const key = intention.take(printOf(input));
    try {
      const output = await sendWith(key, input);
      if (!intention.isFromBefore() || !wasReplayed(key) || !(await ask(BOOKED_BEFORE))) return output;
    } catch (error) {
      const isOther = intention.isFromBefore() && isRefused(error, 'IDEMPOTENCY_KEY_REUSED');
      if (!isOther || !(await ask(SENT_IN_DOUBT))) throw error;
    }
    return sendWith(intention.takeAnother(printOf(input)), input);
  };
  const command = useMutation<O, Error, I>({
    mutationFn: async (input: I) => {
      try {
        const output = await sendOnce(input);
        intention.done();
        return output;
      } catch (error) {
        if (isAnswer(error, intention)) intention.done();
        else if (!isRefused(error, 'RATE_LIMITED')) intention.doubt();
        if (error instanceof Error) commandErrors.add(error);
        // What somebody else changed meanwhile is shown beside what was typed.
        if (isRefused(error, 'PRECONDITION_FAILED')) void refreshKinds(kinds);
        throw error;
      }
    },
    onSuccess: async (output, input) => {
      onDone?.(output, input);
      // It is under way until what it changed is shown.
      await (kinds ? refreshKinds(kinds) : client.invalidateQueries());
    },
    onSettled: (_output, _error, input) => {
      underWay.delete(printOf(input));
    },
  });
  return {
    ...command,
    /** What is under way already is not sent once more: a finger taps twice before a page can show the first. */
    mutate(input: I) {
      const print = printOf(input);
      if (underWay.has(print)) return;
      underWay.add(print);
      if (adds === undefined || !intention.isOtherInDoubt(print)) command.mutate(input);
      else
        void ask(SENT_IN_DOUBT).then((isMeant) => {
          if (isMeant) command.mutate(input);
          else underWay.delete(print);
        });
    },
  };
}

/** Headers of a change to a record that was read with its tag. */
export const ifMatch = (
  headers: Record<string, string>,
  { etag }: Pick<Tagged<unknown>, 'etag'>,
): Record<string, string> => (etag === '' ? headers : { ...headers, 'If-Match': etag });

export const isRefused = (error: unknown, code: string): boolean => refusalOf(error)?.code === code;
