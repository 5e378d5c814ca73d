import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body, plainPage } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button, LinkButton } from '../../parts/button.js';
import { LineChart } from '../../parts/chart.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { HistoryButton } from '../../parts/last-change.js';
import { Link } from '../../parts/link.js';
import { Facts, Page, Section, Tabs, Typed } from '../../parts/page.js';
import { Outcome, ProblemNote } from '../../parts/problem-note.js';
import { Empty, Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOf, Table } from '../../parts/table.js';
import { money, percent, quantity, unitCost } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { Needs } from '../production/plan-order.js';
import { useRecipe } from './editor.js';
import type { Recipe } from './formula.js';
import { Tributary } from './tributary.js';
import { Versions } from './versions.js';
import { words } from './words.js';

export function RecipePage({ id, view }: { readonly id: string; readonly view: string }) {
  const recipe = useRecipe(id);
  return <Shown reading={recipe}>{(record) => <OneRecipe recipe={record} view={view} />}</Shown>;
}

function OneRecipe({ recipe, view }: { readonly recipe: Tagged<Recipe>; readonly view: string }) {
  const t = useWords(words);
  const may = useMay();
  const { record } = recipe;
  const { id } = record;
  const seesCosts = may('production.costs');
  const current = view === 'versoes' ? 'versions' : view === 'custos' && seesCosts ? 'costs' : 'formula';
  return (
    <Page
      title={record.name}
      back={{ href: '/receitas', label: t('title') }}
      actions={
        <>
          {may('production.manage') && (
            <>
              <LinkButton href={`/receitas/${id}/editar`} look="main">
                {t('edit')}
              </LinkButton>
              {record.active && <LinkButton href={`/producao/planejar?recipe=${id}`}>{t('plan')}</LinkButton>}
              <ActiveSwitch recipe={recipe} />
            </>
          )}
          <HistoryButton kind="recipe" id={id} />
        </>
      }
    >
      <Tabs
        label={t('views')}
        current={current}
        tabs={[
          { id: 'formula', href: `/receitas/${id}`, label: t('formula') },
          { id: 'versions', href: `/receitas/${id}/versoes`, label: t('versions') },
          ...(seesCosts ? [{ id: 'costs', href: `/receitas/${id}/custos`, label: t('costs') }] : []),
        ]}
      />
      {current === 'formula' && <FormulaView recipe={record} />}
      {current === 'versions' && <Versions recipe={record} />}
      {current === 'costs' && <Costs recipe={record} />}
    </Page>
  );
}

/** What is not made any more is not planned either; its history stays. */
function ActiveSwitch({ recipe }: { readonly recipe: Tagged<Recipe> }) {
  const t = useWords(words);
  const { id, active } = recipe.record;
  const [isAsking, setAsking] = useState(false);
  const change = useCommand({
    send: (_: null, headers) =>
      body(
        api.PATCH('/bakery-production/recipes/{id}', {
          params: { path: { id } },
          body: { active: true },
          headers: ifMatch(headers, recipe),
        }),
      ),
    kinds: ['recipe'],
  });
  return (
    <>
      <Button
        busy={change.isPending}
        onClick={() => {
          if (active) setAsking(true);
          else change.mutate(null);
        }}
      >
        {t(active ? 'deactivate' : 'reactivate')}
      </Button>
      <Outcome error={change.error} isThere={active} />
      {isAsking && (
        <DestructiveDialog
          title={t('deactivate')}
          subject={['recipe', id, 'active']}
          etag={recipe.etag}
          kinds={['recipe']}
          send={(sent) =>
            api.PATCH('/bakery-production/recipes/{id}', { params: { path: { id } }, body: { active: false }, ...sent })
          }
          onClose={() => {
            setAsking(false);
          }}
        >
          {() => <p>{t('deactivateLead', { recipe: recipe.record.name })}</p>}
        </DestructiveDialog>
      )}
    </>
  );
}

function FormulaView({ recipe }: { readonly recipe: Recipe }) {
  const t = useWords(words);
  const may = useMay();
  const names = useNames([recipe.finishedVariantId, ...recipe.byproducts.map(({ variantId }) => variantId)]);
  const made = names(recipe.finishedVariantId);
  return (
    <>
      <Facts
        facts={[
          [
            t('product'),
            made ? (
              <Link key="product" href={`/produtos/${made.productId}`}>
                {made.description}
              </Link>
            ) : (
              '…'
            ),
          ],
          [t('yield'), quantity(recipe.yieldQty, made?.saleUnit)],
          [t('lossShort'), percent(recipe.expectedLossPercent, 2)],
          [t('mode'), t(recipe.formulaMode)],
          [t('version', { version: '' }), String(recipe.currentVersion)],
          [
            t('status'),
            <Status key="status" tone={recipe.active ? 'good' : 'calm'}>
              {t(recipe.active ? 'active' : 'inactive')}
            </Status>,
          ],
          recipe.standardUnitCost !== undefined && [t('standardCost'), unitCost(recipe.standardUnitCost)],
          recipe.notes !== null && [t('notes'), <Typed key="notes" text={recipe.notes} />],
        ]}
      />
      <Needs recipeId={recipe.id} batches={1} />
      {recipe.stages.length > 0 && (
        <Section title={t('stages')}>
          <Table
            label={t('stages')}
            rows={rowsOf(recipe.stages)}
            rowKey={({ name }) => name}
            empty=""
            columns={[
              { id: 'name', title: t('stage'), cell: ({ name }) => name },
              { id: 'center', title: t('workCenter'), wide: true, cell: ({ workCenter }) => workCenter ?? '–' },
              {
                id: 'minutes',
                title: t('minutes'),
                figure: true,
                cell: ({ standardMinutes }) => quantity(standardMinutes),
              },
              ...(may('production.costs')
                ? [
                    {
                      id: 'rate',
                      title: t('rate'),
                      figure: true,
                      wide: true,
                      cell: ({ laborRatePerHour }: Recipe['stages'][number]) => money(laborRatePerHour),
                    },
                  ]
                : []),
            ]}
          />
        </Section>
      )}
      {recipe.byproducts.length > 0 && (
        <Section title={t('byproducts')}>
          <Table
            label={t('byproducts')}
            rows={rowsOf(recipe.byproducts)}
            rowKey={({ variantId }) => variantId}
            empty=""
            columns={[
              { id: 'name', title: t('byproducts'), cell: ({ variantId }) => names(variantId)?.description ?? '…' },
              {
                id: 'quantity',
                title: t('quantity'),
                figure: true,
                cell: (row) => quantity(row.quantityPerBatch, names(row.variantId)?.saleUnit),
              },
              {
                id: 'share',
                title: t('share'),
                figure: true,
                cell: ({ costSharePercent }) => percent(costSharePercent, 2),
              },
            ]}
          />
        </Section>
      )}
      <Tributary recipeId={recipe.id} />
    </>
  );
}

const LAST = 30;

/** What the last orders really cost beside the standard. */
function Costs({ recipe }: { readonly recipe: Recipe }) {
  const t = useWords(words);
  const { id } = recipe;
  const orders = useRead({
    key: ['recipe', id, 'orders'],
    kinds: ['order'],
    read: async (signal) => {
      const query = { recipeId: id, status: 'COMPLETED' as const, limit: LAST };
      const { items } = await plainPage(api.GET('/bakery-production/orders', { params: { query }, signal }));
      return items.filter(({ unitCost: cost }) => cost !== null && cost !== undefined).reverse();
    },
  });
  const compute = useCommand({
    send: (_: null, headers) =>
      body(api.POST('/bakery-production/recipes/{id}/standard-cost', { params: { path: { id } }, headers })),
    kinds: ['recipe'],
  });
  const standard = recipe.standardUnitCost ?? undefined;
  return (
    <>
      <div class="row">
        <p class="big-figure">{unitCost(standard)}</p>
        <span class="fine">{t('standardCost')}</span>
        <Button
          busy={compute.isPending}
          onClick={() => {
            compute.mutate(null);
          }}
        >
          {t('computeStandard')}
        </Button>
      </div>
      <ProblemNote error={compute.error} />
      <Section title={t('real')}>
        <Shown reading={orders}>
          {(items) =>
            items.length === 0 ? (
              <Empty title={t('noOrders')} />
            ) : (
              <LineChart
                label={t('real')}
                write={(value) => money(value)}
                series={[
                  {
                    name: t('realSeries'),
                    points: items.map((order) => ({ key: order.completedAt ?? order.id, value: order.unitCost ?? 0 })),
                  },
                  ...(standard === undefined
                    ? []
                    : [
                        {
                          name: t('standardCost'),
                          points: items.map((order) => ({ key: order.completedAt ?? order.id, value: standard })),
                        },
                      ]),
                ]}
              />
            )
          }
        </Shown>
      </Section>
    </>
  );
}
