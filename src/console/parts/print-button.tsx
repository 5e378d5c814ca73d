import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';

/** Prints the page as it is; what paper does not need has the class `no-print`. */
export function PrintButton() {
  const t = useWords(frame);
  return (
    <Button
      icon="print"
      onClick={() => {
        print();
      }}
    >
      {t('print')}
    </Button>
  );
}
