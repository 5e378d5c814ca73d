import { z } from 'zod';
import type { EventOf } from '../../kernel/event.js';
import { defineEvent, eventCodec } from '../../kernel/event.js';

export const SEGMENTS = ['RETAIL', 'BAKERY', 'INDUSTRIAL'] as const;
export const PLANS = ['basic', 'api'] as const;

export const storeCreated = defineEvent(
  'StoreCreated',
  1,
  z.object({
    id: z.string(),
    slug: z.string(),
    legalName: z.string(),
    tradeName: z.string(),
    taxId: z.string().nullable(),
    segment: z.enum(SEGMENTS),
    activityCode: z.string().nullable(),
    timeZone: z.string(),
    plan: z.object({ name: z.enum(PLANS), apiAccess: z.boolean() }),
    modules: z.object({ production: z.boolean(), scaleCode: z.boolean(), orders: z.boolean() }),
    requireTwoFactor: z.boolean(),
  }),
);

export const storeEvents = eventCodec(storeCreated);
export type StoreEvent = EventOf<typeof storeCreated>;
export type StoreRecord = StoreEvent['data'];
