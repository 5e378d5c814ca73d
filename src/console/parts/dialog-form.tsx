import type { ComponentChildren } from 'preact';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import type { FormState } from './form.js';
import { Form } from './form.js';

interface Saving<V> {
  readonly isPending: boolean;
  readonly error: Error | null;
  mutate(values: V): void;
}

/** The form of one record in a dialog, new or known, with the button that leads to its removal. */
export function DialogForm<V extends object>({
  form,
  saving,
  onClose,
  removal,
  disabled = false,
  children,
}: {
  readonly form: FormState<V> & { readonly conflict?: ComponentChildren; readonly isFound?: boolean };
  readonly saving: Saving<V>;
  readonly onClose: () => void;
  /** Undefined for what is new, or cannot be removed. */
  readonly removal?: { readonly label: string; readonly onAsk: () => void } | undefined;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}) {
  const t = useWords(frame);
  return (
    <Form
      sending={saving}
      submit={t('save')}
      cancel={onClose}
      form={form}
      conflict={form.conflict}
      disabled={disabled}
      onSubmit={() => {
        saving.mutate(form.values);
      }}
      extra={
        removal && (
          <Button look="danger" icon="bin" onClick={removal.onAsk}>
            {removal.label}
          </Button>
        )
      }
    >
      {children}
    </Form>
  );
}
