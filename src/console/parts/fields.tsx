import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { plainNumber, readDay, readNumber } from '../values/formats.js';
import { frame } from '../words/frame.js';
import type { Say } from '../words/words.js';
import { useWords } from '../words/words.js';
import { useFieldProblem } from './form.js';

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Its path in the body of the command, by which the service names it. */
  readonly path?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
  readonly required: boolean;
  readonly disabled: boolean;
}

export function Field({
  label,
  hint,
  path,
  required = false,
  disabled = false,
  value,
  wrong,
  children,
}: FieldProps & {
  /** What it holds, where that is a text: what was said of another text is then said no more. */
  readonly value?: string | undefined;
  readonly wrong?: string | undefined;
  readonly children: (described: Described) => ComponentChildren;
}) {
  const t = useWords(frame);
  const id = useId();
  const said = useFieldProblem(path, id, value);
  const problem = wrong ?? said;
  const describedBy = [problem && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div class={`field ${problem ? 'wrong' : ''}`}>
      <label for={id}>
        {label}
        {!required && <span class="optional"> {t('optional')}</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': problem !== undefined,
        required,
        disabled,
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="field-wrong" id={`${id}-wrong`}>
          {problem}
        </p>
      )}
    </div>
  );
}

interface Typed extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

type Extra = Omit<InputHTMLAttributes, keyof Typed | 'value'>;

export function TextField({
  value,
  onValue,
  label,
  hint,
  path,
  required,
  disabled,
  ...rest
}: Typed & {
  readonly [
    K in
      | 'type'
      | 'autocomplete'
      | 'maxLength'
      | 'minLength'
      | 'pattern'
      | 'placeholder'
      | 'list'
      | 'autofocus'
      | 'inputMode'
      | 'spellcheck'
      | 'readOnly'
  ]?: Extra[K] | undefined;
}) {
  return (
    <Field {...{ label, hint, path, value }} required={required ?? false} disabled={disabled ?? false}>
      {(described) => (
        <input
          {...described}
          {...rest}
          value={value}
          onInput={({ currentTarget }) => {
            onValue(currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

export function TextArea({
  value,
  onValue,
  rows = 3,
  minLength,
  maxLength,
  ...field
}: Typed & { readonly rows?: number; readonly minLength?: number; readonly maxLength?: number }) {
  return (
    <Field {...field} value={value}>
      {(described) => (
        <textarea
          {...described}
          {...{ rows, minLength, maxLength }}
          value={value}
          onInput={({ currentTarget }) => {
            onValue(currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

/** What is typed or pasted with the unit that stands beside its field is the number alone. */
export function withoutUnit(typed: string, unit: string | undefined): string {
  const text = typed.trimEnd();
  if (unit === undefined || !text.toLowerCase().endsWith(unit.toLowerCase())) return typed;
  const figure = text.slice(0, -unit.length).trimEnd();
  return readNumber(figure) === undefined ? typed : figure;
}

/** What is wrong with what is typed as a number; nothing typed is none that would be wrong. */
function wrongNumber(typed: string, most: number | undefined, t: Say<typeof frame>): string | undefined {
  const number = readNumber(typed);
  if (number === undefined) return typed.trim() === '' ? undefined : t('notANumber');
  return most !== undefined && (number < 0 || number > most) ? t('notUpTo', { most: plainNumber(most) }) : undefined;
}

/** Takes numbers as people here type them, and says so when what is typed is none, or is not from 0 to the most that there can be. */
export function NumberField({
  value,
  onValue,
  unit,
  most,
  ...field
}: Typed & { readonly unit?: string | undefined; readonly most?: number | undefined }) {
  const t = useWords(frame);
  const input = useRef<HTMLInputElement>(null);
  const wrong = wrongNumber(value, most, t);
  // A value may also come from elsewhere than the keyboard, and is no less to be looked at.
  useLayoutEffect(() => {
    input.current?.setCustomValidity(wrong ?? '');
  }, [wrong]);
  return (
    <Field {...field} value={value} wrong={wrong}>
      {(described) => (
        <span class="with-unit">
          <input
            {...described}
            ref={input}
            class="figure"
            inputMode="decimal"
            autocomplete="off"
            value={value}
            onFocus={({ currentTarget }) => {
              // What is typed takes the place of the number that was there, and is not added to its digits.
              currentTarget.select();
            }}
            onInput={({ currentTarget }) => {
              onValue(withoutUnit(currentTarget.value, unit));
            }}
          />
          {unit && <span class="unit">{unit}</span>}
        </span>
      )}
    </Field>
  );
}

/** Without it browsers take years of six digits: one digit too many, and it is no date any more. */
const LAST_DAY = '9999-12-31';

/** A day that is half typed, or that no calendar has, is none yet: what was chosen before stays until it is one. */
export function DateField({ value, onValue, ...field }: Typed) {
  const [isHalfTyped, setHalfTyped] = useState(false);
  useEffect(() => {
    // It was chosen elsewhere, or typed to its end.
    setHalfTyped(false);
  }, [value]);
  return (
    <Field {...field} value={value}>
      {(described) => (
        <input
          {...described}
          type="date"
          max={LAST_DAY}
          // A browser takes away what is half typed where it is given a day.
          value={isHalfTyped ? '' : value}
          onPaste={(event) => {
            // Browsers paste no day into its field as people here write it.
            const pasted = readDay(event.clipboardData?.getData('text') ?? '');
            if (pasted === undefined) return;
            event.preventDefault();
            setHalfTyped(false);
            onValue(pasted);
          }}
          onInput={({ currentTarget }) => {
            const { badInput } = currentTarget.validity;
            setHalfTyped(badInput);
            if (!badInput) onValue(currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function SelectField({ value, onValue, choices, ...field }: Typed & { readonly choices: readonly Choice[] }) {
  return (
    <Field {...field} value={value}>
      {(described) => (
        <select
          {...described}
          // A choice that says “none” has an empty value and is one all the same.
          required={false}
          value={value}
          onChange={({ currentTarget }) => {
            onValue(currentTarget.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  checked,
  onChecked,
  hint,
  disabled = false,
  waiting = false,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly hint?: string;
  readonly disabled?: boolean;
  /** It cannot be changed now, and keeps the focus, which a disabled one loses. */
  readonly waiting?: boolean;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        {...{ checked, disabled }}
        aria-disabled={waiting}
        onClick={(event) => {
          if (waiting) event.preventDefault();
        }}
        onChange={({ currentTarget }) => {
          onChecked(currentTarget.checked);
        }}
      />
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}
