import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { isUnsettled, useCommand, useList, useRead } from '../../client/queries.js';
import type { Question } from '../../client/questions.js';
import { ifMeant } from '../../client/questions.js';
import { useMe } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { SelectField, TextField, withoutUnit } from '../../parts/fields.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useStrayScans } from '../../parts/stray-scans.js';
import { rowsOf, Table } from '../../parts/table.js';
import { money, moment, quantity } from '../../values/formats.js';
import { sixDecimals } from '../../values/six-decimals.js';
import { byName } from '../../values/by-name.js';
import { productCodeOf } from '../../values/gs1.js';
import { folded } from '../../values/folded.js';
import { useWords } from '../../words/words.js';
import type { Booking, Counted, Difference, OtherCounts, Portion } from './counting.js';
import { differenceOf, isWrong, useCounting, withoutFound } from './counting.js';
import { useLocations } from './locations.js';
import { fieldBelow, useCountFocus } from './scanned-counts.js';
import { words } from './words.js';
import { newId } from '../../values/ids.js';

type Balance = components['schemas']['StockBalance'];

/** As many lines as one adjustment has. */
const AT_ONCE = 200;

interface Goods extends Difference {
  readonly lotId?: string;
}

/** What is missing is taken from lots by name, the oldest first: it may be from one that is expired or blocked, too. */
async function byLots({ variantId, quantity: by }: Difference, locationId: string): Promise<readonly Goods[]> {
  if (by > 0) return [{ variantId, quantity: by }];
  // One line is left for what lots beyond these have: it names none.
  const query = { variantId, locationId, limit: AT_ONCE - 1 };
  const { items: lots } = await body(api.GET('/stock/lots', { params: { query } }));
  const taken: Goods[] = [];
  let missing = -by;
  for (const { lotId, quantity: left } of lots) {
    const some = Math.min(left, missing);
    if (some > 0) taken.push({ variantId, lotId, quantity: -some });
    missing = sixDecimals(missing - some);
  }
  return missing > 0 ? [...taken, { variantId, quantity: -missing }] : taken;
}

/** What to send, in portions that no product is divided between. */
async function portionsOf(
  differences: readonly Difference[],
  locationId: string,
  reason: string,
): Promise<readonly Portion[]> {
  const countId = newId();
  const goods = await Promise.all(differences.map((one) => byLots(one, locationId)));
  const portions: Goods[][] = [];
  for (const lines of goods) {
    const last = portions.at(-1);
    if (last && last.length + lines.length <= AT_ONCE) last.push(...lines);
    else portions.push([...lines]);
  }
  return portions.map((items) => ({
    key: newId(),
    variantIds: [...new Set(items.map(({ variantId }) => variantId))],
    body: { reason, countId, locationId, items },
  }));
}

/** As many as are made while somebody counts. */
const LAST_ADJUSTMENTS = 100;

/** What other people's counts of a location found; undefined until that is read. */
function useOtherCounts(locationId: string): OtherCounts | undefined {
  const me = useMe();
  const { data } = useRead({
    key: ['count', 'others'],
    kinds: ['lot'],
    read: (signal) => body(api.GET('/stock/adjustments', { params: { query: { limit: LAST_ADJUSTMENTS } }, signal })),
  });
  return useMemo(() => {
    if (!data) return undefined;
    const found = new Map<string, ReadonlyMap<string, number>>();
    for (const { id, items, countId, createdBy, locationId: place } of data.items) {
      if (countId === null || createdBy.id === me.id || place !== locationId) continue;
      const sums = new Map<string, number>();
      for (const { variantId, quantity: by } of items) sums.set(variantId, (sums.get(variantId) ?? 0) + by);
      found.set(id, sums);
    }
    return { ids: data.items.map(({ id }) => id), found };
  }, [data, locationId, me.id]);
}

/** Which goods of a booking without an answer are booked all the same. */
async function arrived({ portions }: Booking): Promise<ReadonlySet<string>> {
  const countId = portions[0]?.body.countId;
  if (countId == null) return new Set();
  const query = { countId, limit: LAST_ADJUSTMENTS };
  const { items: adjustments } = await body(api.GET('/stock/adjustments', { params: { query } }));
  return new Set(adjustments.flatMap(({ items }) => items.map(({ variantId }) => variantId)));
}

const CLEARING: Question = { title: words.clearCountAsk, yes: words.clearCount, no: words.keepCounting };

/** What is there is written down, and differences are booked together: as several adjustments of one count where they are many. */
export function Count() {
  const t = useWords(words);
  const locations = useLocations();
  const [chosen, setChosen] = useFilter('locationId');
  const locationId = chosen === '' ? locations.usual : chosen;
  const [q, setQ] = useState('');
  const sheet = useCounting(locationId);
  const { counting } = sheet;
  const [booked, setBooked] = useState<number>();
  const others = useOtherCounts(locationId);
  useEffect(() => {
    if (others) sheet.learn(others);
  }, [others]);
  const list = useList<Balance>({
    key: ['count', locationId],
    kinds: ['lot', 'sale', 'order'],
    when: locationId !== '',
    read: (at, signal) =>
      body(
        api.GET('/stock/balances', {
          params: { query: { locationId, limit: 200, ...at } },
          signal,
        }),
      ),
  });
  const names = useNames(list.items.map(({ variantId }) => variantId));
  const nameOf = ({ variantId }: Balance) => names(variantId)?.description ?? '';
  // By name, what comes later comes between: rows would go from under the finger that types, and what is not there yet is not booked.
  const whole = useRef<string>();
  if (list.data && !list.hasNextPage && list.items.every(({ variantId }) => names(variantId)))
    whole.current = locationId;
  const isWhole = whole.current === locationId;
  const hasCode = ({ variantId }: Balance, text: string) => names(variantId)?.gtin === productCodeOf(text);
  // Who counts goes from shelf to shelf: everything is there at once, by its name, and can be narrowed to what stands here.
  const rowsOfWords = (text: string) => {
    const wanted = folded(text.trim()).split(/\s+/);
    const isNamed = (row: Balance) => wanted.every((word) => folded(nameOf(row)).includes(word));
    return byName(
      (isWhole ? list.items : []).filter((row) => isNamed(row) || hasCode(row, text)),
      nameOf,
    );
  };
  const rows = rowsOfWords(q);
  const focus = useCountFocus();
  const before = useRef<Counted>();
  const find = (text: string) => {
    const [first] = rowsOfWords(text);
    setQ(text);
    if (first && text.trim() !== '') focus.toCount(first.variantId);
    else focus.toFilter();
  };
  useStrayScans(focus.isFilter, find);
  const goOnFrom = (field: HTMLInputElement) => {
    if (q === '') fieldBelow(field)?.focus();
    else focus.toFilter();
  };
  useEffect(() => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  }, [list.hasNextPage, list.isFetchingNextPage]);
  const averageCosts = new Map(list.items.map(({ variantId, averageCost }) => [variantId, averageCost ?? 0]));
  const differences = sheet.differences([...averageCosts.keys()]);
  const wrong = Object.values(counting).filter(isWrong).length;
  const isWrongAt = ({ variantId }: Balance) => {
    const counted = counting[variantId];
    return counted !== undefined && isWrong(counted);
  };
  const value = differences.reduce(
    (sum, { variantId, quantity: by }) => sum + by * (averageCosts.get(variantId) ?? 0),
    0,
  );
  const sendAll = async ({ counted, portions }: Booking) => {
    for (const [place, portion] of portions.entries()) {
      sheet.hold({ counted, portions: portions.slice(place) });
      try {
        await body(api.POST('/stock/adjustments', { body: portion.body, headers: { 'Idempotency-Key': portion.key } }));
      } catch (error) {
        if (!isUnsettled(error)) sheet.hold(undefined);
        throw error;
      }
      sheet.booked(portion, { counted, portions: portions.slice(place + 1) });
    }
  };
  /** What was sent without an answer, as far as it is still to be sent. */
  const unanswered = async (): Promise<Booking | undefined> => {
    const booking = sheet.begun();
    if (!booking) return undefined;
    const booked = await arrived(booking);
    const left = withoutFound(booking, sheet.present(), (variantId) => booked.has(variantId));
    if (left.portions.length === 0) sheet.hold(undefined);
    return left;
  };
  const book = useCommand({
    send: async (differences: readonly Difference[]) => {
      const reason = t('countReason', { when: moment(new Date().toISOString()) });
      const begun = await unanswered();
      if (begun) await sendAll(begun);
      // What was begun before is booked by now, and what was counted anew since is held against that.
      const wanted = begun ? sheet.differences([...averageCosts.keys()]) : differences;
      const counted = sheet.present();
      await sendAll({ counted, portions: await portionsOf(wanted, locationId, reason) });
      const before = begun?.portions.flatMap(({ variantIds }) => variantIds) ?? [];
      return { count: before.length + wanted.length, sent: counted };
    },
    kinds: ['lot'],
    onDone: ({ count, sent }) => {
      sheet.finish(sent);
      setBooked(count);
    },
  });
  return (
    <>
      <p class="lead">{t('countLead')}</p>
      <div
        class="filters"
        ref={focus.filters}
        onKeyDown={({ key, target }) => {
          if (key === 'Enter' && target instanceof HTMLInputElement) find(target.value);
        }}
      >
        <SelectField
          label={t('location')}
          required
          value={locationId}
          onValue={setChosen}
          choices={locations.choices}
        />
        <TextField label={t('filterProduct')} required autocomplete="off" value={q} onValue={setQ} />
        <Button
          look="main"
          busy={book.isPending}
          resting={!isWhole || (differences.length === 0 && !sheet.begun()) || wrong > 0}
          onClick={() => {
            book.mutate(differences);
          }}
        >
          {t('bookCount')}
        </Button>
        {Object.keys(counting).length > 0 && !book.isPending && (
          <Button
            look="quiet"
            icon="bin"
            onClick={() => {
              ifMeant(CLEARING, () => {
                sheet.clear();
              });
            }}
          >
            {t('clearCount')}
          </Button>
        )}
        <p role="status">
          {booked !== undefined && differences.length === 0 && (
            <span class="good-text">{t('countDone', { count: booked })}</span>
          )}
          {differences.length > 0 && t('countDifferences', { count: differences.length, value: money(value) })}
          {wrong > 0 && <span class="bad-text"> {t('countWrong', { count: wrong })}</span>}
        </p>
      </div>
      <ProblemNote error={book.error} />
      <Table
        label={t('count')}
        rows={{ ...rowsOf(rows), isLoading: !isWhole, error: list.error }}
        rowKey={({ variantId }) => variantId}
        empty={t(q === '' ? 'noBalances' : 'nothingFound')}
        columns={[
          { id: 'product', title: t('product'), cell: ({ variantId }) => names(variantId)?.description ?? '…' },
          {
            id: 'expected',
            title: t('expected'),
            figure: true,
            wide: true,
            cell: (row) => quantity(counting[row.variantId]?.against ?? row.quantity, names(row.variantId)?.saleUnit),
          },
          {
            id: 'counted',
            title: t('counted'),
            figure: true,
            stays: true,
            cell: (row) => (
              <input
                id={focus.fieldId(row.variantId)}
                class="count-input figure"
                inputMode="decimal"
                autocomplete="off"
                aria-label={`${t('counted')}: ${nameOf(row)}`}
                aria-invalid={isWrongAt(row)}
                value={counting[row.variantId]?.typed ?? ''}
                onFocus={() => {
                  before.current = counting[row.variantId];
                }}
                onKeyDown={({ key, currentTarget }) => {
                  if (key === 'Enter') goOnFrom(currentTarget);
                }}
                onInput={({ currentTarget }) => {
                  setBooked(undefined);
                  const typed = withoutUnit(currentTarget.value, names(row.variantId)?.saleUnit);
                  // What stands there again after a scan was held against the balance of then.
                  const since = others && (others.ids[0] ?? '');
                  const now = { typed, against: row.quantity, since };
                  sheet.write(row.variantId, before.current?.typed === typed ? before.current : now);
                }}
              />
            ),
          },
          {
            id: 'difference',
            title: t('difference'),
            figure: true,
            cell: (row) => {
              if (isWrongAt(row)) return <span class="bad-text">{t('noQuantity')}</span>;
              const by = differenceOf(counting[row.variantId]);
              if (by === undefined) return '';
              return <span class={by < 0 ? 'bad-text' : 'good-text'}>{`${by > 0 ? '+' : ''}${quantity(by)}`}</span>;
            },
          },
        ]}
      />
    </>
  );
}
