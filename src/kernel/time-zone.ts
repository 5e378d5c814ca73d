import { z } from 'zod';

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
