import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { Form, useForm } from '../../parts/form.js';
import { cents } from '../../values/cents.js';
import { money, plainMoney, readNumber } from '../../values/formats.js';
import type { PaymentMethod } from '../../words/payments.js';
import { PAYMENT_METHODS, paymentMethods } from '../../words/payments.js';
import { useWords } from '../../words/words.js';
import { useCards } from './cards.js';
import type { Cart, Payment } from './cart.js';
import { leftCents, totalCents } from './cart.js';
import { words } from './words.js';

interface Values {
  method: PaymentMethod;
  amount: string;
  tendered: string;
  cardBrandId: string;
  installments: string;
  authorizationCode: string;
  description: string;
}

const asTyped = (leftInCents: number): string => plainMoney(Math.max(0, leftInCents) / 100);

const fresh = (leftCents: number): Values => ({
  method: 'CASH',
  amount: asTyped(leftCents),
  tendered: '',
  cardBrandId: '',
  installments: '1',
  authorizationCode: '',
  description: '',
});

const textOf = (name: 'authorizationCode' | 'description', value: string) =>
  value.trim() === '' ? {} : { [name]: value.trim() };

function paymentOf(values: Values): Payment {
  const { method } = values;
  const amount = cents(readNumber(values.amount) ?? 0) / 100;
  const tendered = readNumber(values.tendered);
  const isCard = method === 'DEBIT' || method === 'CREDIT';
  return {
    method,
    amount,
    ...(method === 'CASH' && tendered !== undefined ? { tendered } : {}),
    ...(isCard && values.cardBrandId !== '' ? { cardBrandId: values.cardBrandId } : {}),
    ...(method === 'CREDIT' ? { installments: Number(values.installments) } : {}),
    ...(isCard ? textOf('authorizationCode', values.authorizationCode) : {}),
    ...(method === 'OTHER' ? textOf('description', values.description) : {}),
  };
}

/** To the way of paying that is chosen by now: the page may still show the one before. */
const toMethod = () =>
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.till-methods input:checked')?.focus());

const idle = { isPending: false, error: null };

/** How the customer pays: one way or several, with change, or by card in instalments; by keyboard alone. */
export function PaymentDialog({
  cart,
  onPaid,
  offersDocument,
  wantsDocument,
  onWantsDocument,
  onFinish,
  onClose,
}: {
  readonly cart: Cart;
  /** What is paid so far has changed. */
  readonly onPaid: (paid: readonly Payment[]) => void;
  readonly offersDocument: boolean;
  readonly wantsDocument: boolean;
  readonly onWantsDocument: (wanted: boolean) => void;
  readonly onFinish: (payments: readonly Payment[]) => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const { paid = [] } = cart;
  const left = leftCents(cart);
  const form = useForm(fresh(left));
  const { values } = form;
  const amount = cents(readNumber(values.amount) ?? 0);
  const tendered = readNumber(values.tendered);
  const isShort = values.method === 'CASH' && tendered !== undefined && cents(tendered) < amount;
  const isLast = amount === left;
  const isRight = amount >= 0 && amount <= left && !isShort && (amount > 0 || left === 0);
  const submit = () => {
    const payment = paymentOf(values);
    if (isLast) {
      onFinish(left === 0 ? paid : [...paid, payment]);
      return;
    }
    onPaid([...paid, payment]);
    form.reset(fresh(left - amount));
    toMethod();
  };
  return (
    <Dialog title={t('payTitle', { total: money(totalCents(cart) / 100) })} onClose={onClose}>
      <div
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return;
          event.preventDefault();
          event.target.form?.requestSubmit();
        }}
      >
        <Form sending={idle} submit={isLast ? t('finish') : t('addPayment')} disabled={!isRight} onSubmit={submit}>
          <PaidSoFar
            paid={paid}
            left={left}
            onTakeOut={(place) => {
              const rest = paid.filter((_, index) => index !== place);
              onPaid(rest);
              form.set('amount', asTyped(leftCents({ ...cart, paid: rest })));
            }}
          />
          <Methods form={form} />
          <NumberField
            label={t('amount')}
            required
            unit="R$"
            value={values.amount}
            hint={left >= 0 && amount > left ? t('tooMuch') : undefined}
            onValue={(value) => {
              form.set('amount', value);
            }}
          />
          <MethodFields form={form} amount={amount} />
          {offersDocument && (
            <CheckField label={t('issueDocument')} checked={wantsDocument} onChecked={onWantsDocument} />
          )}
          {values.method === 'CASH' && (
            <p class="till-change" role="status">
              <span>{isShort ? t('tooLittle', { amount: money((amount - cents(tendered)) / 100) }) : t('change')}</span>
              {!isShort && <strong>{money(Math.max(0, cents(tendered ?? 0) - amount) / 100)}</strong>}
            </p>
          )}
        </Form>
      </div>
    </Dialog>
  );
}

function PaidSoFar({
  paid,
  left,
  onTakeOut,
}: {
  readonly paid: readonly Payment[];
  readonly left: number;
  readonly onTakeOut: (place: number) => void;
}) {
  const t = useWords(words);
  const method = useWords(paymentMethods);
  if (paid.length === 0) return null;
  return (
    <div class="note">
      {paid.map((payment, place) => (
        <p key={place} class="till-paid">
          <span>{method(payment.method)}</span>
          <strong>{money(payment.amount)}</strong>
          <Button
            look="quiet"
            aria-label={t('removeLine', { name: method(payment.method) })}
            onClick={() => {
              onTakeOut(place);
            }}
          >
            {t('takeOut')}
          </Button>
        </p>
      ))}
      <p class="till-paid">
        <span>{t(left < 0 ? 'paidTooMuch' : 'leftToPay')}</span>
        <strong>{money(Math.abs(left) / 100)}</strong>
      </p>
    </div>
  );
}

/** Digits choose, arrows move, and the focus goes on to what this way of paying asks for. */
function Methods({ form }: { readonly form: FormState<Values> }) {
  const t = useWords(words);
  const method = useWords(paymentMethods);
  const choose = (wanted: PaymentMethod, isSure: boolean, fieldset: HTMLElement) => {
    form.set('method', wanted);
    if (!isSure) return;
    requestAnimationFrame(() => {
      const next = fieldset.closest('form')?.querySelector<HTMLElement>('.till-asked :is(input, select)');
      (next ?? fieldset.querySelector<HTMLElement>('input:checked'))?.focus();
    });
  };
  return (
    <fieldset
      class="till-methods"
      onKeyDown={(event) => {
        const wanted = PAYMENT_METHODS[Number(event.key) - 1];
        if (!wanted) return;
        event.preventDefault();
        choose(wanted, true, event.currentTarget);
      }}
    >
      <legend class="legend">{t('method')}</legend>
      <div class="till-choices">
        {PAYMENT_METHODS.map((one, place) => (
          <label key={one} class="till-choice">
            <input
              type="radio"
              name="method"
              value={one}
              autofocus={place === 0}
              checked={form.values.method === one}
              onChange={({ currentTarget }) => {
                choose(one, false, currentTarget);
              }}
            />
            <kbd>{place + 1}</kbd> {method(one)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function MethodFields({ form, amount }: { readonly form: FormState<Values>; readonly amount: number }) {
  const t = useWords(words);
  const may = useMay();
  const { values } = form;
  const cards = useCards(may('cardFees.view'));
  const set =
    (name: 'tendered' | 'cardBrandId' | 'installments' | 'authorizationCode' | 'description') => (value: string) => {
      form.set(name, value);
    };
  if (values.method === 'PIX') return null;
  if (values.method === 'CASH') {
    return (
      <div class="till-asked">
        <NumberField
          label={t('tendered')}
          hint={t('tenderedHint')}
          unit="R$"
          value={values.tendered}
          onValue={set('tendered')}
        />
      </div>
    );
  }
  if (values.method === 'OTHER') {
    return (
      <div class="till-asked">
        <TextField label={t('description')} maxLength={60} value={values.description} onValue={set('description')} />
      </div>
    );
  }
  const times = Array.from({ length: cards.maxInstallments }, (_, place) => place + 1);
  return (
    <div class="till-asked fields">
      {cards.brands.length > 0 && (
        <SelectField
          label={t('brand')}
          value={values.cardBrandId}
          onValue={set('cardBrandId')}
          choices={[
            { value: '', label: t('anyBrand') },
            ...cards.brands.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {values.method === 'CREDIT' && (
        <SelectField
          label={t('installments')}
          required
          value={values.installments}
          onValue={set('installments')}
          choices={times.map((n) => ({ value: String(n), label: t('times', { n, amount: money(amount / 100 / n) }) }))}
        />
      )}
      <TextField
        label={t('authorization')}
        maxLength={128}
        value={values.authorizationCode}
        onValue={set('authorizationCode')}
      />
    </div>
  );
}
