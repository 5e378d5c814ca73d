import { z } from 'zod';
import { usedCardBrands } from '../../../projections/card-fees/card-payments.js';
import { NAME_TAKEN } from '../../kernel/patterns/named-set.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { defined } from '../../kernel/values/defined.js';
import { pathId } from '../../kernel/values/fields.js';
import { configurationAnswer } from './answers.js';
import { brandChanges, configuration, newBrand } from './bodies.js';
import { CARD_FEES_LIMIT, TBAND_TAKEN } from './rejections.js';
import { configurationReply, decide, managing, viewing } from './services.js';

const params = z.strictObject({ brandId: pathId });
const whole = { schema: configurationAnswer, etag: true } as const;

export const configurationRoutes: readonly Route[] = [
  route({
    ...viewing,
    method: 'get',
    path: '/card-fees',
    operationId: 'getCardFees',
    summary: 'Gives the full fee configuration: settings, machines with their rates, brands and the adjustment',
    request: {},
    response: { status: 200, ...whole },
    handle: (_input, context) => configurationReply(context),
  }),
  route({
    ...managing,
    method: 'put',
    path: '/card-fees',
    summary: 'Changes settings and general rates; machines that are left out stay as they are',
    request: { body: configuration },
    ifMatch: true,
    response: { status: 200, ...whole },
    async handle({ body: { settings = {}, accounts = [] } }, context) {
      await decide(context, {
        type: 'configure',
        settings: defined(settings),
        accounts: accounts.map(({ id, ...rates }) => ({ id, ...defined(rates) })),
        ifMatch: context.ifMatch,
      });
      return configurationReply(context);
    },
  }),
  route({
    ...managing,
    method: 'post',
    path: '/card-fees/brands',
    summary: 'Adds a card brand',
    description: 'A store has the brands of the NFC-e table from its beginning.',
    request: { body: newBrand },
    response: { status: 201, ...whole },
    rejections: [NAME_TAKEN, TBAND_TAKEN, CARD_FEES_LIMIT],
    async handle({ body: { name, tBand = null } }, context) {
      await decide(context, { type: 'addBrand', brand: { id: context.newId(), name, tBand, active: true } });
      return configurationReply(context);
    },
  }),
  route({
    ...managing,
    method: 'patch',
    path: '/card-fees/brands/{brandId}',
    summary: 'Changes a card brand; an inactive one is refused in new sales',
    request: { params, body: brandChanges },
    response: { status: 200, ...whole },
    rejections: [NAME_TAKEN, TBAND_TAKEN],
    async handle({ params: { brandId }, body }, context) {
      const changes = defined(body);
      await decide(context, { type: 'changeBrand', brandId, changes, ifMatch: context.ifMatch });
      return configurationReply(context);
    },
  }),
  route({
    ...managing,
    method: 'delete',
    path: '/card-fees/brands/{brandId}',
    summary: 'Deletes a card brand; one that is in sales is only deactivated',
    request: { params },
    response: { status: 200, ...whole },
    async handle({ params: { brandId } }, context) {
      const used = (await context.reads.get(usedCardBrands, brandId)) !== undefined;
      await decide(context, { type: 'removeBrand', brandId, used, ifMatch: context.ifMatch });
      return configurationReply(context);
    },
  }),
];
