import { planOf } from '../../src/features/stores/decider.js';
import type { StoreRecord } from '../../src/features/stores/events.js';

/** A store as somebody opens it. */
export const openedStore = (id: string, slug: string, requireTwoFactor = false): StoreRecord => ({
  id,
  slug,
  legalName: slug,
  tradeName: slug,
  taxId: null,
  segment: 'BAKERY',
  activityCode: null,
  timeZone: 'America/Sao_Paulo',
  plan: planOf('api'),
  modules: { production: true, scaleCode: true, orders: true },
  requireTwoFactor,
});
