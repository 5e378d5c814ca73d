import type { PositionTokens } from '../../kernel/routes/position-tokens.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply } from '../../kernel/routes/route.js';
import type { FeatureServices, StoreDirectory } from '../contracts/feature.js';
import { configurationOf } from './answers.js';
import { cardFeesOf } from './book.js';
import type { CardFeesCommand } from './decider.js';
import { cardFees } from './decider.js';
import type { FeeWork } from './fee-work.js';

/** What the routes of card fees work with. */
export interface CardFeeRouteServices extends Pick<FeatureServices, 'clock' | 'head'> {
  readonly stores: StoreDirectory;
  readonly work: FeeWork;
  readonly positions: PositionTokens;
}

export const viewing = { tag: 'Card fees', permission: 'cardFees.view' } as const;
export const managing = { tag: 'Card fees', permission: 'cardFees.manage' } as const;

type WithoutStore<C> = C extends unknown ? Omit<C, 'storeId'> : never;

export const decide = (context: RequestContext, command: WithoutStore<CardFeesCommand>, options = {}) =>
  context.execute(cardFees, { ...command, storeId: context.storeId }, options);

/** The full configuration with its entity tag. */
export async function configurationReply(context: RequestContext): Promise<Reply> {
  const fees = await cardFeesOf(context);
  return { body: configurationOf(fees), etag: fees.revision };
}
