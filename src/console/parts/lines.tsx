import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button, IconButton } from './button.js';
import { useLineFocus } from './line-focus.js';

/** A key for each line, which it keeps when others go, so that what is half typed in it stays with it. */
function useLineKeys(count: number) {
  const keys = useRef<number[]>([]);
  const next = useRef(0);
  keys.current.length = Math.min(keys.current.length, count);
  while (keys.current.length < count) keys.current.push(next.current++);
  return keys.current;
}

/** Lines of one list: each can be changed and removed, and one more be added. */
export function Lines<L extends object>({
  lines,
  onLines,
  fresh,
  add,
  remove,
  keepsOne = false,
  children,
}: {
  readonly lines: readonly L[];
  readonly onLines: (lines: readonly L[]) => void;
  /** What a line is that was just added; undefined where none can be. */
  readonly fresh: L | undefined;
  readonly add: string;
  readonly remove: (n: number) => string;
  /** The last line is emptied instead of removed. */
  readonly keepsOne?: boolean;
  readonly children: (line: L, change: (changed: Partial<L>) => void, place: number) => ComponentChildren;
}) {
  const t = useWords(frame);
  const keys = useLineKeys(lines.length);
  const focus = useLineFocus<HTMLDivElement>('.line');
  const removeAt = (place: number) => {
    focus.removing(place);
    keys.splice(place, 1);
    const rest = lines.filter((_, index) => index !== place);
    onLines(keepsOne && fresh && rest.length === 0 ? [fresh] : rest);
  };
  return (
    <div class="lines" ref={focus.element}>
      {lines.map((line, place) => (
        <div class="line" key={keys[place]} role="group" aria-label={t('lineOf', { n: place + 1 })}>
          <div class="fields">
            {children(
              line,
              (changed) => {
                onLines(lines.map((one, index) => (index === place ? { ...one, ...changed } : one)));
              },
              place,
            )}
            <IconButton
              icon="close"
              label={remove(place + 1)}
              onClick={() => {
                removeAt(place);
              }}
            />
          </div>
        </div>
      ))}
      {fresh && (
        <Button
          icon="plus"
          onClick={() => {
            focus.adding();
            onLines([...lines, fresh]);
          }}
        >
          {add}
        </Button>
      )}
    </div>
  );
}
