import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Tagged } from '../client/api.js';
import { frame } from '../words/frame.js';
import { NONE } from '../values/formats.js';
import { say, useWords } from '../words/words.js';
import { Button } from './button.js';
import type { FormState } from './form.js';
import { useForm } from './form.js';
import type { HistoryOf } from './last-change.js';
import { LastChange } from './last-change.js';

interface Sent {
  readonly isSuccess: boolean;
}

/** What the button of a record's form says and when it rests: saved until something is typed again. */
export function useSaving(form: Pick<FormState<object>, 'isDirty'>, change: Sent, mayChange = true) {
  const t = useWords(frame);
  const saved = change.isSuccess && !form.isDirty;
  return {
    submit: mayChange ? t(saved ? 'saved' : 'save') : undefined,
    saved,
    disabled: !form.isDirty,
  };
}

interface RecordForm<V extends object> extends FormState<V> {
  /** The tag of the record that this form began with, for `If-Match`. */
  readonly etag: string;
  /** What the record held when this form began with it. */
  readonly before: V;
  /** These were saved as the record with this tag: it is no news of somebody else, and what was typed meanwhile stays. */
  saved(sent: V, answer?: Pick<Tagged<unknown>, 'etag'>): void;
  /** Whether the record was found to hold all that was typed, with no answer to who sent it. */
  readonly isFound: boolean;
  /** Says what somebody else changed meanwhile, and asks what counts; undefined while nobody did. */
  readonly conflict: ComponentChildren | undefined;
}

/** What a field holds, in the words of its form; undefined where it says that itself. */
type ValueText<V> = (field: keyof V & string, values: V) => string | undefined;

function shown(value: unknown): string {
  if (typeof value === 'boolean') return say(value ? frame.yes : frame.no);
  if (typeof value === 'string' || typeof value === 'number') return String(value) || NONE;
  const members = Object.values(value ?? {})
    .map(shown)
    .filter((text) => text !== NONE);
  return members.join(', ') || NONE;
}

/** A form on a record that others may change while somebody types: the record's news are taken over until something is typed. */
export function useRecordForm<T, V extends object>(
  tagged: Tagged<T>,
  toValues: (record: T) => V,
  fieldName: (field: keyof V & string) => string,
  { history, valueText }: { readonly history?: HistoryOf; readonly valueText?: ValueText<V> | undefined } = {},
): RecordForm<V> {
  const [base, setBase] = useState(tagged);
  const [ownEtag, setOwnEtag] = useState<string>();
  const [foundEtag, setFoundEtag] = useState<string>();
  const form = useForm(toValues(base.record));
  const isNewer = tagged.etag !== base.etag;
  const take = () => {
    setBase(tagged);
    form.reset(toValues(tagged.record));
  };
  const textOf = (field: keyof V & string, values: V) => valueText?.(field, values) ?? shown(values[field]);
  const theirs = toValues(tagged.record);
  const before = toValues(base.record);
  const fields = Object.keys(theirs) as (keyof V & string)[];
  const differ = (field: keyof V & string, one: V, other: V) =>
    JSON.stringify(one[field]) !== JSON.stringify(other[field]);
  const changed = fields.filter((field) => differ(field, theirs, before));
  const typed = fields.filter((field) => differ(field, form.values, before) && differ(field, form.values, theirs));
  // What was sent may be there without an answer, or somebody else wrote the same: neither is against what was typed.
  const holdsAllTyped = typed.length === 0;
  const keep = () => {
    setBase(tagged);
    // What only the other one changed is taken over; what was typed here stays.
    const untouched = changed.filter((field) => !typed.includes(field));
    form.change(Object.fromEntries(untouched.map((field) => [field, theirs[field]])) as Partial<V>);
  };
  // With the drawing, and not after it: what somebody types between the two was lost.
  useLayoutEffect(() => {
    if (isNewer && (!form.isDirty || holdsAllTyped)) take();
    else if (isNewer && (tagged.etag === ownEtag || changed.length === 0)) keep();
    if (isNewer && form.isDirty && holdsAllTyped) setFoundEtag(tagged.etag);
    else if (form.isDirty) setFoundEtag(undefined);
  }, [tagged.etag, form.isDirty, ownEtag, holdsAllTyped]);
  return {
    ...form,
    etag: base.etag,
    before,
    isFound: foundEtag === base.etag && !form.isDirty,
    saved(sent, answer) {
      form.saved(sent);
      setOwnEtag(answer?.etag);
    },
    conflict:
      isNewer && form.isDirty && !holdsAllTyped ? (
        <Conflict
          onKeep={keep}
          onTake={take}
          change={history && <LastChange {...history} etag={tagged.etag} />}
          clashes={typed
            .filter((field) => changed.includes(field))
            .map((field) => [fieldName(field), textOf(field, theirs), textOf(field, form.values)] as const)}
          typed={typed.map(fieldName)}
        />
      ) : undefined,
  };
}

/** The same for a part of a record that has no tag of its own: what it holds stands for one. */
export function usePartForm<V extends object>(
  present: V,
  fieldName: (field: keyof V & string) => string,
): RecordForm<V> {
  const tagOf = (values: V) => JSON.stringify(values);
  const form = useRecordForm({ record: present, etag: tagOf(present) }, (values) => values, fieldName);
  return {
    ...form,
    saved(sent) {
      form.saved(sent, { etag: tagOf(sent) });
    },
  };
}

/** Asks only where both changed the same; what else was changed fits together. */
function Conflict({
  clashes,
  typed,
  onKeep,
  onTake,
  change,
}: {
  readonly clashes: readonly (readonly [field: string, theirs: string, mine: string])[];
  /** What was typed here, and is lost with what the other one left. */
  readonly typed: readonly string[];
  readonly onKeep: () => void;
  readonly onTake: () => void;
  readonly change: ComponentChildren;
}) {
  const t = useWords(frame);
  return (
    <div class="note warn" role="alert">
      <p>
        <strong>{t('conflictTitle')}</strong>
      </p>
      {change}
      {clashes.length === 0 ? (
        <>
          <p>{t('conflictNone')}</p>
          <div class="row">
            <Button onClick={onKeep}>{t('keepBoth')}</Button>
          </div>
        </>
      ) : (
        <>
          <ul>
            {clashes.map(([field, theirs, mine]) => (
              <li key={field}>{t('conflictField', { field, theirs, mine })}</li>
            ))}
          </ul>
          <p>{t('conflictLoss', { fields: typed.join(', ') })}</p>
          <div class="row">
            <Button onClick={onKeep}>{t('keepMine')}</Button>
            <Button onClick={onTake}>{t('takeTheirs')}</Button>
          </div>
        </>
      )}
    </div>
  );
}
