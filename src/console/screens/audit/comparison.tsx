import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import type { Kind } from '../../client/queries.js';
import { isRefused, useRead } from '../../client/queries.js';
import { useActorName } from '../../parts/actor.js';
import { useFilter } from '../../parts/address.js';
import { CheckField, DateField, SelectField } from '../../parts/fields.js';
import { Outdated } from '../../parts/outdated.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { endOfDay } from '../../values/end-of-day.js';
import { day, isoDay, moment, percent, plainNumber, unitCost } from '../../values/formats.js';
import { fieldName } from '../../words/field-names.js';
import { frame } from '../../words/frame.js';
import { say, useWords } from '../../words/words.js';
import { codeWords } from './codes.js';
import type { FieldPair } from './difference.js';
import { comparedFields } from './difference.js';
import { fields, words } from './words.js';

type Item = components['schemas']['HistoryItem'];
type Change = components['schemas']['RecordChange'];

interface Named {
  readonly kind: Kind;
  readonly id: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The end of today: what is so now. */
const now = (): string => isoDay();

/** Why there is no record at a moment. */
type Absence = 'notYet' | 'gone';

function absenceSaidBy(error: unknown): Absence | undefined {
  if (isRefused(error, 'NOT_YET')) return 'notYet';
  return isRefused(error, 'NOT_FOUND') ? 'gone' : undefined;
}

async function stateAt({ kind, id }: Named, at: string, signal: AbortSignal): Promise<object | Absence> {
  try {
    const past = await body(
      api.GET('/audit/entities/{kind}/{id}/state', { params: { path: { kind, id }, query: { at } }, signal }),
    );
    return past.state;
  } catch (error) {
    const absence = absenceSaidBy(error);
    if (absence) return absence;
    throw error;
  }
}

async function changesBetween(record: Named, from: string, to: string, signal: AbortSignal) {
  const [before, after, changes] = await Promise.all([
    stateAt(record, from, signal),
    stateAt(record, to, signal),
    body(
      api.GET('/audit/entities/{kind}/{id}/changes', { params: { path: { ...record }, query: { from, to } }, signal }),
    ).catch((error: unknown): readonly Change[] => {
      if (absenceSaidBy(error)) return [];
      throw error;
    }),
  ]);
  return { states: [before, after] as const, changes };
}

const recordOf = (state: object | Absence) => (typeof state === 'string' ? undefined : state);
const absenceOf = (state: object | Absence) => (typeof state === 'string' ? state : undefined);

/** A record at two moments, what differs marked, and who changed it. */
export function Comparison({ kind, id, items }: Named & { readonly items: readonly Item[] }) {
  const t = useWords(words);
  const [from, setFrom] = useFilter('a', items.at(-1)?.at ?? now());
  const [to, setTo] = useFilter('b', now());
  const [isShort, setShort] = useState(true);
  const states = useRead({
    key: ['audit', kind, id, 'between', from, to],
    kinds: [kind],
    keep: true,
    read: (signal) => changesBetween({ kind, id }, from, to, signal),
  });
  return (
    <Section title={t('compare')}>
      <div class="filters moments">
        <Moment label={t('firstMoment')} {...{ items }} value={from} onValue={setFrom} />
        <Moment label={t('secondMoment')} {...{ items }} value={to} onValue={setTo} />
        <CheckField label={t('onlyChanged')} checked={isShort} onChecked={setShort} />
      </div>
      <Shown reading={states}>
        {({ states: [before, after], changes }) => (
          <Outdated when={states.isPlaceholderData}>
            <Fields
              pairs={comparedFields(recordOf(before), recordOf(after))}
              titles={[from, to]}
              absences={[absenceOf(before), absenceOf(after)]}
              {...{ kind, changes, isShort }}
            />
          </Outdated>
        )}
      </Shown>
    </Section>
  );
}

function Moment({
  label,
  items,
  value,
  onValue,
}: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const t = useWords(words);
  const today = now();
  const isOtherDay = DAY.test(value) && value !== today;
  const moments = [...new Map(items.map((item) => [item.at, item])).values()];
  const isListed = moments.some(({ at }) => at === value);
  return (
    <>
      <SelectField
        {...{ label }}
        required
        value={isOtherDay ? 'day' : value}
        onValue={(chosen) => {
          onValue(chosen === 'day' ? isoDay(-1) : chosen);
        }}
        choices={[
          { value: today, label: t('now') },
          { value: 'day', label: t('endOfDay') },
          ...(isListed || DAY.test(value) ? [] : [{ value, label: moment(value) }]),
          ...moments.map(({ at, text }) => ({ value: at, label: t('beginning', { when: moment(at), text }) })),
        ]}
      />
      {isOtherDay && <DateField label={t('day')} required {...{ value, onValue }} />}
    </>
  );
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** Names of members that are shares, and of those that are reais. */
const SHARE = /(?:percent|profitMargin|issRate)$/i;
const REAIS =
  /(?:price|cost|total|amount|fee|margin|discount|tendered|^change|^value)$|^(?:price|cost|feeBefore|feeAfter)/i;

function numberOf(path: string, value: number): string {
  const name = path.split('.').at(-1) ?? '';
  if (SHARE.test(name)) return percent(value, 2);
  return REAIS.test(name) ? unitCost(value) : plainNumber(value);
}

/** What looks like a day may be the code of a lot: that it is one says its name. */
function textOf(path: string, value: string): string {
  if (ISO.test(value)) return moment(value);
  return path.endsWith('On') && DAY.test(value) ? day(value) : value;
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function useShownValue(kind: Kind): (path: string, value: unknown) => string {
  const shared = useWords(frame);
  return (path, value) => {
    if (isNothing(value)) return '–';
    if (typeof value === 'boolean') return shared(value ? 'yes' : 'no');
    if (typeof value === 'number') return numberOf(path, value);
    if (typeof value === 'string') {
      const code = codeWords(kind, path.split('.').at(-1) ?? '', value);
      return code ? say(code) : textOf(path, value);
    }
    return JSON.stringify(value);
  };
}

/** The last word of a path says what it is; the rest, of what. What commands call alike needs no name of its own here. */
function useFieldName(): (path: string) => string {
  const called = useWords(fields);
  const nameOf = (word: string) =>
    word in fields ? called(word as keyof typeof fields) : (fieldName(word, say) ?? word);
  /** Places in lists are counted from one. */
  const partOf = (part: string) =>
    part
      .split(/[[\]]+/)
      .filter(Boolean)
      .map((word, index) => (index === 0 ? nameOf(word) : String(Number(word) + 1)))
      .join(' ');
  return (path) => path.split('.').map(partOf).join(' › ');
}

function Fields({
  kind,
  pairs,
  titles,
  absences,
  changes,
  isShort,
}: {
  readonly kind: Kind;
  readonly pairs: readonly FieldPair[];
  readonly titles: readonly [string, string];
  readonly absences: readonly [Absence | undefined, Absence | undefined];
  readonly changes: readonly Change[];
  readonly isShort: boolean;
}) {
  const t = useWords(words);
  const shown = useShownValue(kind);
  const name = useFieldName();
  const actor = useActorName();
  const differing = pairs.filter(({ differs }) => differs);
  const authors = new Map(changes.map((change) => [change.path.replace(/^\//, '').replaceAll('/', '.'), change]));
  const rows = isShort ? differing : pairs;
  const title = (at: string) => (at === now() ? t('now') : moment(DAY.test(at) ? endOfDay(at) : at));
  const authorName = (path: string) => {
    const change = authors.get(path.replace(/\[(\d+)\]/g, '.$1')) ?? authors.get(/^[^.[]*/.exec(path)?.[0] ?? '');
    return change ? actor(change.by) : '–';
  };
  return (
    <>
      <p class="lead" role="status">
        {differing.length === 0 ? t('same') : t('differ', { n: differing.length })}
      </p>
      {rows.length > 0 && (
        <div class="table-frame" tabIndex={0} role="group" aria-label={t('compare')}>
          <table class="table compared">
            <thead>
              <tr>
                <th scope="col">{t('field')}</th>
                <th scope="col">{title(titles[0])}</th>
                <th scope="col">{title(titles[1])}</th>
                <th scope="col">{t('changedBy')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ path, before, after, differs }) => (
                <tr key={path} class={differs ? 'differs' : ''}>
                  <th scope="row">{name(path)}</th>
                  <td>{absences[0] ? <span class="fine">{t(absences[0])}</span> : shown(path, before)}</td>
                  <td>
                    {absences[1] ? <span class="fine">{t(absences[1])}</span> : shown(path, after)}
                    {differs && <span class="fine block">{t('differs')}</span>}
                  </td>
                  <td>{differs ? authorName(path) : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
