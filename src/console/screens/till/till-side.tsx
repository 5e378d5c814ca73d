import type { Question } from '../../client/questions.js';
import { ifMeant } from '../../client/questions.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { money } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Cart, Prices } from './cart.js';
import { isComplete, isFree, leftCents, totalCents } from './cart.js';
import { WRONG_LINE } from './cart-lines.js';
import { words } from './words.js';

const EMPTYING: Question = { title: words.clearAsk, yes: words.clear, no: words.backToSale };

const EMPTYING_PAID: Question = {
  title: words.clearPaidAsk,
  text: words.clearPaid,
  yes: words.clear,
  no: words.backToSale,
};

/** What it comes to, what is left to pay, and what else is done with it. */
export function TillSide({
  cart,
  onPrices,
  onCustomer,
  onPay,
  onClear,
}: {
  readonly cart: Cart;
  readonly onPrices: (prices: Prices) => void;
  readonly onCustomer: () => void;
  readonly onPay: () => void;
  readonly onClear: () => void;
}) {
  const t = useWords(words);
  const may = useMay();
  const left = leftCents(cart);
  const paid = totalCents(cart) - left;
  const prices = (which: Prices, label: string) => (
    <Button
      aria-pressed={cart.prices === which}
      onClick={() => {
        onPrices(which);
      }}
    >
      {label}
    </Button>
  );
  return (
    <aside class="till-side" aria-label={t('subtotal')}>
      <p class="till-total">
        <span>{cart.lines.length === 0 ? t('subtotal') : t('items', { n: cart.lines.length })}</span>
        <output aria-live="polite">{money(totalCents(cart) / 100)}</output>
      </p>
      {paid > 0 && (
        <p class="till-paid">
          <span>{t(cart.lines.length === 0 ? 'paidForNothing' : left < 0 ? 'paidTooMuch' : 'leftToPay')}</span>
          <strong>{money(Math.abs(left) / 100)}</strong>
        </p>
      )}
      <Button look="main" disabled={cart.lines.length === 0} onClick={onPay}>
        {t('pay')} <span class="wide-only">(F9)</span>
      </Button>
      {cart.lines.length > 0 && !isComplete(cart) && (
        <p id={WRONG_LINE} class="bad-text" role="status">
          {t('wrongLine')}
        </p>
      )}
      <div class="row" role="group" aria-label={t('prices')}>
        {prices('cash', t('cashPrices'))}
        {prices('credit', t('creditPrices'))}
      </div>
      {may('customers.view') && (
        <Button icon="customers" onClick={onCustomer}>
          {cart.customer ? (
            cart.customer.name
          ) : (
            <>
              {t('findCustomer')} <span class="wide-only">(F8)</span>
            </>
          )}
        </Button>
      )}
      {!isFree(cart) && (
        <Button
          look="quiet"
          icon="bin"
          onClick={() => {
            const n = cart.lines.length;
            if (paid > 0) ifMeant({ ...EMPTYING_PAID, filling: { amount: money(paid / 100) } }, onClear);
            // What was read with one scan is soon read again.
            else if (n === 1) onClear();
            else ifMeant({ ...EMPTYING, filling: { n } }, onClear);
          }}
        >
          {t('clear')}
        </Button>
      )}
      <dl class="till-keys wide-only" aria-label={t('keys')}>
        {(
          [
            ['F2', 'keyScan'],
            ['F4', 'keyQuantity'],
            ['F8', 'keyCustomer'],
            ['F9', 'keyPay'],
          ] as const
        ).map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
