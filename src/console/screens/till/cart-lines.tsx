import { IconButton } from '../../parts/button.js';
import { withoutUnit } from '../../parts/fields.js';
import { money, quantity, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Cart, Line } from './cart.js';
import { lineCents, lineQuantity, priceBefore, priceOf, shortageOf } from './cart.js';
import { words } from './words.js';

/** The element that says what to do about a line that is marked. */
export const WRONG_LINE = 'till-wrong-line';

interface Changing {
  readonly onChange: (id: string, change: Partial<Pick<Line, 'quantity' | 'discount'>>) => void;
  readonly onRemove: (id: string) => void;
  /** Enter goes back to scanning. */
  readonly onEnter: () => void;
}

/** What lies on the counter, the last one first. */
export function CartLines({ cart, ...changing }: { readonly cart: Cart } & Changing) {
  const t = useWords(words);
  return (
    <ol class="till-lines" aria-label={t('cart')}>
      {[...cart.lines].reverse().map((line) => (
        <CartLine key={line.id} {...{ cart, line }} {...changing} />
      ))}
    </ol>
  );
}

function CartLine({
  cart,
  line,
  onChange,
  onRemove,
  onEnter,
}: { readonly cart: Cart; readonly line: Line } & Changing) {
  const t = useWords(words);
  const { prices } = cart;
  const before = priceBefore(cart, line);
  const sold = lineQuantity(line);
  const shortage = shortageOf(line);
  const number = (name: 'quantity' | 'discount', label: string, short: string, isWrong: boolean) => (
    <label class="till-number">
      <span class="fine">{short}</span>
      <input
        class="figure"
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? WRONG_LINE : undefined}
        inputMode="decimal"
        autocomplete="off"
        data-field={name}
        value={line[name]}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
        onInput={({ currentTarget }) => {
          onChange(line.id, { [name]: withoutUnit(currentTarget.value, name === 'quantity' ? line.unit : undefined) });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onEnter();
        }}
      />
    </label>
  );
  const discount = readNumber(line.discount);
  return (
    <li>
      <div class="till-goods">
        <strong>{line.description}</strong>
        <span class="fine">{`${money(priceOf(line, prices))} / ${line.unit}`}</span>
        {before !== undefined && <span class="fine warn-text">{t('priceBefore', { price: money(before) })}</span>}
        {shortage && (
          <span class="fine warn-text">{t(shortage.said, { quantity: quantity(shortage.of, line.unit) })}</span>
        )}
      </div>
      {number('quantity', t('quantity', { name: line.description }), `${t('quantityShort')} (${line.unit})`, sold <= 0)}
      {number(
        'discount',
        t('discount', { name: line.description }),
        `${t('discountShort')} (R$)`,
        (line.discount.trim() !== '' && discount === undefined) || (sold > 0 && lineCents(line, prices) < 0),
      )}
      <span class="till-line-total">{money(lineCents(line, prices) / 100)}</span>
      <IconButton
        icon="close"
        label={t('removeLine', { name: line.description })}
        onClick={() => {
          onRemove(line.id);
        }}
      />
    </li>
  );
}
