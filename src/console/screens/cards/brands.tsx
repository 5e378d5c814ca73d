import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { ifMatch, useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogForm } from '../../parts/dialog-form.js';
import { CheckField, TextField } from '../../parts/fields.js';
import { Page } from '../../parts/page.js';
import { usePartForm } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOf, Table } from '../../parts/table.js';
import { useWords } from '../../words/words.js';
import type { Configuration } from './configuration.js';
import { CardTabs, KINDS, useConfiguration } from './configuration.js';
import { words } from './words.js';

type Brand = Configuration['brands'][number];
type Asked = 'new' | Brand;

/** The brands that the store takes, each with its code in the NFC-e. */
export function CardBrands() {
  const t = useWords(words);
  const may = useMay();
  const configuration = useConfiguration();
  const [asked, ask] = useState<Asked>();
  const close = () => {
    ask(undefined);
  };
  const present = (brand: Brand) => configuration.data?.brands.find(({ id }) => id === brand.id) ?? brand;
  const create = may('cardFees.manage') && (
    <Button
      icon="plus"
      look="main"
      onClick={() => {
        ask('new');
      }}
    >
      {t('newBrand')}
    </Button>
  );
  return (
    <Page title={t('title')} actions={create}>
      <CardTabs current="brands" />
      <p class="lead">{t('brandsLead')}</p>
      <Shown reading={configuration}>{({ brands }) => <Listed brands={brands} ask={ask} />}</Shown>
      {asked && (
        <BrandDialog
          brand={asked === 'new' ? undefined : present(asked)}
          etag={configuration.data?.etag ?? ''}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Listed({ brands, ask }: { readonly brands: readonly Brand[]; readonly ask: (asked: Asked) => void }) {
  const t = useWords(words);
  const may = useMay();
  const edit = (brand: Brand) => (
    <Button
      look="quiet"
      aria-label={t('editBrand', { name: brand.name })}
      onClick={() => {
        ask(brand);
      }}
    >
      {t('edit')}
    </Button>
  );
  return (
    <Table
      label={t('brands')}
      rows={rowsOf([...brands].sort((one, other) => Number(other.active) - Number(one.active)))}
      rowKey={({ id }) => id}
      empty={t('noBrands')}
      columns={[
        { id: 'name', title: t('brand'), cell: ({ name }) => name },
        { id: 'tBand', title: t('tBand'), wide: true, cell: ({ tBand }) => tBand ?? '–' },
        {
          id: 'active',
          title: t('status'),
          cell: ({ active }) => (
            <Status tone={active ? 'good' : 'calm'}>{t(active ? 'accepted' : 'notAccepted')}</Status>
          ),
        },
        ...(may('cardFees.manage') ? [{ id: 'actions', title: t('actions'), cell: edit }] : []),
      ]}
    />
  );
}

interface Asking {
  readonly brand: Brand | undefined;
  readonly onClose: () => void;
}

/** A new brand, or one to be renamed, taken or not taken any more, or deleted. */
function BrandDialog({ brand, etag, onClose }: Asking & { readonly etag: string }) {
  const t = useWords(words);
  const [isDeleting, setDeleting] = useState(false);
  const form = usePartForm(
    { name: brand?.name ?? '', tBand: brand?.tBand ?? '', active: brand?.active ?? true },
    (field) => t(field === 'active' ? 'takes' : field),
  );
  const save = useCommand({
    send: ({ name, tBand, active }: typeof form.values, headers) => {
      const sent = { name: name.trim(), tBand: tBand.trim() || null };
      if (!brand) return body(api.POST('/card-fees/brands', { body: sent, headers }));
      const params = { path: { brandId: brand.id } };
      const own = ifMatch(headers, { etag });
      return body(api.PATCH('/card-fees/brands/{brandId}', { params, body: { ...sent, active }, headers: own }));
    },
    adds: brand ? undefined : '/card-fees/brands',
    kinds: KINDS,
    onDone: onClose,
  });
  if (brand && isDeleting) return <DeleteBrand brand={brand} onClose={onClose} />;
  return (
    <Dialog title={brand ? t('editBrand', { name: brand.name }) : t('newBrand')} onClose={onClose}>
      <DialogForm
        form={form}
        saving={save}
        onClose={onClose}
        disabled={form.conflict !== undefined}
        removal={
          brand && {
            label: t('delete'),
            onAsk: () => {
              setDeleting(true);
            },
          }
        }
      >
        <TextField label={t('name')} required maxLength={60} {...form.field('name')} />
        <TextField
          label={t('tBand')}
          hint={t('tBandHint')}
          inputMode="numeric"
          pattern="[0-9]{1,2}"
          maxLength={2}
          {...form.field('tBand')}
        />
        {brand && <CheckField label={t('takes')} {...form.tick('active')} />}
      </DialogForm>
    </Dialog>
  );
}

function DeleteBrand({ brand, onClose }: Asking & { readonly brand: Brand }) {
  const t = useWords(words);
  const path = { brandId: brand.id };
  return (
    <DestructiveDialog
      title={t('deleteBrand', { name: brand.name })}
      submit={t('delete')}
      subject={['card-brand', brand.id]}
      kinds={KINDS}
      send={(sent) => api.DELETE('/card-fees/brands/{brandId}', { params: { path }, ...sent })}
      onClose={onClose}
    >
      {() => <p>{t('deleteBrandLead')}</p>}
    </DestructiveDialog>
  );
}
