import { useState } from 'preact/hooks';
import { IconButton } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { money, percent } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Sale } from './sale-state.js';
import { words } from './words.js';

type Payment = Sale['payments'][number];

const CENTS = 100;

/** Says how the fee of a payment came about: its percentage, its fixed part, and what it was before a recalculation. */
export function FeeWhy({ payment }: { readonly payment: Payment }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const [isOpen, setOpen] = useState(false);
  const label = `${shared('why')} ${t('fee')}`;
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      <IconButton
        icon="why"
        label={label}
        onClick={() => {
          setOpen(true);
        }}
      />
      {isOpen && (
        <Dialog title={label} onClose={close}>
          <FeeLines payment={payment} />
        </Dialog>
      )}
    </>
  );
}

function FeeLines({ payment }: { readonly payment: Payment }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const { amount, accountName, feePercent, installments } = payment;
  const fee = payment.fee ?? 0;
  const fixed = payment.fixedFee ?? 0;
  const share = Math.round((fee - fixed) * CENTS) / CENTS;
  return (
    <div class="why">
      {accountName && (
        <p>
          {t('feeBy', { machine: accountName })}{' '}
          {installments && installments > 1 && t('installments', { n: installments })}
        </p>
      )}
      <ul class="why-lines">
        <li class="why-line">
          <span>{t('feeShare', { percent: percent(feePercent, 4), amount: money(amount) })}</span>
          <span class="figure">{money(share)}</span>
        </li>
        <li class="why-line">
          <span>{t('feeFixed')}</span>
          <span class="figure">{money(fixed)}</span>
        </li>
      </ul>
      <p class="why-total">
        <strong>{shared('total')}</strong>
        <strong>{money(fee)}</strong>
      </p>
      {payment.previousFee !== undefined && payment.previousFee !== null && (
        <p class="fine">
          {t('feeBefore', { fee: money(payment.previousFee), percent: percent(payment.previousFeePercent, 4) })}
        </p>
      )}
    </div>
  );
}
