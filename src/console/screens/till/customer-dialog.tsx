import { useEffect, useRef, useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { Button } from '../../parts/button.js';
import { useDelayed } from '../../parts/delayed.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/fields.js';
import { Shown } from '../../parts/shown.js';
import { phone, taxId } from '../../values/contacts.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Cart } from './cart.js';
import { words } from './words.js';

const MOST = 8;
const LEAST = 2;

/** Several may have the same name. */
const toldApartBy = (customer: { readonly document: string | null; readonly phone: string | null }) =>
  customer.document ? taxId(customer.document) : customer.phone && phone(customer.phone);

/** Who buys: found by name, phone, CPF or CNPJ; Enter takes the first. */
export function CustomerDialog({
  onPick,
  onClose,
}: {
  readonly onPick: (customer: Cart['customer']) => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const shared = useWords(frame);
  const [typed, setTyped] = useState('');
  const asked = useDelayed(typed.trim(), 150);
  const found = useRead({
    key: ['till', 'customers', asked],
    kinds: ['customer'],
    when: asked.length >= LEAST,
    keep: true,
    read: (signal) => body(api.GET('/customers', { params: { query: { q: asked, limit: MOST } }, signal })),
  });
  const known = found.data?.items.filter(({ erasedAt }) => erasedAt === null) ?? [];
  const pick = ({ id, name }: { readonly id: string; readonly name: string | null }) => {
    onPick({ id, name: name ?? shared('noName') });
  };
  // Whose name came before is not taken for the one that is typed, however late that one comes.
  const isSettled = asked.length >= LEAST && asked === typed.trim() && !found.isFetching;
  const takesFirst = useRef(false);
  const takeFirst = () => {
    const [first] = known;
    if (!takesFirst.current || !isSettled || !first) return;
    takesFirst.current = false;
    pick(first);
  };
  useEffect(takeFirst);
  return (
    <Dialog title={t('findCustomer')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          takesFirst.current = true;
          takeFirst();
        }}
      >
        <TextField
          label={t('customerHint')}
          required
          autofocus
          autocomplete="off"
          value={typed}
          onValue={(value) => {
            takesFirst.current = false;
            setTyped(value);
          }}
        />
        {asked.length >= LEAST && (
          <Shown reading={found}>
            {() => (
              <ul class="bare till-customers">
                {known.map((one) => (
                  <li key={one.id}>
                    <Button
                      look="quiet"
                      onClick={() => {
                        pick(one);
                      }}
                    >
                      {[one.name ?? shared('noName'), toldApartBy(one)].filter(Boolean).join(' · ')}
                    </Button>
                  </li>
                ))}
                {known.length === 0 && <li class="fine">{shared('searchNothing')}</li>}
              </ul>
            )}
          </Shown>
        )}
        <div class="form-foot">
          <Button
            onClick={() => {
              onPick(null);
            }}
          >
            {t('withoutCustomer')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
