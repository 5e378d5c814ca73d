/** The rates of IBS and CBS in percent, as the law has them for the year of trial. No other year's are known yet. */
export const TRIAL_RATES = { ibsState: '0.1', ibsCity: '0', cbs: '0.9' } as const;

/** The last day on which they hold, and on which the two taxes are shown without being part of what a document comes to. */
export const TRIAL_ENDS_ON = '2026-12-31';
