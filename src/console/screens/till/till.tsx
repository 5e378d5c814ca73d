import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Question } from '../../client/questions.js';
import { ask } from '../../client/questions.js';
import { useMay, useMe } from '../../client/session.js';
import { useOwnStore } from '../../client/store.js';
import { useUnderWay } from '../../parts/leaving.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { useStrayScans } from '../../parts/stray-scans.js';
import { isoDay, moment, money } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Cart } from './cart.js';
import { isComplete, isFree, priceBefore, saleOf, totalCents } from './cart.js';
import { CartLines } from './cart-lines.js';
import { CustomerDialog } from './customer-dialog.js';
import { LastSale } from './last-sale.js';
import type { OutgoingSale } from './outbox.js';
import { keptByOthers, outboxOf, useOutgoing } from './outbox.js';
import { PaymentDialog } from './payment-dialog.js';
import { leftUnsold, rememberFinished, usePurchase } from './purchase.js';
import { ScanField } from './scan-field.js';
import type { Waiting } from './scanning.js';
import { useAfterScans, useScanning } from './scanning.js';
import { TillSide } from './till-side.js';
import { UnsentSales } from './unsent-sales.js';
import { words } from './words.js';
import { newId } from '../../values/ids.js';

const WANTS_DOCUMENT = 'till-documents';

/** Whether a document follows each sale: as it was chosen here last, at first where the store has what documents need. */
function useWantsDocument() {
  const may = useMay();
  const store = useOwnStore();
  const [chosen, setChosen] = useState(localStorage.getItem(WANTS_DOCUMENT));
  const offers = may('fiscal.manage');
  return {
    offers,
    wants: offers && (chosen === null ? store.data?.fiscal.address != null : chosen === 'yes'),
    choose(wanted: boolean) {
      localStorage.setItem(WANTS_DOCUMENT, wanted ? 'yes' : 'no');
      setChosen(wanted ? 'yes' : 'no');
    },
  };
}

function useOutbox() {
  const { storeSlug, id } = useMe();
  const outbox = outboxOf(storeSlug, id);
  const ofOthers = useMemo(() => keptByOthers(storeSlug, id), [storeSlug, id]);
  useEffect(() => {
    outbox.wake();
    addEventListener('online', outbox.wake);
    return () => {
      removeEventListener('online', outbox.wake);
    };
  }, [outbox]);
  return { outbox, ofOthers, outgoing: useOutgoing(outbox) };
}

const WITHOUT_UNREAD: Question = {
  title: words.payWithout,
  text: words.unreadCodes,
  yes: words.goOnWithout,
  no: words.backToSale,
};

/** A simple till, made for a keyboard and a scanner: scan, quantity, payment, done. */
export default function Till() {
  const t = useWords(words);
  const { storeSlug } = useMe();
  const field = useRef<HTMLInputElement>(null);
  const purchase = usePurchase(storeSlug);
  const { outbox, outgoing, ofOthers } = useOutbox();
  const documents = useWantsDocument();
  const [open, setOpen] = useState<'pay' | 'customer'>();
  const [lastKey, setLastKey] = useState<string>();
  const [missed, setMissed] = useState<Waiting>();
  const [unclear, setUnclear] = useState<Waiting>();
  const { cart } = purchase;
  // Who took the customer's money is told here what became of the sale.
  useUnderWay(!isFree(cart) || outgoing.some(({ booked }) => !booked));
  const [isSoldElsewhere, setSoldElsewhere] = useState(false);
  useLayoutEffect(() => {
    const left = leftUnsold(storeSlug, cart);
    if (!left) return;
    purchase.change(left);
    setOpen(undefined);
    setSoldElsewhere(true);
  }, [outgoing]);
  const last = isFree(cart) ? outgoing.find(({ key }) => key === lastKey) : undefined;
  const toScan = () => {
    setOpen(undefined);
    requestAnimationFrame(() => {
      const scan = field.current;
      scan?.focus();
      // A dialog that closes gives the focus back by itself, but leaves the caret elsewhere: what is read then goes nowhere.
      scan?.setSelectionRange(scan.value.length, scan.value.length);
    });
  };
  const scanning = useScanning((waiting, meant) => {
    const scanned = meant !== 'several' && meant?.product.active ? meant : undefined;
    if (scanned) purchase.add(scanned, waiting.factor);
    setSoldElsewhere(false);
    setUnclear(meant === 'several' ? waiting : undefined);
    setMissed(scanned || meant === 'several' ? undefined : waiting);
  });
  const forgetAll = (codes: readonly Waiting[]) => {
    for (const { id } of codes) scanning.forget(id);
  };
  /** What could not be read is not paid: not with this purchase, nor by the next customer. */
  const payWithoutStuck = async (): Promise<void> => {
    const { stuck } = scanning;
    const codes = stuck.map(({ code }) => code).join(', ');
    if (stuck.length === 0 || (await ask({ ...WITHOUT_UNREAD, filling: { codes } }))) {
      forgetAll(stuck);
      setOpen('pay');
    } else toScan();
  };
  const pay = useAfterScans(scanning, (hasWaited) => {
    const isAllFound = missed === undefined && !unclear;
    if (!isComplete(cart)) document.querySelector<HTMLElement>('.till-lines [aria-invalid="true"]')?.focus();
    else if (isAllFound || !hasWaited) void payWithoutStuck();
  });
  const reopen = (sale: OutgoingSale) => {
    outbox.remove(sale.key);
    purchase.open(sale.cart);
    toScan();
  };
  const finish = (payments: Parameters<typeof saleOf>[1]) => {
    const key = newId();
    const at = Date.now();
    rememberFinished(storeSlug, cart, payments);
    outbox.add({
      key,
      at,
      cart,
      totalCents: totalCents(cart),
      sale: saleOf(cart, payments, new Date(at).toISOString()),
      documentKey: documents.wants ? newId() : null,
    });
    setLastKey(key);
    purchase.clear();
    toScan();
  };
  const next = () => {
    setLastKey(undefined);
    toScan();
  };
  useStrayScans(
    (target) => target === field.current || open === 'customer',
    (code) => {
      scanning.scan(code);
      toScan();
    },
  );
  useKeys({
    F2: toScan,
    F4: () => document.querySelector<HTMLInputElement>('.till-lines [data-field="quantity"]')?.focus(),
    F8: () => {
      setOpen('customer');
    },
    F9: pay,
  });
  return (
    <Page title={t('title')}>
      <UnsentSales {...{ outbox, outgoing, ofOthers }} shown={last?.key} isCounterFree={isFree(cart)} onOpen={reopen} />
      <div class="till">
        <div class="till-counter">
          <ScanField
            {...{ field, scanning, unclear }}
            onPick={(scanned, factor) => {
              purchase.add(scanned, factor);
              setUnclear(undefined);
              setMissed(undefined);
            }}
            onEmptyEnter={() => {
              if (last?.state === 'refused') reopen(last);
              else if (last) next();
            }}
          />
          {unclear && (
            <p key={unclear.id} class="note warn" role="alert">
              {t('several', { code: unclear.code })}
            </p>
          )}
          {missed && (
            <p key={missed.id} class="note bad" role="alert">
              {t('notFound', { code: missed.code })}
            </p>
          )}
          {isSoldElsewhere && (
            <p class="note warn" role="alert">
              {t('soldElsewhere')}
            </p>
          )}
          {last ? (
            <LastSale
              outgoing={last}
              onNext={next}
              onCorrect={() => {
                reopen(last);
              }}
              onSellAnyway={() => {
                setLastKey(outbox.sellBelowZero(last));
                toScan();
              }}
            />
          ) : (
            <Counter cart={cart}>
              <CartLines
                cart={cart}
                onChange={(id, changes) => {
                  purchase.changeLine(id, changes);
                }}
                onRemove={(id) => {
                  purchase.remove(id);
                  toScan();
                }}
                onEnter={toScan}
              />
            </Counter>
          )}
        </div>
        <TillSide
          cart={cart}
          onPrices={(prices) => {
            purchase.change({ prices });
            toScan();
          }}
          onCustomer={() => {
            setOpen('customer');
          }}
          onPay={pay}
          onClear={() => {
            forgetAll(scanning.waiting);
            purchase.clear();
            toScan();
          }}
        />
      </div>
      {open === 'pay' && (
        <PaymentDialog
          cart={cart}
          onPaid={(paid) => {
            purchase.change({ paid });
          }}
          offersDocument={documents.offers}
          wantsDocument={documents.wants}
          onWantsDocument={(wanted) => {
            documents.choose(wanted);
          }}
          onFinish={finish}
          onClose={toScan}
        />
      )}
      {open === 'customer' && (
        <CustomerDialog
          onPick={(customer) => {
            purchase.change({ customer });
            toScan();
          }}
          onClose={toScan}
        />
      )}
    </Page>
  );
}

/** Keys that work wherever the focus is, but not above a dialog. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!act || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, []);
}

/** A till that was left open over night may still have what somebody did not buy. */
const isOfAnotherDay = ({ begunAt }: Cart): boolean => begunAt !== undefined && isoDay(0, begunAt) !== isoDay();

function Counter({ cart, children }: { readonly cart: Cart; readonly children: ComponentChildren }) {
  const t = useWords(words);
  const last = cart.lines.at(-1);
  const before = last && priceBefore(cart, last);
  return (
    <>
      <p class="unseen" role="status">
        {last && `${last.description}: ${last.quantity} ${last.unit}`}
        {before !== undefined && `, ${t('priceBefore', { price: money(before) })}`}
      </p>
      {last && isOfAnotherDay(cart) && (
        <p class="note warn" role="status">
          {t('begunBefore', { when: moment(new Date(cart.begunAt ?? 0).toISOString()) })}
        </p>
      )}
      {last ? children : <Empty title={t('emptyCart')} />}
    </>
  );
}
