import { CheckField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import { useNames } from '../../client/names.js';
import { useMay } from '../../client/session.js';
import type { FormState } from '../../parts/form.js';
import { Lines } from '../../parts/lines.js';
import { VariantField } from '../../parts/variant-field.js';
import { percent, plainNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { FormulaValues } from './formula.js';
import { addsUp, noByproduct, noItem, noStage, percentSum } from './formula.js';
import { words } from './words.js';

type Lists = Pick<FormulaValues, 'items' | 'stages' | 'byproducts'>;

/** Lines of one list of the formula. */
function FormulaLines<N extends keyof Lists>({
  form,
  name,
  remove,
  ...lines
}: {
  readonly form: FormState<FormulaValues>;
  readonly name: N;
  readonly remove: 'removeItem' | 'removeStage' | 'removeByproduct';
} & Pick<Parameters<typeof Lines<Lists[N][number]>>[0], 'fresh' | 'add' | 'children'>) {
  const t = useWords(words);
  return (
    <Lines
      {...lines}
      lines={form.values[name]}
      onLines={(next) => {
        form.set(name, next as FormulaValues[N]);
      }}
      remove={(n) => t(remove, { n })}
    />
  );
}

/** Units that take a density to become what the percents are of. */
const OF_THE_OTHER_BASIS: Readonly<Record<FormulaValues['percentBasis'], readonly string[]>> = {
  MASS: ['L', 'ML'],
  VOLUME: ['KG', 'G'],
};

export function Items({ form }: { readonly form: FormState<FormulaValues> }) {
  const t = useWords(words);
  const isPercent = form.values.formulaMode === 'PERCENT';
  const sum = percentSum(form.values);
  const others = OF_THE_OTHER_BASIS[form.values.percentBasis];
  const asksDensity = (unit: string | undefined) => unit !== undefined && others.includes(unit.toUpperCase());
  const names = useNames(form.values.items.map(({ variantId }) => variantId));
  return (
    <>
      <FormulaLines {...{ form }} name="items" fresh={noItem} add={t('addItem')} remove="removeItem">
        {(item, change, place) => (
          <>
            <VariantField
              label={t('component')}
              path={`items[${String(place)}].componentVariantId`}
              required
              value={item.variantId === '' ? undefined : item.variantId}
              scanned={item.scanned}
              onPick={(label) => {
                change({ variantId: label?.variantId ?? '', unit: label?.saleUnit ?? '' });
              }}
            />
            {isPercent && item.costKind === 'MATERIAL' ? (
              <NumberField
                label={t('percent')}
                path={`items[${String(place)}].percent`}
                required
                unit="%"
                value={item.percent}
                onValue={(value) => {
                  change({ percent: value });
                }}
              />
            ) : (
              <NumberField
                label={t('quantity')}
                path={`items[${String(place)}].quantity`}
                required
                unit={names(item.variantId)?.saleUnit}
                value={item.quantity}
                onValue={(value) => {
                  change({ quantity: value });
                }}
              />
            )}
            {isPercent && item.costKind === 'MATERIAL' && asksDensity(names(item.variantId)?.saleUnit) && (
              <NumberField
                label={t('density')}
                path={`items[${String(place)}].densityKgPerL`}
                required
                value={item.densityKgPerL}
                onValue={(value) => {
                  change({ densityKgPerL: value });
                }}
              />
            )}
            <NumberField
              label={t('itemLoss')}
              path={`items[${String(place)}].lossPercent`}
              unit="%"
              value={item.lossPercent}
              onValue={(value) => {
                change({ lossPercent: value });
              }}
            />
            <SelectField
              label={t('kind')}
              required
              value={item.costKind}
              onValue={(value) => {
                change({ costKind: value as typeof item.costKind });
              }}
              choices={(['MATERIAL', 'PACKAGING'] as const).map((value) => ({ value, label: t(value) }))}
            />
          </>
        )}
      </FormulaLines>
      {isPercent && (
        <p role="status" class={addsUp(form.values) ? 'good-text' : 'warn-text'}>
          {t('sum', { sum: percent(sum, 4) })} ·{' '}
          {addsUp(form.values) ? t('sumRight') : t('sumWrong', { difference: plainNumber(100 - sum, 4) })}
        </p>
      )}
    </>
  );
}

export function Stages({ form }: { readonly form: FormState<FormulaValues> }) {
  const t = useWords(words);
  const may = useMay();
  return (
    <FormulaLines {...{ form }} name="stages" fresh={noStage} add={t('addStage')} remove="removeStage">
      {(stage, change, place) => (
        <>
          <TextField
            label={t('stage')}
            path={`stages[${String(place)}].name`}
            required
            value={stage.name}
            onValue={(value) => {
              change({ name: value });
            }}
          />
          <TextField
            label={t('workCenter')}
            path={`stages[${String(place)}].workCenter`}
            value={stage.workCenter}
            onValue={(value) => {
              change({ workCenter: value });
            }}
          />
          <NumberField
            label={t('minutes')}
            path={`stages[${String(place)}].standardMinutes`}
            value={stage.standardMinutes}
            onValue={(value) => {
              change({ standardMinutes: value });
            }}
          />
          {may('production.costs') && (
            <NumberField
              label={t('rate')}
              path={`stages[${String(place)}].laborRatePerHour`}
              unit="R$"
              value={stage.laborRatePerHour}
              onValue={(value) => {
                change({ laborRatePerHour: value });
              }}
            />
          )}
          <CheckField
            label={t('required')}
            checked={stage.required}
            onChecked={(checked) => {
              change({ required: checked });
            }}
          />
        </>
      )}
    </FormulaLines>
  );
}

export function Byproducts({ form }: { readonly form: FormState<FormulaValues> }) {
  const t = useWords(words);
  const names = useNames(form.values.byproducts.map(({ variantId }) => variantId));
  return (
    <FormulaLines {...{ form }} name="byproducts" fresh={noByproduct} add={t('addByproduct')} remove="removeByproduct">
      {(byproduct, change, place) => (
        <>
          <VariantField
            label={t('byproducts')}
            path={`byproducts[${String(place)}].variantId`}
            required
            value={byproduct.variantId === '' ? undefined : byproduct.variantId}
            scanned={byproduct.scanned}
            onPick={(label) => {
              change({ variantId: label?.variantId ?? '', unit: label?.saleUnit ?? '' });
            }}
          />
          <NumberField
            label={t('quantity')}
            path={`byproducts[${String(place)}].quantityPerBatch`}
            required
            unit={names(byproduct.variantId)?.saleUnit}
            value={byproduct.quantityPerBatch}
            onValue={(value) => {
              change({ quantityPerBatch: value });
            }}
          />
          <NumberField
            label={t('share')}
            path={`byproducts[${String(place)}].costSharePercent`}
            required
            unit="%"
            value={byproduct.costSharePercent}
            onValue={(value) => {
              change({ costSharePercent: value });
            }}
          />
        </>
      )}
    </FormulaLines>
  );
}
