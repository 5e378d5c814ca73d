import { Decimal } from '../../../kernel/values/decimal.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import { grouped } from '../../../kernel/values/grouped.js';
import type { Formula, FormulaItem, FormulaStage } from '../events.js';
import { FORMULA_INVALID } from '../rejections.js';

/** An input as a client gives it: one in percent has no quantity until it is worked out. */
export type GivenItem = Omit<FormulaItem, 'quantity'> & { readonly quantity: Decimal | null };

/** Without a rate the stage keeps the one that a stage of its name had, the second of a name that of the second: not everybody sees it. */
type GivenStage = Omit<FormulaStage, 'laborRatePerHour'> & {
  readonly laborRatePerHour: Decimal | null | undefined;
};

export interface GivenFormula extends Omit<Formula, 'items' | 'stages'> {
  readonly items: readonly GivenItem[];
  readonly stages: readonly GivenStage[];
}

export interface FormulaError {
  readonly path: string;
  readonly message: string;
}

export function formulaRefusal(errors: readonly FormulaError[], kind = FORMULA_INVALID): Rejection {
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Rejection(kind, detail.slice(0, 500), { errors });
}

export function expectNone(errors: readonly FormulaError[], kind = FORMULA_INVALID): void {
  if (errors.length > 0) throw formulaRefusal(errors, kind);
}

/** The formula after a change; lists are replaced whole. */
export function changedFormula(before: Formula, changes: Partial<GivenFormula>): GivenFormula {
  const ofName = grouped(before.stages, ({ name }) => name);
  const named = new Map([...ofName].map(([name, stages]) => [name, stages.values()]));
  const stages = changes.stages?.map((stage) => {
    const was = named.get(stage.name)?.next().value?.laborRatePerHour ?? null;
    return { ...stage, laborRatePerHour: stage.laborRatePerHour === undefined ? was : stage.laborRatePerHour };
  });
  return { ...before, ...changes, stages: stages ?? before.stages };
}

function repeated(ids: readonly string[], path: (index: number) => string): FormulaError[] {
  return ids.flatMap((id, index) =>
    ids.indexOf(id) < index ? [{ path: path(index), message: 'is named a second time' }] : [],
  );
}

/** What can be said of a formula without asking anybody. */
export function expectWellFormed({ finishedVariantId, items, byproducts }: GivenFormula): void {
  const shares = Decimal.sum(byproducts.map(({ costSharePercent }) => costSharePercent));
  const componentPath = (index: number) => `items[${String(index)}].componentVariantId`;
  const byproductPath = (index: number) => `byproducts[${String(index)}].variantId`;
  expectNone([
    ...repeated(
      items.map(({ componentVariantId }) => componentVariantId),
      componentPath,
    ),
    ...repeated(
      byproducts.map(({ variantId }) => variantId),
      byproductPath,
    ),
    ...byproducts.flatMap(({ variantId }, index) =>
      variantId === finishedVariantId
        ? [{ path: byproductPath(index), message: 'is the finished product itself' }]
        : [],
    ),
    ...(shares.lessThan(Decimal.hundred)
      ? []
      : [{ path: 'byproducts', message: 'take the whole cost: their shares must stay below 100 %' }]),
  ]);
}
