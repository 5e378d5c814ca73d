import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Field, TextField } from './fields.js';

interface MonthFieldProps {
  readonly label: string;
  /** Such as `2026-11`. */
  readonly value: string;
  readonly onValue: (month: string) => void;
}

/** Firefox and Safari on a computer make a plain text of it. */
function hasMonths(): boolean {
  const input = document.createElement('input');
  input.type = 'month';
  return input.type === 'month';
}

const written = (month: string): string => month.replace(/^(\d{4})-(\d\d)$/, '$2/$1');

/** The month that `11/2026`, `11-2026`, `112026` or `2026-11` says. */
function readMonth(text: string): string | undefined {
  const [, year, month] = /^(\d{4})-(\d{1,2})$/.exec(text.trim()) ?? [];
  const [, first, last] = /^(\d{1,2})\s*[/.-]?\s*(\d{4})$/.exec(text.trim()) ?? [];
  const read = `${year ?? last ?? ''}-${(month ?? first ?? '').padStart(2, '0')}`;
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(read) ? read : undefined;
}

/** A month, chosen with what the browser has for that, and typed as people here write it where it has nothing. */
export function MonthField(field: MonthFieldProps) {
  return hasMonths() ? <TextField {...field} type="month" required /> : <TypedMonth {...field} />;
}

function TypedMonth({ label, value, onValue }: MonthFieldProps) {
  const t = useWords(frame);
  const input = useRef<HTMLInputElement>(null);
  const [latest, setLatest] = useState({ value, typed: written(value) });
  const typed = latest.value === value ? latest.typed : written(value);
  const wrong = readMonth(typed) === undefined ? t('notAMonth') : undefined;
  useLayoutEffect(() => {
    input.current?.setCustomValidity(wrong ?? '');
  }, [wrong]);
  return (
    <Field {...{ label, wrong }} required>
      {(described) => (
        <input
          {...described}
          ref={input}
          inputMode="numeric"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => {
            const read = readMonth(currentTarget.value);
            setLatest({ value: read ?? value, typed: currentTarget.value });
            if (read !== undefined && read !== value) onValue(read);
          }}
        />
      )}
    </Field>
  );
}
