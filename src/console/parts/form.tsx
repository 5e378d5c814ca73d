import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../client/problem.js';
import { refusalOf } from '../client/problem.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { ProblemNote } from './problem-note.js';

/** What somebody types: texts as they are typed, until they are sent. */
export interface FormState<V extends object> {
  readonly values: V;
  readonly set: <K extends keyof V>(name: K, value: V[K]) => void;
  change(values: Partial<V>): void;
  reset(values: V): void;
  readonly isDirty: boolean;
}

export function useForm<V extends object>(initial: V): FormState<V> {
  const [base, setBase] = useState(initial);
  const [values, setValues] = useState(initial);
  return {
    values,
    set(name, value) {
      setValues((current) => ({ ...current, [name]: value }));
    },
    change(changed) {
      setValues((current) => ({ ...current, ...changed }));
    },
    reset(next) {
      setBase(next);
      setValues(next);
    },
    isDirty: JSON.stringify(base) !== JSON.stringify(values),
  };
}

const FormProblem = createContext<Problem | undefined>(undefined);

/** What the service says of a field, by the path that it has in the body. */
export function useFieldProblem(path: string | undefined): string | undefined {
  const problem = useContext(FormProblem);
  return path === undefined ? undefined : problem?.errors?.find((error) => error.path === path)?.message;
}

interface Sending {
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** Keeps people from leaving with something typed and not sent. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const warn = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
    };
  }, [isDirty]);
}

/** One form for all screens: sends once, says beside the fields what was wrong, and loses nothing that was typed. */
export function Form({
  sending,
  onSubmit,
  submit,
  cancel,
  children,
  form,
  conflict,
  disabled = false,
  extra,
}: {
  readonly sending: Sending;
  readonly onSubmit: () => void;
  readonly submit: string;
  readonly cancel?: (() => void) | undefined;
  readonly children: ComponentChildren;
  readonly form?: Pick<FormState<object>, 'isDirty'>;
  /** Shown where somebody else changed the record meanwhile. */
  readonly conflict?: ComponentChildren;
  readonly disabled?: boolean;
  readonly extra?: ComponentChildren;
}) {
  const t = useWords(frame);
  const element = useRef<HTMLFormElement>(null);
  useLeaveWarning(form?.isDirty ?? false);
  const problem = refusalOf(sending.error);
  const explained = problem?.code === 'PRECONDITION_FAILED' && conflict;
  useEffect(() => {
    if (problem?.errors) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  return (
    <form
      ref={element}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (sending.isPending) return;
        const wrong = element.current?.querySelector<HTMLElement>(':invalid:not(fieldset)');
        if (wrong) {
          element.current?.classList.add('checked');
          wrong.focus();
          return;
        }
        onSubmit();
      }}
    >
      <FormProblem.Provider value={problem}>{children}</FormProblem.Provider>
      {conflict}
      {sending.error && !explained ? <ProblemNote error={sending.error} /> : null}
      <div class="form-foot">
        <Button type="submit" look="main" busy={sending.isPending} disabled={disabled}>
          {submit}
        </Button>
        {cancel && <Button onClick={cancel}>{t('cancel')}</Button>}
        {extra}
      </div>
    </form>
  );
}
