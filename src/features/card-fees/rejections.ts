import { rejection } from '../../kernel/events/rejection.js';

export const ACCOUNT_IN_USE = rejection(
  409,
  'ACCOUNT_IN_USE',
  'The machine is the active one, or a tier names it; activate another or change the tiers first',
);
export const TBAND_TAKEN = rejection(409, 'TBAND_TAKEN', 'Another brand has this tBand code');
export const CARD_FEES_LIMIT = rejection(409, 'CARD_FEES_LIMIT', 'There are as many of these as there may be');
export const AUTO_ADJUST_OFF = rejection(409, 'AUTO_ADJUST_OFF', 'The adjustment is off or has no tiers');
export const JOB_EXISTS = rejection(409, 'JOB_EXISTS', 'A recalculation of this month is not finished yet');
export const JOB_FINISHED = rejection(409, 'JOB_FINISHED', 'The recalculation is over');
export const JOB_TAKEN_OVER = rejection(409, 'JOB_TAKEN_OVER', 'Another process works on the recalculation by now');
export const MONTH_NOT_BEGUN = rejection(400, 'MONTH_NOT_BEGUN', 'The month has not begun');
