import type { Commands } from '../../kernel/lanes/commands.js';

/** The store's tax rules as other parts see them. */
export interface TaxRuleDirectory {
  /** At the head of the rules' stream. */
  has(context: Commands, id: string): Promise<boolean>;
}
