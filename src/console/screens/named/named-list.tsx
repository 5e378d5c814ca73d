import { useEffect, useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { Button, IconButton } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { TextField } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { Link } from '../../parts/link.js';
import { Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { folded } from '../../values/folded.js';
import { whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { EditDialog } from './edit-dialog.js';
import type { Named, NamedSet, Path } from './named-set.js';
import { words } from './words.js';

/** By which address the list of products shows those of one. */
const FILTERS: Readonly<Record<Path, string>> = {
  '/categories': 'categoryId',
  '/brands': 'brandId',
  '/product-tags': 'tagId',
};

/** What somebody who comes for the first time is told of each. */
const PURPOSES = { categories: 'categoriesFor', brands: 'brandsFor', tags: 'tagsFor' } as const;

/** Small sets with unique names: created, renamed in place and deleted many at a time. */
export function NamedList({ path, kind, title, permission, extra, rowAction }: NamedSet) {
  const t = useWords(words);
  const may = useMay();
  const [q, setQ] = useFilter('q');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [edited, setEdited] = useState<string>();
  const [isDeleting, setDeleting] = useState(false);
  const all = useRead<readonly Named[]>({
    key: [path],
    kinds: [kind, 'product'],
    read: (signal) => body(api.GET(path, { signal })),
  });
  const canChange = may(permission);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const marked = (all.data ?? []).filter(({ id }) => chosen.has(id));
  // Once they are gone, by an answer that was lost or by somebody else, there is nothing to ask any more.
  useEffect(() => {
    if (marked.length === 0) setDeleting(false);
  }, [marked.length]);
  const shown = (all.data ?? []).filter(({ name }) => folded(name).includes(folded(q.trim())));
  return (
    <Page
      title={t(title)}
      lead={
        <>
          {t(PURPOSES[title])} {title === 'tags' && <Link href="/rotulos">{t('labels')}</Link>}
          {all.data && <span class="block">{t('count', { n: all.data.length, total: whole(all.data.length) })}</span>}
        </>
      }
      actions={
        canChange && (
          <>
            {marked.length > 0 && (
              <Button
                look="danger"
                icon="bin"
                onClick={() => {
                  setDeleting(true);
                }}
              >
                {t('remove', { count: marked.length })}
              </Button>
            )}
            {extra}
          </>
        )
      }
    >
      {canChange && <Create {...{ path, kind }} />}
      <div class="filters no-print">
        <div class="field grow">
          <TextField label={t('find')} required value={q} onValue={setQ} autocomplete="off" />
        </div>
      </div>
      <Shown reading={all}>
        {() => (
          <Table
            label={t(title)}
            rows={rowsOf(shown)}
            rowKey={({ id }) => id}
            empty={q === '' ? t('empty') : t('nothingFound')}
            columns={[
              {
                id: 'name',
                title: t('name'),
                cell: (row) =>
                  canChange ? (
                    <label class="row">
                      <input
                        type="checkbox"
                        class="choose"
                        aria-label={t('choose', { name: row.name })}
                        checked={chosen.has(row.id)}
                        onChange={() => {
                          toggle(row.id);
                        }}
                      />
                      {row.name}
                    </label>
                  ) : (
                    row.name
                  ),
              },
              ...(path === '/categories'
                ? [
                    {
                      id: 'ncm',
                      title: t('defaultNcm'),
                      wide: true,
                      cell: ({ defaultNcm }: Named) => defaultNcm ?? '–',
                    },
                  ]
                : []),
              {
                id: 'products',
                title: t('products'),
                figure: true,
                cell: ({ id, name, productCount }) =>
                  productCount === 0 ? (
                    whole(0)
                  ) : (
                    <Link
                      href={`/produtos?show=all&${FILTERS[path]}=${id}`}
                      aria-label={`${whole(productCount)} ${t('products')}: ${name}`}
                    >
                      {whole(productCount)}
                    </Link>
                  ),
              },
              {
                id: 'edit',
                title: '',
                figure: true,
                cell: (row) =>
                  canChange && (
                    <>
                      {rowAction?.(row)}
                      <IconButton
                        icon="edit"
                        label={t('edit', { name: row.name })}
                        onClick={() => {
                          setEdited(row.id);
                        }}
                      />
                    </>
                  ),
              },
            ]}
          />
        )}
      </Shown>
      {edited !== undefined && (
        <EditDialog
          {...{ path, kind }}
          id={edited}
          onClose={() => {
            setEdited(undefined);
          }}
        />
      )}
      {isDeleting && marked.length > 0 && (
        <DeleteDialog
          {...{ path, kind }}
          rows={marked}
          onClose={() => {
            setDeleting(false);
            setChosen(new Set());
          }}
        />
      )}
    </Page>
  );
}

function Create({ path, kind }: Pick<NamedSet, 'path' | 'kind'>) {
  const t = useWords(words);
  const [name, setName] = useState('');
  const create = useCommand({
    send: (typed: string, headers) => body<Named>(api.POST(path, { body: { name: typed }, headers }) as never),
    kinds: [kind],
    onDone: (_, made) => {
      // What was typed since then is the next one.
      setName((typed) => (typed.trim() === made ? '' : typed));
    },
  });
  return (
    <Form
      inLine
      sending={create}
      saved={create.isSuccess && name === ''}
      submit={t('create')}
      onSubmit={() => {
        create.mutate(name.trim());
      }}
    >
      <div class="field grow">
        <TextField
          label={t('newName')}
          path="name"
          required
          value={name}
          onValue={setName}
          maxLength={120}
          autocomplete="off"
        />
      </div>
    </Form>
  );
}

/** How many products the deleting of categories, brands or tags touches; undefined where the answer does not tell. */
function productsOf(deleted: unknown): number | undefined {
  const { unlinkedProducts, untaggedProducts } = (deleted ?? {}) as Readonly<Partial<Record<string, number>>>;
  return unlinkedProducts ?? untaggedProducts;
}

function DeleteDialog({
  path,
  kind,
  rows,
  onClose,
}: Pick<NamedSet, 'path' | 'kind'> & { readonly rows: readonly Named[]; readonly onClose: () => void }) {
  const t = useWords(words);
  const ids = rows.map(({ id }) => id);
  const listed = rows.reduce((sum, { productCount }) => sum + productCount, 0);
  return (
    <DestructiveDialog
      title={t('removeTitle')}
      subject={[path, ids]}
      kinds={[kind, 'product']}
      send={
        path === '/brands'
          ? ids.map((id) => (sent) => api.DELETE('/brands/{id}', { params: { path: { id } }, ...sent }))
          : (sent) => api.POST(`${path}/bulk-delete` as '/categories/bulk-delete', { body: { ids }, ...sent })
      }
      onClose={onClose}
      below={
        <ul class="fine">
          {rows.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      }
    >
      {(deleted) => (
        <p>
          {t('removeLead', {
            n: rows.length,
            count: whole(rows.length),
            products: whole(productsOf(deleted) ?? listed),
          })}
        </p>
      )}
    </DestructiveDialog>
  );
}
