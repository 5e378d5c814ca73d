import { z } from 'zod';
import { ORDER_STATUSES } from '../../../../projections/production/orders.js';
import { bodyMoment } from '../../../kernel/values/days.js';
import { decimal, freeText, id, mayBeAbsent, name, pathId } from '../../../kernel/values/fields.js';
import { listQuery } from '../../../kernel/routes/lists.js';
import { MOST_QUANTITY, REASON_LENGTH, allowNegativeStock, lotCode, quantity } from '../fields.js';

/** What requests about production orders hold. */

const NOTES_LENGTH = 2_000;
const SHORTEST_REASON = 5;
const MOST_INPUTS = 200;

const notes = freeText(NOTES_LENGTH).nullable();

const places = {
  locationId: mayBeAbsent(id).meta({ description: "Where the inputs leave; omitted means the production's default" }),
  outputLocationId: mayBeAbsent(id).meta({
    description: "Where the finished product enters; omitted means the production's default",
  }),
};

const actualInputs = mayBeAbsent(
  z
    .array(
      z.strictObject({
        componentVariantId: id.meta({ description: 'An input of the recipe; it may be named once for each lot' }),
        quantity: decimal({ decimals: 6, minimum: 0, maximum: MOST_QUANTITY }),
        lotCode: mayBeAbsent(lotCode).meta({ description: 'Takes from lots with this code alone' }),
      }),
    )
    .max(MOST_INPUTS),
).meta({ description: 'What was really used, where it differs; inputs that are not named keep their need' });

const output = {
  actualOutputQty: mayBeAbsent(decimal({ decimals: 6, minimum: 0, maximum: MOST_QUANTITY })).meta({
    description: 'What was really obtained, 0 for a total loss; omitted means what was expected',
  }),
  outputLotCode: mayBeAbsent(lotCode).meta({
    description: 'New for the product; omitted means one that is made up of day and number',
  }),
  outputExpiresAt: mayBeAbsent(bodyMoment).meta({ description: 'A date means the end of that day' }),
  actualInputs,
  allowNegativeStock,
};

export const newPlan = z
  .strictObject({
    recipeId: id,
    batches: quantity,
    expectedAt: bodyMoment.meta({ description: 'A date means the beginning of that day' }),
    ...places,
    notes: notes.optional(),
  })
  .meta({ id: 'OrderPlanBody' });

export const newOrder = z
  .strictObject({ recipeId: id, batches: quantity, ...places, ...output, notes: notes.optional() })
  .meta({ id: 'OrderBody' });

export const completion = z.strictObject(output).meta({ id: 'OrderCompletion' });

export const stageMark = z
  .strictObject({ done: mayBeAbsent(z.boolean()), notes: notes.optional() })
  .meta({ id: 'OrderStageMark' });

export const reversal = z
  .strictObject({
    reason: name(REASON_LENGTH, SHORTEST_REASON),
    partial: mayBeAbsent(z.boolean()).meta({ description: 'Reverses only what is still in stock' }),
  })
  .meta({ id: 'OrderReversal' });

export const orderParams = z.strictObject({ id: pathId });
export const stageParams = z.strictObject({ id: pathId, stageId: pathId });

const OPEN: readonly string[] = ['PLANNED', 'IN_PROGRESS'];

export const orderQuery = listQuery
  .extend({
    status: z.enum(ORDER_STATUSES).optional(),
    recipeId: id.optional(),
    sort: z.enum(['made', 'due', 'ended']).default('made').meta({
      description:
        'made: by when they were planned or registered, the newest first; due: PLANNED or IN_PROGRESS ones by when they are expected, the earliest first; ended: those of another status by when they were completed or cancelled, the last first',
    }),
  })
  .superRefine(({ sort, status }, context) => {
    if (sort === 'made') return;
    if (status !== undefined && OPEN.includes(status) === (sort === 'due')) return;
    const message =
      sort === 'due' ? 'sort by due needs an open status' : 'sort by ended needs a status that is not open';
    context.addIssue({ code: 'custom', path: ['status'], message });
  });

export type OutputGiven = Pick<z.output<typeof newOrder>, keyof typeof output>;
export type Places = Pick<z.output<typeof newOrder>, keyof typeof places>;
