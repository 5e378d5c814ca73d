import { useRef, useState } from 'preact/hooks';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { Field } from './fields.js';
import { useLeaveWarning } from './leaving.js';
import { words } from './shown-once-words.js';

/** A secret that is shown this one time, to copy. */
export function ShownOnce({ label, value }: { readonly label: string; readonly value: string }) {
  const t = useWords(words);
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const [isMarked, setMarked] = useState(false);
  useLeaveWarning('shownOnce');
  const copyIt = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // A browser has no clipboard over plain http, and may refuse it: the text stands marked, ready for the keyboard.
      setMarked(true);
    }
  };
  return (
    <Field {...{ label }} hint={isMarked && !isCopied ? t('copyMarked') : undefined} required>
      {(described) => (
        <span class="with-unit">
          <input ref={input} {...described} {...{ value }} readOnly spellcheck={false} />
          {/* Enter pressed once more, as while the answer was slow, must not put it away. */}
          <Button autofocus onClick={() => void copyIt()}>
            {t(isCopied ? 'copied' : 'copy')}
          </Button>
        </span>
      )}
    </Field>
  );
}
