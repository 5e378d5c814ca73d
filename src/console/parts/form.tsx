import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../client/problem.js';
import { refusalOf } from '../client/problem.js';
import { isUnsettled } from '../client/queries.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { useLeaveWarning } from './leaving.js';
import { FoundSaved, ProblemNote } from './problem-note.js';
import { useFieldErrors } from './refused-fields.js';

/** Names of the members that may be any of these values. */
type Named<V extends object, T> = { [K in keyof V]: T extends V[K] ? K : never }[keyof V] & string;

/** What somebody types: texts as they are typed, until they are sent. */
export interface FormState<V extends object> {
  readonly values: V;
  readonly set: <K extends keyof V>(name: K, value: V[K]) => void;
  /** What a field for the text of this name is given; its path in the body is its name unless another follows. */
  readonly field: (name: Named<V, string>) => {
    readonly path: string;
    readonly value: string;
    readonly onValue: (value: string) => void;
  };
  /** The same for a box to tick. */
  readonly tick: (name: Named<V, boolean>) => {
    readonly checked: boolean;
    readonly onChecked: (checked: boolean) => void;
  };
  change(values: Partial<V>): void;
  reset(values: V): void;
  /** These were saved: what was typed since they were sent stays, and waits to be saved. */
  saved(sent: V): void;
  readonly isDirty: boolean;
}

export function useForm<V extends object>(initial: V): FormState<V> {
  const [base, setBase] = useState(initial);
  const [values, setValues] = useState(initial);
  const set = <K extends keyof V>(name: K, value: V[K]) => {
    setValues((current) => ({ ...current, [name]: value }));
  };
  return {
    values,
    set,
    field: (name) => ({
      path: name,
      value: values[name] as string,
      onValue: (value) => {
        set(name, value as V[typeof name]);
      },
    }),
    tick: (name) => ({
      checked: values[name] as boolean,
      onChecked: (checked) => {
        set(name, checked as V[typeof name]);
      },
    }),
    change(changed) {
      setValues((current) => ({ ...current, ...changed }));
    },
    reset(next) {
      setBase(next);
      setValues(next);
    },
    saved: setBase,
    isDirty: JSON.stringify(base) !== JSON.stringify(values),
  };
}

interface FormFindings {
  readonly problem: Problem | undefined;
  /** Elements that were left empty, or hold what cannot be sent. */
  readonly unfit: ReadonlySet<string>;
  /** Paths whose errors are said beside their fields. */
  readonly claimed: Set<string>;
  /** What the fields hold, by their paths, what they held at first, and what when it was sent last. */
  readonly held: Map<string, string>;
  readonly first: Map<string, string>;
  readonly sent: Map<string, string>;
}

const Findings = createContext<FormFindings>({
  problem: undefined,
  unfit: new Set(),
  claimed: new Set(),
  held: new Map(),
  first: new Map(),
  sent: new Map(),
});

/**
 * What is wrong with a field: what the service says of its path in the body, or that it waits to be filled in. What was
 * said of one value is not said of another.
 */
export function useFieldProblem(
  path: string | undefined,
  element: string,
  value: string | undefined,
): string | undefined {
  const t = useWords(frame);
  const { problem, unfit, claimed, held, first, sent } = useContext(Findings);
  useEffect(() => {
    if (path === undefined) return undefined;
    claimed.add(path);
    return () => claimed.delete(path);
  }, [path, claimed]);
  useEffect(() => {
    if (path === undefined || value === undefined) return undefined;
    held.set(path, value);
    if (!first.has(path)) first.set(path, value);
    return () => held.delete(path);
  }, [path, value, held, first]);
  const isRefused = path !== undefined && (value === undefined || !sent.has(path) || sent.get(path) === value);
  const said = isRefused ? problem?.errors?.find((error) => error.path === path)?.message : undefined;
  if (said !== undefined || !unfit.has(element)) return said;
  const field = document.getElementById(element);
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (isText && field.validity.customError) return field.validationMessage;
  if (isText && field.validity.tooShort) return t('tooShort', { n: field.minLength });
  return t((field instanceof HTMLInputElement && misfitOf(field)) || 'fillIn');
}

/** What is wrong with what the browser takes for no text of this kind; undefined where it is only missing. */
function misfitOf({
  type,
  validity,
}: HTMLInputElement): 'noSuchDay' | 'notAnEmail' | 'notAnAddress' | 'wrongForm' | undefined {
  if (type === 'date' && (validity.badInput || validity.rangeOverflow)) return 'noSuchDay';
  if (validity.patternMismatch) return 'wrongForm';
  if (!validity.typeMismatch) return undefined;
  return type === 'url' ? 'notAnAddress' : 'notAnEmail';
}

const NONE_UNFIT: ReadonlySet<string> = new Set();

/** Leads to a field, also where it stands in a part that is folded away. */
function leadTo(field: HTMLElement | null | undefined): void {
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}

/** Which elements cannot be sent as they are, from the first try on until each is mended. */
function useUnfit(element: { readonly current: HTMLFormElement | null }) {
  const [unfit, setUnfit] = useState(NONE_UNFIT);
  useEffect(() => {
    const left = [...unfit].filter((id) => document.getElementById(id)?.matches(':invalid'));
    if (left.length < unfit.size) setUnfit(new Set(left));
  });
  return {
    unfit,
    /** Looks at all of them, and leads to the first that is not fit. */
    areAllFit: (): boolean => {
      const wrong = [...(element.current?.querySelectorAll<HTMLElement>(':invalid:not(fieldset)') ?? [])];
      setUnfit(new Set(wrong.map(({ id }) => id)));
      leadTo(wrong[0]);
      return wrong.length === 0;
    },
  };
}

interface Sending {
  readonly isPending: boolean;
  readonly error: Error | null;
}

const OTHER = 'other';

/** A field that was refused; of one that is picked from a list, the button that changes it. */
const REFUSED = '[aria-invalid="true"], .field.wrong .picked > button';

const SECRET = 'input:is([type="password"], [autocomplete="one-time-code"])';

/** One form for all screens: sends once, says beside the fields what was wrong, and loses nothing that was typed. */
export function Form({
  sending,
  onSubmit,
  submit,
  other,
  cancel,
  children,
  form,
  conflict,
  disabled = false,
  saved,
  isDanger = false,
  inLine = false,
  extra,
}: {
  readonly sending: Sending;
  readonly onSubmit: () => void;
  /** Undefined for who may only look. */
  readonly submit: string | undefined;
  /** Another way to send it, after the same look at its fields. */
  readonly other?: { readonly label: string; readonly onSubmit: () => void };
  readonly cancel?: (() => void) | undefined;
  readonly children: ComponentChildren;
  readonly form?: Pick<FormState<object>, 'isDirty'> & { readonly isFound?: boolean };
  /** Shown where somebody else changed the record meanwhile. */
  readonly conflict?: ComponentChildren;
  /** There is nothing to send, or not yet: the button then does nothing, and keeps the focus. */
  readonly disabled?: boolean;
  /**
   * Whether what was typed last is saved, which a reader of the screen hears. A form that does not say so goes away with its
   * answer, and what was typed meanwhile with it: it takes nothing more while it is sent.
   */
  readonly saved?: boolean | undefined;
  /** What it sends cannot be taken back. */
  readonly isDanger?: boolean;
  /** Its button stands beside its only field. */
  readonly inLine?: boolean;
  readonly extra?: ComponentChildren;
}) {
  const t = useWords(frame);
  const element = useRef<HTMLFormElement>(null);
  const refusal = refusalOf(sending.error);
  const [claimed] = useState(() => new Set<string>());
  const [held] = useState(() => new Map<string, string>());
  const [first] = useState(() => new Map<string, string>());
  const [sent, setSent] = useState(() => new Map<string, string>());
  const problem = useFieldErrors(refusal, (path) => sent.get(path) !== first.get(path));
  // A change of one's own may be heard of before it is answered, or with no answer at all: sending it again then tells whose it is.
  const isOwnInDoubt = sending.isPending || (isUnsettled(sending.error) && !disabled);
  useLeaveWarning(form?.isDirty ? (isOwnInDoubt ? 'sent' : 'typed') : undefined);
  const isThere = form?.isFound === true && isUnsettled(sending.error);
  const explained = problem?.code === 'PRECONDITION_FAILED' && conflict;
  // What its code says is then said once, at its field.
  const isSaidAtField = problem !== refusal && problem?.errors?.some(({ path }) => claimed.has(path)) === true;
  const [outdated, setOutdated] = useState<Error | null>(null);
  const { unfit, areAllFit } = useUnfit(element);
  const isHeld = sending.isPending && saved === undefined;
  const focused = useRef<HTMLElement>();
  useEffect(() => {
    const field = focused.current;
    // Who was held has lost the focus, unless the answer came before the next picture.
    if (isHeld || field === undefined || ![document.body, field].includes(document.activeElement as HTMLElement))
      return;
    field.focus();
    // What cannot be read is typed anew, and takes the place of what was refused.
    if (field.matches(SECRET)) (field as HTMLInputElement).select();
  }, [isHeld]);
  useEffect(() => {
    if (problem?.errors) leadTo(element.current?.querySelector<HTMLElement>(REFUSED));
  }, [problem]);
  return (
    <form
      ref={element}
      class={inLine ? 'filters no-print' : 'form'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (sending.isPending || disabled || submit === undefined) return;
        // The note is about the try before, also where this one goes no further than the page.
        setOutdated(sending.error);
        if (!areAllFit()) return;
        setSent(new Map(held));
        focused.current = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
        const { submitter } = event;
        if (submitter instanceof HTMLButtonElement && submitter.name === OTHER) other?.onSubmit();
        else onSubmit();
      }}
    >
      <Findings.Provider value={{ problem, unfit, claimed, held, first, sent }}>
        {saved === undefined ? (
          <div class="held" inert={isHeld}>
            {children}
          </div>
        ) : (
          children
        )}
      </Findings.Provider>
      {!isOwnInDoubt && conflict}
      {isThere && <FoundSaved />}
      {sending.error && sending.error !== outdated && !explained && !isSaidAtField && !isThere ? (
        <ProblemNote error={sending.error} saidElsewhere={claimed} />
      ) : null}
      <div class="form-foot">
        {submit !== undefined && (
          <Button type="submit" look={isDanger ? 'danger' : 'main'} busy={sending.isPending} resting={disabled}>
            {submit}
          </Button>
        )}
        {other && (
          <Button type="submit" name={OTHER} resting={disabled || sending.isPending}>
            {other.label}
          </Button>
        )}
        {cancel && <Button onClick={cancel}>{t('cancel')}</Button>}
        {extra}
      </div>
      <p class="unseen" role="status">
        {saved && t('saved')}
      </p>
    </form>
  );
}
