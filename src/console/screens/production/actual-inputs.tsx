import { api, dryRun } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useRead } from '../../client/queries.js';
import { NumberField, TextField } from '../../parts/fields.js';
import { Folded } from '../../parts/folded.js';
import { Shown } from '../../parts/shown.js';
import { quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { UsedInput } from './completion.js';
import type { Order } from './orders.js';
import { words } from './words.js';

type Inputs = Readonly<Record<string, UsedInput>>;

interface Changing {
  readonly order: Order;
  readonly inputs: Inputs;
  readonly onInputs: (inputs: Inputs) => void;
}

/** Where more or less was used than the recipe says, or goods of one lot alone: seldom, and so folded away. */
export function ActualInputs(changing: Changing) {
  const t = useWords(words);
  return <Folded summary={t('usedOtherwise')}>{(wasOpen) => wasOpen && <Fields {...changing} />}</Folded>;
}

/** The inputs of the very recipe that the order was planned with: a completion without limits tells them. */
function useNeeds({ id }: Order) {
  return useRead({
    key: ['order', id, 'needs'],
    kinds: ['order'],
    read: async (signal) => {
      const asked = {
        params: { path: { id } },
        body: { allowNegativeStock: true },
        headers: { Prefer: 'dry-run' },
        signal,
      };
      const tried = await dryRun(api.POST('/bakery-production/orders/{id}/complete', asked));
      return (tried.body as Order).inputs;
    },
  });
}

function Fields({ order, inputs, onInputs }: Changing) {
  const t = useWords(words);
  const needs = useNeeds(order);
  const names = useNames((needs.data ?? []).map(({ componentVariantId }) => componentVariantId));
  return (
    <Shown reading={needs}>
      {(needed) => (
        <div class="lines">
          {needed.map(({ componentVariantId: id, plannedQty }) => {
            const used = inputs[id] ?? { quantity: '', planned: plannedQty, lotCode: '' };
            const label = names(id);
            const change = (changed: Partial<UsedInput>) => {
              onInputs({ ...inputs, [id]: { ...used, ...changed } });
            };
            return (
              <div class="fields" key={id}>
                <NumberField
                  label={label?.description ?? '…'}
                  hint={t('plannedInput', { quantity: quantity(plannedQty, label?.saleUnit) })}
                  unit={label?.saleUnit}
                  value={used.quantity}
                  onValue={(value) => {
                    change({ quantity: value });
                  }}
                />
                <TextField
                  label={t('onlyLot')}
                  maxLength={60}
                  autocomplete="off"
                  value={used.lotCode}
                  onValue={(lotCode) => {
                    change({ lotCode });
                  }}
                />
              </div>
            );
          })}
        </div>
      )}
    </Shown>
  );
}
