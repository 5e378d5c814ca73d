import { useRef, useState } from 'preact/hooks';
import { Button } from './button.js';
import { Field } from './fields.js';

/** A secret that is shown this one time, to copy. */
export function ShownOnce({
  label,
  value,
  copy,
  copied,
}: {
  readonly label: string;
  readonly value: string;
  readonly copy: string;
  readonly copied: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copyIt = async () => {
    input.current?.select();
    // Without a clipboard the text stands marked, ready for the keyboard.
    await navigator.clipboard.writeText(value).catch(() => undefined);
    setCopied(true);
  };
  return (
    <Field {...{ label }} required>
      {({ id }) => (
        <span class="with-unit">
          <input ref={input} {...{ id, value }} readOnly spellcheck={false} />
          <Button onClick={() => void copyIt()}>{isCopied ? copied : copy}</Button>
        </span>
      )}
    </Field>
  );
}
