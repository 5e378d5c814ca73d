import type { FunctionComponent } from 'preact';
import type { Permission } from '../client/session.js';
import type { IconName } from '../parts/icon.js';
import type { Text } from '../words/words.js';

export type Group = 'daily' | 'safety' | 'goods' | 'selling' | 'proof' | 'store';

/** A place of the console: its address, who may see it, and its part, which is loaded when somebody goes there. */
export interface Screen {
  /** The first word of its address below /console/; what follows is the screen's own. */
  readonly path: string;
  /** Nothing follows: it is one page. */
  readonly isOnePage?: true;
  readonly name: Text;
  readonly icon: IconName;
  readonly group: Group;
  /** All that it takes to be of use; none for what everybody sees. */
  readonly permissions: readonly Permission[];
  readonly load: () => Promise<{ readonly default: FunctionComponent }>;
}
