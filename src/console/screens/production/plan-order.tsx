import { api, body, plainPage, tagged } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { LinkButton } from '../../parts/button.js';
import { DateField, NumberField, SelectField, TextArea } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { Outdated } from '../../parts/outdated.js';
import { Page, Section } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { useTypedRead } from '../../parts/typed-read.js';
import { isoDay, money, quantity, readNumber, unitCost, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { useLocations } from '../stock/locations.js';
import { words } from './words.js';

/** A plan, with what it needs and whether that is there, before it is made. */
export function PlanOrder() {
  const t = useWords(words);
  const recipes = useRead({
    key: ['recipes', 'choices'],
    kinds: ['recipe'],
    read: async (signal) =>
      (await plainPage(api.GET('/bakery-production/recipes', { params: { query: { active: true } }, signal }))).items,
  });
  return (
    <Page title={t('plan')} back={{ href: '/producao', label: t('title') }}>
      <Shown reading={recipes}>{(known) => (known.length === 0 ? <NoRecipes /> : <PlanForm recipes={known} />)}</Shown>
    </Page>
  );
}

/** Without a recipe there is nothing to plan: the way leads to making one. */
function NoRecipes() {
  const t = useWords(words);
  const may = useMay();
  return (
    <Empty title={t('noRecipes')}>
      {may('production.manage') && <LinkButton href="/receitas/nova">{t('makeRecipe')}</LinkButton>}
    </Empty>
  );
}

function PlanForm({ recipes }: { readonly recipes: readonly { readonly id: string; readonly name: string }[] }) {
  const t = useWords(words);
  const goOn = useGoOn();
  const [asked] = useFilter('recipe');
  const form = useForm({
    // The first stays chosen where another comes before it meanwhile.
    recipeId: asked || (recipes[0]?.id ?? ''),
    batches: '1',
    /** The next day, whenever that is by then, until another one is chosen. */
    expectedAt: undefined as string | undefined,
    locationId: '',
    outputLocationId: '',
    notes: '',
  });
  const { choices: places } = useLocations();
  const { recipeId } = form.values;
  const expectedAt = form.values.expectedAt ?? isoDay(1);
  const plan = useCommand({
    send: (
      {
        recipeId,
        expectedAt,
        batches,
        locationId,
        outputLocationId,
        notes,
      }: typeof form.values & { readonly expectedAt: string },
      headers,
    ) =>
      body(
        api.POST('/bakery-production/orders/plan', {
          body: {
            recipeId,
            expectedAt,
            batches: readNumber(batches) ?? 0,
            ...(locationId === '' ? {} : { locationId }),
            ...(outputLocationId === '' ? {} : { outputLocationId }),
            ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
          },
          headers,
        }),
      ),
    adds: '/bakery-production/orders/plan',
    kinds: ['order'],
    onDone: ({ id }) => {
      goOn(`/producao/${id}`, { replace: true });
    },
  });
  return (
    <>
      <Form
        sending={plan}
        form={form}
        submit={t('plan')}
        onSubmit={() => {
          // What was proposed is sent again as it was, also past midnight.
          plan.mutate({ ...form.values, expectedAt });
        }}
      >
        <div class="fields">
          <SelectField
            label={t('recipe')}
            path="recipeId"
            required
            value={recipeId}
            onValue={(value) => {
              form.set('recipeId', value);
            }}
            choices={recipes.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <NumberField label={t('batchCount')} required {...form.field('batches')} />
          <DateField
            label={t('expectedAt')}
            path="expectedAt"
            required
            value={expectedAt}
            onValue={(day) => {
              form.set('expectedAt', day);
            }}
          />
        </div>
        {places.length > 1 && (
          <div class="fields">
            {(['locationId', 'outputLocationId'] as const).map((name) => (
              <SelectField
                key={name}
                label={t(name)}
                path={name}
                required
                value={form.values[name]}
                onValue={(value) => {
                  form.set(name, value);
                }}
                choices={[{ value: '', label: t('usualLocation') }, ...places]}
              />
            ))}
          </div>
        )}
        <TextArea label={t('notes')} {...form.field('notes')} />
      </Form>
      {recipeId !== '' && (
        <Needs
          recipeId={recipeId}
          batches={readNumber(form.values.batches) ?? 0}
          {...(form.values.locationId === '' ? {} : { locationId: form.values.locationId })}
        />
      )}
    </>
  );
}

export function useRecipe(recipeId: string) {
  const recipe = useRead({
    key: ['recipe', recipeId],
    kinds: ['recipe'],
    read: (signal) =>
      tagged(api.GET('/bakery-production/recipes/{id}', { params: { path: { id: recipeId } }, signal })),
  });
  return recipe.data?.record;
}

/** What each row cost, for who may see that. */
export function useCostColumn() {
  const t = useWords(words);
  const may = useMay();
  const cell = ({ cost }: { readonly cost?: number | null }) => money(cost);
  return may('production.costs') ? [{ id: 'cost', title: t('cost'), figure: true, wide: true, cell }] : [];
}

/** What so many batches need, what is there and what they would cost. */
export function Needs({
  recipeId,
  batches,
  ...where
}: {
  readonly recipeId: string;
  readonly batches: number;
  /** The version that an order keeps; the one in force where none is said. */
  readonly version?: number;
  /** Where the inputs leave; the usual place where none is said. */
  readonly locationId?: string;
}) {
  const t = useWords(words);
  const costs = useCostColumn();
  const preview = useTypedRead(batches, 200, {
    key: ['preview', recipeId, where],
    kinds: ['recipe', 'lot', 'order', 'sale'],
    when: (asked) => asked > 0,
    read: (asked, signal) =>
      body(
        api.GET('/bakery-production/recipes/{id}/preview', {
          params: { path: { id: recipeId }, query: { batches: asked, ...where } },
          signal,
        }),
      ),
  });
  const finishedVariantId = useRecipe(recipeId)?.finishedVariantId;
  const unit = useNames([finishedVariantId])(finishedVariantId)?.saleUnit;
  if (preview.asked <= 0 && !preview.data) return null;
  return (
    <Section title={t('inputs')}>
      <Shown reading={preview} fillsView>
        {(data) => {
          const limiting = data.items.find(({ componentVariantId }) => componentVariantId === data.limitingVariantId);
          return (
            <Outdated when={preview.isOutdated}>
              <p class="fine">
                {t('expectedLead', { output: quantity(data.expectedOutput, unit) })}{' '}
                {t(limiting?.description ? 'enoughUntil' : 'enough', {
                  n: data.maxBatches,
                  count: whole(data.maxBatches),
                  name: limiting?.description ?? '',
                })}{' '}
                {data.estimatedCost !== undefined &&
                  t('estimated', {
                    cost: money(data.estimatedCost),
                    each: unitCost(data.estimatedUnitCost),
                    unit: unit ?? '…',
                  })}
              </p>
              <Table
                label={t('inputs')}
                rows={rowsOf(data.items)}
                rowKey={({ componentVariantId }) => componentVariantId}
                tone={({ missing }) => (missing > 0 ? 'bad' : undefined)}
                empty=""
                columns={[
                  { id: 'product', title: t('product'), cell: ({ description }) => description ?? '–' },
                  {
                    id: 'needed',
                    title: t('needed'),
                    figure: true,
                    cell: ({ required, unit }) => quantity(required, unit),
                  },
                  {
                    id: 'available',
                    title: t('available'),
                    figure: true,
                    below: 'titled',
                    cell: ({ available, unit }) => quantity(available, unit),
                  },
                  {
                    id: 'missing',
                    title: t('missing'),
                    figure: true,
                    cell: ({ missing, unit }) =>
                      missing > 0 ? <span class="bad-text">{quantity(missing, unit)}</span> : '–',
                  },
                  ...costs,
                ]}
              />
            </Outdated>
          );
        }}
      </Shown>
    </Section>
  );
}
