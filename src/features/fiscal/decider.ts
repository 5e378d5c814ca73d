import type { Decider, StreamType } from '../../kernel/events/decider.js';
import type { FiscalCommand } from './domain/commands.js';
import { decideFiscal } from './domain/decisions.js';
import { fiscalSnapshot } from './domain/snapshot.js';
import type { FiscalState } from './domain/state.js';
import { EMPTY_FISCAL, evolveFiscal } from './domain/state.js';
import type { FiscalEvent } from './events.js';
import { fiscalEvents } from './events.js';

const decider: Decider<FiscalState, FiscalCommand, FiscalEvent> = {
  initial: EMPTY_FISCAL,
  evolve: (state, event, { revision }) => evolveFiscal(state, event, revision),
  decide: decideFiscal,
};

/** The fiscal documents of a store, and the numbers that they take without gaps. */
export const fiscal: StreamType<FiscalState, FiscalCommand, FiscalEvent> = {
  category: 'fiscal',
  decider,
  events: fiscalEvents,
  snapshot: fiscalSnapshot,
  weigh: ({ open, ended }) => 4 * (open.size + ended.young.size + ended.old.size),
};
