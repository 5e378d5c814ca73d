import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';

/** Prints the page as it is; what paper does not need has the class `no-print`. `children` says what, where that is not plain. */
export function PrintButton({
  children,
  look = 'plain',
  autofocus = false,
}: {
  readonly children?: string;
  readonly look?: 'main' | 'plain';
  readonly autofocus?: boolean;
}) {
  const t = useWords(frame);
  return (
    <Button
      icon="print"
      {...{ look, autofocus }}
      onClick={() => {
        print();
      }}
    >
      {children ?? t('print')}
    </Button>
  );
}
