import { z } from 'zod';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';
import { storedFiscalSettings } from '../contracts/fiscal-settings.js';

export const SEGMENTS = ['RETAIL', 'BAKERY', 'INDUSTRIAL'] as const;
export const PLANS = ['basic', 'api'] as const;

const plan = z.object({ name: z.enum(PLANS), apiAccess: z.boolean() });
/** What the store itself may change. */
const settings = z.object({
  legalName: z.string(),
  tradeName: z.string(),
  taxId: z.string().nullable(),
  segment: z.enum(SEGMENTS),
  activityCode: z.string().nullable(),
  timeZone: z.string(),
  modules: z.object({ production: z.boolean(), scaleCode: z.boolean(), orders: z.boolean() }),
  requireTwoFactor: z.boolean(),
});

const storeCreated = defineEvent('StoreCreated', 1, settings.extend({ id: z.string(), slug: z.string(), plan }));
/** As they are from now on, and what those that changed were before; absent in events of earlier releases. */
const storeChanged = defineEvent(
  'StoreChanged',
  1,
  settings.extend({ id: z.string(), was: settings.partial().optional() }),
);
const storePlanChanged = defineEvent('StorePlanChanged', 1, z.object({ id: z.string(), plan }));
/** The same of these; secrets are in no event. */
const storeFiscalSettingsChanged = defineEvent(
  'StoreFiscalSettingsChanged',
  1,
  z.object({ id: z.string(), fiscal: storedFiscalSettings, was: storedFiscalSettings.partial().optional() }),
);

export const storeEvents = eventCodec(storeCreated, storeChanged, storePlanChanged, storeFiscalSettingsChanged);
export type StoreEvent = EventOf<
  typeof storeCreated | typeof storeChanged | typeof storePlanChanged | typeof storeFiscalSettingsChanged
>;
export type StoreRecord = EventOf<typeof storeCreated>['data'];
export type StoreSettings = z.output<typeof settings>;
export type PlanName = (typeof PLANS)[number];
