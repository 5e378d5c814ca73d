import { metaOf } from '../../../src/kernel/events/recorded.js';
import type { Told } from './process.js';
import type { Shop } from './shop.js';
import type { Wish } from './wishes.js';

/** What a trial promises against what the command then does, where nothing comes between the two. */

interface Promised {
  readonly status: number;
  readonly body: unknown;
  readonly events: readonly { readonly stream: string; readonly type: string; readonly data: unknown }[];
}

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INTERNAL_GTINS = /\b0?2\d{12}\b/g;
const MINUTES = /"minutes":[0-9.]+/g;
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** In which order the members of an object stand says nothing. */
const sorted = (what: unknown): unknown => {
  if (Array.isArray(what)) return what.map(sorted);
  if (typeof what !== 'object' || what === null) return what;
  const members = Object.entries(what).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, value]) => [name, sorted(value)]));
};

/** Ids that were not there before differ from run to run, and so do times. */
function comparable(what: unknown, known: ReadonlySet<string>): string {
  const fresh: string[] = [];
  return JSON.stringify(sorted(what))
    .replaceAll(TIMES, 'then')
    .replaceAll(INTERNAL_GTINS, 'a code')
    .replaceAll(MINUTES, '"minutes":0')
    .replaceAll(IDS, (id) => {
      if (known.has(id)) return id;
      if (!fresh.includes(id)) fresh.push(id);
      return `new ${String(fresh.indexOf(id))}`;
    });
}

const SHOWN = 120;

function aroundDifference(one: string, other: string): string {
  let first = 0;
  while (first < one.length && one[first] === other[first]) first += 1;
  return one.slice(Math.max(0, first - SHOWN), first + SHOWN);
}

export const idsIn = ({ log }: Shop): ReadonlySet<string> =>
  new Set(log.events.flatMap(({ stream, data }) => [...`${stream} ${data}`.matchAll(IDS)].map(([id]) => id)));

export function faultsOfPromise(
  { log }: Shop,
  known: ReadonlySet<string>,
  wish: Wish,
  [tried, done]: readonly [Told, Told],
  requestId: string,
): readonly string[] {
  // What is refused may have been taken back.
  const recorded = done.status < 300 ? log.events.filter((event) => metaOf(event).requestId === requestId) : [];
  const events = recorded.map(({ stream, type, data }) => ({ stream, type, data: JSON.parse(data) as unknown }));
  const own = { status: done.status, body: done.body ?? null, events };
  const promised = tried.status === 200 ? (tried.body as Promised) : { ...tried, events: [] };
  const told = ({ status, body, events: facts }: Promised) => comparable({ status, body, events: facts }, known);
  const [one, other] = [told(promised), told(own)];
  return one === other
    ? []
    : [`${wish.what} promises ${aroundDifference(one, other)} and does ${aroundDifference(other, one)}`];
}
