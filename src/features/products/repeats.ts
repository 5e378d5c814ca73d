import { streamName } from '../../kernel/events/decider.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { product } from './decider.js';

/** The command by which a request creates, changes or deletes a product. */
export const RECORDING = 'product';

/** The command by which a request gives a kit its parts, or takes them away. */
export const PARTS = 'kit';

/** Whether an earlier run of the same request has recorded what it does to the product, which may have changed since. */
export const recordedBefore = (context: Commands, id: string): Promise<boolean> =>
  context.recordedBefore(product, RECORDING, streamName(product.category, context.storeId, id));
