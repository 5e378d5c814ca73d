import type { Decider, StreamType } from '../../kernel/events/decider.js';
import type { AccountCommand } from './domain/account-decisions.js';
import { decideAccount } from './domain/account-decisions.js';
import type { AutoAdjustCommand } from './domain/auto-adjust.js';
import { decideAutoAdjust } from './domain/auto-adjust.js';
import type { BrandCommand } from './domain/brand-decisions.js';
import { decideBrand } from './domain/brand-decisions.js';
import { evolve } from './domain/evolve.js';
import type { JobCommand } from './domain/job-decisions.js';
import { decideJob } from './domain/job-decisions.js';
import { cardFeesSnapshot } from './domain/snapshot.js';
import type { CardFees } from './domain/state.js';
import { NO_CARD_FEES, firstConfiguration, withFirst } from './domain/state.js';
import type { CardFeeEvent } from './events.js';
import { cardFeeEvents } from './events.js';

export type CardFeesCommand = { readonly storeId: string } & (
  AccountCommand | BrandCommand | AutoAdjustCommand | JobCommand
);

function decideOn(fees: CardFees, command: CardFeesCommand): readonly CardFeeEvent[] {
  switch (command.type) {
    case 'addBrand':
    case 'changeBrand':
    case 'removeBrand':
      return decideBrand(fees, command);
    case 'configureAutoAdjust':
    case 'runAutoAdjust':
      return decideAutoAdjust(fees, command);
    case 'queueJob':
    case 'claimJob':
    case 'recordBatch':
    case 'finishJob':
    case 'failJob':
    case 'cancelJob':
      return decideJob(fees, command);
    default:
      return decideAccount(fees, command);
  }
}

const decider: Decider<CardFees, CardFeesCommand, CardFeeEvent> = {
  initial: NO_CARD_FEES,
  evolve,
  decide(fees, command) {
    const facts = decideOn(withFirst(fees, command.storeId), command);
    if (facts.length === 0 || fees.opened) return facts;
    return [{ type: 'CardFeesOpened', data: firstConfiguration(command.storeId) }, ...facts];
  },
};

/** What card payments cost a store, and the work of recalculating it: one stream, so that a late process is refused where it writes. */
export const cardFees: StreamType<CardFees, CardFeesCommand, CardFeeEvent> = {
  category: 'card-fees',
  decider,
  events: cardFeeEvents,
  snapshot: cardFeesSnapshot,
  weigh: ({ accounts, brands, jobs }) =>
    brands.size + jobs.size + accounts.reduce((sum, account) => sum + 10 + account.brandRates.size * 10, 0),
};
