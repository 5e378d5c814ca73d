import { useRef } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { NumberField, SelectField, TextArea, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { Form, useForm } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { outdated } from '../../parts/outdated.js';
import { Page, Section } from '../../parts/page.js';
import { useRecordForm } from '../../parts/record-form.js';
import { useScannedProducts, withScanned } from '../../parts/scanned-lines.js';
import { Shown } from '../../parts/shown.js';
import { VariantField } from '../../parts/variant-field.js';
import { money, quantity, unitCost } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { Byproducts, Items, Stages } from './editor-lines.js';
import type { FormulaValues, Recipe } from './formula.js';
import type { Short } from './costing.js';
import { useTypedFormula } from './costing.js';
import { bodyOf, noByproduct, noFormula, noItem, valuesOf } from './formula.js';
import { useFormulaText } from './formula-text.js';
import { words } from './words.js';

export const useRecipe = (id: string) =>
  useRead({
    key: ['recipe', id],
    kinds: ['recipe'],
    read: (signal) => tagged(api.GET('/bakery-production/recipes/{id}', { params: { path: { id } }, signal })),
  });

export function NewRecipe() {
  const t = useWords(words);
  const shared = useWords(frame);
  const goOn = useGoOn();
  const form = useForm(noFormula);
  const create = useCommand({
    send: (values: FormulaValues, headers) =>
      body(api.POST('/bakery-production/recipes', { body: bodyOf(values), headers })),
    adds: '/bakery-production/recipes',
    kinds: ['recipe'],
    onDone: ({ id }) => {
      form.reset(form.values);
      goOn(`/receitas/${id}`, { replace: true });
    },
  });
  return (
    <Page title={t('create')} back={{ href: '/receitas', label: t('title') }}>
      <Form
        sending={create}
        submit={shared('save')}
        form={form}
        onSubmit={() => {
          create.mutate(form.values);
        }}
      >
        <Formula form={form} />
      </Form>
    </Page>
  );
}

export function EditRecipe({ id }: { readonly id: string }) {
  const recipe = useRecipe(id);
  return <Shown reading={recipe}>{(record) => <Editor recipe={record} />}</Shown>;
}

const FIELD_NAMES: Readonly<Partial<Record<keyof FormulaValues, keyof typeof words>>> = {
  finishedVariantId: 'product',
  changeReason: 'reason',
};

function Editor({ recipe }: { readonly recipe: Tagged<Recipe> }) {
  const t = useWords(words);
  const goOn = useGoOn();
  const { record } = recipe;
  const { id } = record;
  const valueText = useFormulaText(record);
  const form = useRecordForm(recipe, valuesOf, (field) => t(FIELD_NAMES[field] ?? (field as keyof typeof words)), {
    history: { kind: 'recipe', id },
    valueText,
  });
  const save = useCommand({
    send: ({ values, saveAsDraft }: { readonly values: FormulaValues; readonly saveAsDraft: boolean }, headers) =>
      body(
        api.PUT('/bakery-production/recipes/{id}', {
          params: { path: { id } },
          body: {
            ...bodyOf(values),
            saveAsDraft,
            ...(values.changeReason.trim() === '' ? {} : { changeReason: values.changeReason.trim() }),
          },
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: ['recipe'],
    onDone: () => {
      form.reset(form.values);
      goOn(`/receitas/${id}/versoes`, { replace: true });
    },
  });
  const send = (saveAsDraft: boolean) => {
    save.mutate({ values: form.values, saveAsDraft });
  };
  return (
    <Page title={`${t('edit')}: ${record.name}`} back={{ href: `/receitas/${id}`, label: record.name }}>
      <Form
        sending={save}
        submit={t('save')}
        form={form}
        conflict={form.conflict}
        disabled={!form.isDirty}
        onSubmit={() => {
          send(false);
        }}
        other={{
          label: t('saveDraft'),
          onSubmit: () => {
            send(true);
          },
        }}
      >
        <Formula form={form} recipeId={id} />
        <TextField label={t('reason')} maxLength={500} {...form.field('changeReason')} />
      </Form>
    </Page>
  );
}

function Formula({
  form,
  recipeId,
}: {
  readonly form: FormState<FormulaValues>;
  /** Undefined for a new one. */
  readonly recipeId?: string;
}) {
  const t = useWords(words);
  const { values, set } = form;
  const unit = useNames([values.finishedVariantId])(values.finishedVariantId)?.saleUnit;
  const may = useMay();
  const { cost, short, isOutdated } = useTypedFormula(values, recipeId);
  const byproducts = useRef<HTMLDivElement>(null);
  useScannedProducts(byproducts, (code, where) => {
    if (where instanceof Node && byproducts.current?.contains(where))
      set('byproducts', withScanned(values.byproducts, noByproduct, code));
    else set('items', withScanned(values.items, noItem, code));
  });
  const number = (name: 'yieldQty' | 'expectedLossPercent' | 'densityKgPerL', label: string, suffix?: string) => (
    <NumberField
      {...{ label }}
      path={name}
      required={name === 'yieldQty'}
      unit={suffix}
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  return (
    <>
      <div class="fields">
        <TextField
          label={t('name')}
          path="name"
          required
          maxLength={200}
          value={values.name}
          onValue={(value) => {
            set('name', value);
          }}
        />
        <VariantField
          label={t('product')}
          path="finishedVariantId"
          required
          value={values.finishedVariantId === '' ? undefined : values.finishedVariantId}
          onPick={(label) => {
            set('finishedVariantId', label?.variantId ?? '');
          }}
        />
      </div>
      <div class="fields">
        {number('yieldQty', t('yield'), unit)}
        {number('expectedLossPercent', t('loss'), '%')}
        {number('densityKgPerL', t('density'))}
        <SelectField
          label={t('mode')}
          required
          value={values.formulaMode}
          onValue={(value) => {
            set('formulaMode', value as FormulaValues['formulaMode']);
          }}
          choices={(['ABSOLUTE', 'PERCENT'] as const).map((value) => ({ value, label: t(value) }))}
        />
        {values.formulaMode === 'PERCENT' && (
          <SelectField
            label={t('basis')}
            required
            value={values.percentBasis}
            onValue={(value) => {
              set('percentBasis', value as FormulaValues['percentBasis']);
            }}
            choices={(['MASS', 'VOLUME'] as const).map((value) => ({ value, label: t(value) }))}
          />
        )}
      </div>
      <Section title={t('items')}>
        <Items form={form} />
        {/* Without the rates of the stages it would be too little. */}
        {cost && may('production.costs') && (
          <p {...outdated(isOutdated, 'note')} role="status">
            {t(unit === undefined ? 'batchWhileTyping' : 'whileTyping', {
              cost: money(cost.batch),
              unit: unitCost(cost.unit),
              saleUnit: unit ?? '',
            })}
          </p>
        )}
        {short && short.length > 0 && <Missing {...{ short, isOutdated }} />}
      </Section>
      <Section title={t('stages')}>
        <Stages form={form} />
      </Section>
      <Section title={t('byproducts')}>
        <div ref={byproducts}>
          <Byproducts form={form} />
        </div>
      </Section>
      <TextArea
        label={t('notes')}
        path="notes"
        value={values.notes}
        onValue={(value) => {
          set('notes', value);
        }}
      />
    </>
  );
}

/** Inputs of which there is not enough for one batch, while the formula is typed. */
function Missing({ short, isOutdated }: { readonly short: readonly Short[]; readonly isOutdated: boolean }) {
  const t = useWords(words);
  const names = useNames(short.map(({ variantId }) => variantId));
  return (
    <div {...outdated(isOutdated, 'note warn')} role="status">
      <p>{t('missing')}</p>
      <ul>
        {short.map(({ variantId, needed, available }) => (
          <li key={variantId}>
            {t('missingOf', {
              name: names(variantId)?.description ?? '…',
              needed: quantity(needed, names(variantId)?.saleUnit),
              available: quantity(available, names(variantId)?.saleUnit),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
