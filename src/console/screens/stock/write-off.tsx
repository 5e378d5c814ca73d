import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useAsSent, useCommand, useRead } from '../../client/queries.js';
import { Dialog } from '../../parts/dialog.js';
import { NumberField, SelectField, TextArea } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { Shown } from '../../parts/shown.js';
import { plainNumber, quantity, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { words } from './words.js';

type Held = components['schemas']['HeldLot'];

interface Taken {
  readonly locationId: string;
  readonly quantity: string;
  readonly reason: string;
}

/** All that is there, whatever becomes of it, until another quantity is typed. */
type Values = Omit<Taken, 'quantity'> & { readonly quantity: string | undefined };

/** Takes from this very lot what is spoilt: no sale and no order would, once it is expired or blocked. */
export function WriteOff({
  lotId,
  unit,
  onClose,
}: {
  readonly lotId: string;
  readonly unit: string | undefined;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const held = useRead({
    key: ['lot', lotId, 'places'],
    kinds: ['lot', 'sale', 'order'],
    read: async (signal) =>
      (await body(api.GET('/stock/lots', { params: { query: { lotId, limit: 200 } }, signal }))).items,
  });
  return (
    <Dialog title={t('writeOff')} onClose={onClose}>
      <Shown reading={held}>
        {(places) =>
          places[0] ? <Taking {...{ places, unit, onClose }} first={places[0]} /> : <p>{t('noBalances')}</p>
        }
      </Shown>
    </Dialog>
  );
}

function Taking({
  places: present,
  first,
  unit,
  onClose,
}: {
  readonly places: readonly Held[];
  readonly first: Held;
  readonly unit: string | undefined;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const locations = useLocations();
  const form = useForm<Values>({ locationId: first.locationId, quantity: undefined, reason: '' });
  const take = useCommand({
    send: (values: Taken, headers) =>
      body(
        api.POST('/stock/adjustments', {
          body: {
            reason: values.reason.trim(),
            locationId: values.locationId,
            items: [
              {
                variantId: first.variantId,
                lotId: first.lotId,
                quantity: -Math.abs(readNumber(values.quantity) ?? 0),
              },
            ],
          },
          headers,
        }),
      ),
    adds: `/stock/adjustments ${first.lotId}`,
    kinds: ['lot'],
    onDone: onClose,
  });
  const places = useAsSent(present, take);
  const chosen = places.find(({ locationId }) => locationId === form.values.locationId) ?? first;
  const amount = form.values.quantity ?? plainNumber(chosen.quantity);
  const said = { quantity: quantity(chosen.quantity, unit), location: locations.nameOf(chosen.locationId) };
  return (
    <Form
      sending={take}
      submit={t('writeOff')}
      cancel={onClose}
      form={form}
      onSubmit={() => {
        take.mutate({ ...form.values, locationId: chosen.locationId, quantity: amount });
      }}
    >
      <p>{t('writeOffLead')}</p>
      {places.length > 1 && (
        <SelectField
          label={t('location')}
          path="locationId"
          required
          value={form.values.locationId}
          onValue={(locationId) => {
            form.change({ locationId, quantity: undefined });
          }}
          choices={places.map(({ locationId }) => ({ value: locationId, label: locations.nameOf(locationId) }))}
        />
      )}
      <NumberField
        label={t('quantity')}
        required
        hint={t('writeOffAll', said)}
        unit={unit}
        path="items[0].quantity"
        value={amount}
        onValue={(quantity) => {
          form.set('quantity', quantity);
        }}
      />
      <TextArea label={t('reason')} required {...form.field('reason')} />
    </Form>
  );
}
