import { useEffect, useRef } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useCommand, useRead } from '../../client/queries.js';
import type { Question } from '../../client/questions.js';
import { ifMeant } from '../../client/questions.js';
import { useFilter } from '../../parts/address.js';
import { Button, LinkButton } from '../../parts/button.js';
import { DateField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { Form, useForm } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { Lines } from '../../parts/lines.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { useScannedProducts, withScanned } from '../../parts/scanned-lines.js';
import { VariantField } from '../../parts/variant-field.js';
import { plainNumber, plainPrice, readNumber } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { words } from './words.js';

interface Line {
  readonly variantId: string;
  readonly quantity: string;
  readonly unitCost: string;
  readonly lotCode: string;
  readonly expiresAt: string;
  readonly scanned: string;
}

const noLine: Line = { variantId: '', quantity: '', unitCost: '', lotCode: '', expiresAt: '', scanned: '' };

interface WithLines {
  readonly lines: readonly Line[];
}

/** Several lines of goods. The picked product leads to its quantity, so that one scans and types on and on. */
function GoodsLines<V extends WithLines>({
  form,
  fields,
  costHint,
}: {
  readonly form: FormState<V>;
  readonly fields: readonly ('unitCost' | 'lotCode' | 'expiresAt')[];
  /** Where a cost need not be typed: what counts then. */
  readonly costHint?: string;
}) {
  const t = useWords(words);
  const { lines } = form.values;
  const names = useNames(lines.map(({ variantId }) => variantId));
  const place = useRef<HTMLFieldSetElement>(null);
  useScannedProducts(place, (code) => {
    form.set('lines', withScanned(lines, noLine, code));
  });
  return (
    <fieldset ref={place}>
      <legend class="legend">{t('lines')}</legend>
      <Lines
        lines={lines}
        onLines={(next) => {
          form.set('lines', next);
        }}
        fresh={noLine}
        keepsOne
        add={t('addLine')}
        remove={(n) => t('removeLine', { n })}
      >
        {(line, change, place) => (
          <>
            <VariantField
              label={t('product')}
              path={`items[${String(place)}].variantId`}
              required
              value={line.variantId === '' ? undefined : line.variantId}
              scanned={line.scanned}
              onPick={(label) => {
                change({ variantId: label?.variantId ?? '' });
              }}
            />
            <NumberField
              label={t('quantity')}
              path={`items[${String(place)}].quantity`}
              required
              unit={names(line.variantId)?.saleUnit}
              value={line.quantity}
              onValue={(quantity) => {
                change({ quantity });
              }}
            />
            {fields.includes('unitCost') && (
              <NumberField
                label={t('unitCost')}
                path={`items[${String(place)}].unitCost`}
                required={costHint === undefined}
                hint={costHint}
                unit="R$"
                value={line.unitCost}
                onValue={(unitCost) => {
                  change({ unitCost });
                }}
              />
            )}
            {fields.includes('lotCode') && (
              <TextField
                label={t('lot')}
                path={`items[${String(place)}].lotCode`}
                value={line.lotCode}
                onValue={(lotCode) => {
                  change({ lotCode });
                }}
              />
            )}
            {fields.includes('expiresAt') && (
              <DateField
                label={t('expires')}
                path={`items[${String(place)}].expiresAt`}
                value={line.expiresAt}
                onValue={(expiresAt) => {
                  change({ expiresAt });
                }}
              />
            )}
          </>
        )}
      </Lines>
    </fieldset>
  );
}

/** The usual place until another is chosen. */
function LocationField<V extends { readonly locationId: string }>({ form }: { readonly form: FormState<V> }) {
  const t = useWords(words);
  const { usual, choices } = useLocations();
  const { locationId } = form.values;
  return (
    <SelectField
      label={t('location')}
      path="locationId"
      required
      value={locationId === '' ? usual : locationId}
      onValue={(value) => {
        form.set('locationId', value);
      }}
      choices={choices}
    />
  );
}

const filled = (lines: readonly Line[]) => lines.filter(({ variantId }) => variantId !== '');

const REPEATING: Question = {
  title: words.repeatAsk,
  text: words.repeatLoses,
  yes: words.repeatIt,
  no: words.keepTyped,
};

export function NewReceipt() {
  const t = useWords(words);
  const goOn = useGoOn();
  const [like] = useFilter('like');
  const form = useForm({ supplier: '', document: '', locationId: '', lines: [noLine] as readonly Line[] });
  const last = useRead({
    key: ['receipts', 'last', like],
    kinds: ['lot'],
    read: async (signal) => {
      if (like !== '') return body(api.GET('/stock/receipts/{id}', { params: { path: { id: like } }, signal }));
      const { items } = await body(api.GET('/stock/receipts', { params: { query: { limit: 1 } }, signal }));
      return items[0] ?? null;
    },
  });
  const repeat = (receipt: components['schemas']['Receipt']) => {
    form.change({
      supplier: receipt.supplier ?? '',
      lines: receipt.items.map((item) => ({
        ...noLine,
        variantId: item.variantId,
        quantity: plainNumber(item.quantity),
        unitCost: plainPrice(item.unitCost),
      })),
    });
  };
  useEffect(() => {
    // What was typed before it came stays.
    if (like !== '' && last.data && !form.isDirty) repeat(last.data);
  }, [like, last.data?.id]);
  const receive = useCommand({
    send: ({ supplier, document, locationId, lines }: typeof form.values, headers) =>
      body(
        api.POST('/stock/receipts', {
          body: {
            ...(supplier.trim() === '' ? {} : { supplier: supplier.trim() }),
            ...(document.trim() === '' ? {} : { document: document.trim() }),
            ...(locationId === '' ? {} : { locationId }),
            items: filled(lines).map(({ variantId, quantity, unitCost, lotCode, expiresAt }) => ({
              variantId,
              quantity: readNumber(quantity) ?? 0,
              unitCost: readNumber(unitCost) ?? 0,
              ...(lotCode.trim() === '' ? {} : { lotCode: lotCode.trim() }),
              ...(expiresAt === '' ? {} : { expiresAt }),
            })),
          },
          headers,
        }),
      ),
    adds: '/stock/receipts',
    kinds: ['lot'],
    onDone: ({ id }) => {
      form.reset(form.values);
      goOn(`/estoque/entradas/${id}`, { replace: true });
    },
  });
  const { data: before } = last;
  return (
    <Page
      title={t('newReceipt')}
      back={{ href: '/estoque/entradas', label: t('receipts') }}
      actions={
        before && (
          <Button
            onClick={() => {
              if (!form.isDirty) repeat(before);
              else
                ifMeant(REPEATING, () => {
                  repeat(before);
                });
            }}
          >
            {t('repeatLast')}
          </Button>
        )
      }
    >
      <Form
        sending={receive}
        submit={t('book')}
        form={form}
        onSubmit={() => {
          receive.mutate(form.values);
        }}
      >
        <div class="fields">
          <TextField label={t('supplier')} {...form.field('supplier')} />
          <TextField label={t('document')} {...form.field('document')} />
          <LocationField form={form} />
        </div>
        <GoodsLines form={form} fields={['unitCost', 'lotCode', 'expiresAt']} />
      </Form>
    </Page>
  );
}

export function NewAdjustment() {
  const t = useWords(words);
  const shared = useWords(frame);
  const goOn = useGoOn();
  const form = useForm({ reason: '', locationId: '', lines: [noLine] as readonly Line[] });
  const adjust = useCommand({
    send: ({ reason, locationId, lines }: typeof form.values, headers) =>
      body(
        api.POST('/stock/adjustments', {
          body: {
            reason,
            ...(locationId === '' ? {} : { locationId }),
            items: filled(lines).map(({ variantId, quantity, unitCost }) => {
              const cost = readNumber(unitCost);
              return {
                variantId,
                quantity: readNumber(quantity) ?? 0,
                ...(cost === undefined ? {} : { unitCost: cost }),
              };
            }),
          },
          headers,
        }),
      ),
    adds: '/stock/adjustments',
    kinds: ['lot'],
    onDone: () => {
      form.reset(form.values);
      goOn('/estoque/ajustes', { replace: true });
    },
  });
  return (
    <Page
      title={t('newAdjustment')}
      back={{ href: '/estoque/ajustes', label: t('adjustments') }}
      lead={t('signedHint')}
    >
      <Form
        sending={adjust}
        submit={t('book')}
        form={form}
        onSubmit={() => {
          adjust.mutate(form.values);
        }}
      >
        <div class="fields">
          <TextField label={shared('reason')} required {...form.field('reason')} />
          <LocationField form={form} />
        </div>
        <GoodsLines form={form} fields={['unitCost']} costHint={t('costOfAdded')} />
      </Form>
    </Page>
  );
}

export function NewTransfer() {
  const t = useWords(words);
  const goOn = useGoOn();
  const locations = useLocations();
  const form = useForm({ fromLocationId: '', toLocationId: '', lines: [noLine] as readonly Line[] });
  const from = form.values.fromLocationId === '' ? locations.usual : form.values.fromLocationId;
  const others = locations.choices.filter(({ value }) => value !== from);
  // What was chosen may since have become the place that they leave.
  const to = (others.find(({ value }) => value === form.values.toLocationId) ?? others[0])?.value ?? '';
  const transfer = useCommand({
    send: ({ lines }: typeof form.values, headers) =>
      body(
        api.POST('/stock/transfers', {
          body: {
            fromLocationId: from,
            toLocationId: to,
            items: filled(lines).map(({ variantId, quantity, lotCode }) => ({
              variantId,
              quantity: readNumber(quantity) ?? 0,
              ...(lotCode.trim() === '' ? {} : { lotCode: lotCode.trim() }),
            })),
          },
          headers,
        }),
      ),
    adds: '/stock/transfers',
    kinds: ['lot'],
    onDone: () => {
      form.reset(form.values);
      goOn('/estoque/transferencias', { replace: true });
    },
  });
  const back = { href: '/estoque/transferencias', label: t('transfers') };
  if (locations.reading.isSuccess && locations.choices.length < 2) {
    return (
      <Page title={t('newTransfer')} back={back}>
        <Empty title={t('onePlace')}>
          <LinkButton href="/estoque/locais">{t('places')}</LinkButton>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={t('newTransfer')} back={back}>
      <Form
        sending={transfer}
        submit={t('book')}
        form={form}
        onSubmit={() => {
          transfer.mutate(form.values);
        }}
      >
        <div class="fields">
          <SelectField
            label={t('fromLocation')}
            required
            value={from}
            onValue={(value) => {
              form.set('fromLocationId', value);
            }}
            choices={locations.choices}
          />
          <SelectField
            label={t('toLocation')}
            path="toLocationId"
            required
            value={to}
            onValue={(value) => {
              form.set('toLocationId', value);
            }}
            choices={others}
          />
        </div>
        <GoodsLines form={form} fields={['lotCode']} />
      </Form>
    </Page>
  );
}
