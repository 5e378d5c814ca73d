import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.js';
import { useIsPrinting } from '../../parts/printing.js';
import { whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

const AT_FIRST = 8;

/** The first rows of a table, and all of them when they are asked for or go to paper: what stands below is reached soon. */
export function FirstRows<R>({
  rows,
  children,
}: {
  readonly rows: readonly R[];
  readonly children: (shown: readonly R[]) => ComponentChildren;
}) {
  const t = useWords(words);
  const [isAll, setAll] = useState(false);
  const isPrinting = useIsPrinting();
  const shown = isAll || isPrinting ? rows : rows.slice(0, AT_FIRST);
  return (
    <>
      {children(shown)}
      {shown.length < rows.length && (
        <Button
          look="quiet"
          onClick={() => {
            setAll(true);
          }}
        >
          {t('showAll', { count: whole(rows.length) })}
        </Button>
      )}
    </>
  );
}
