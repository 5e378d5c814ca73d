import type { FiscalRecord } from '../../../../projections/fiscal/documents.js';
import { asksForPortuguese } from '../../../kernel/routes/language.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { inPortuguese } from '../failure-sentences.js';

/** Why a document failed, in Portuguese for who asks for it; programs read it as it was recorded. */

export function told<T extends Pick<FiscalRecord, 'failure'>>({ client }: RequestContext, record: T): T {
  const { failure } = record;
  if (!failure || !asksForPortuguese(client.acceptLanguage)) return record;
  return { ...record, failure: inPortuguese(failure) };
}

/** The same of records that are handed out as they are stored. */
export function allTold(context: RequestContext, bodies: readonly string[]): readonly string[] {
  if (!asksForPortuguese(context.client.acceptLanguage)) return bodies;
  return bodies.map((body) =>
    body.includes('"failure":{') ? JSON.stringify(told(context, JSON.parse(body) as FiscalRecord)) : body,
  );
}
