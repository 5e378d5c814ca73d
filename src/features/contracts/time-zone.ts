import { z } from 'zod';
import type { StoreDirectory } from './feature.js';

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

export const timeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, { error: 'is not a time zone' })
  .meta({ type: 'string', examples: ['America/Sao_Paulo'] });

/** A store's time zone; UTC for one that is unknown. */
export const timeZoneOf = async (stores: StoreDirectory, storeId: string): Promise<string> =>
  (await stores.byId(storeId))?.timeZone ?? 'UTC';
