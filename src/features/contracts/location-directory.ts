import type { RequestContext } from '../../kernel/routes/request-context.js';

/** The store's locations as other parts see them. */
export interface LocationDirectory {
  /** By id; deleted ones never held anything. */
  names(context: RequestContext): Promise<ReadonlyMap<string, string>>;
}
