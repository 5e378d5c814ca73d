import { z } from 'zod';
import { actor } from '../../contracts/actor.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { RawJsonBytes } from '../../../kernel/routes/route.js';
import type { ToldPage } from '../../../ports/event-teller.js';
import type { PastRecords, PastServices } from '../records/past-records.js';
import { NamesThen } from './names-then.js';

const toldEvent = {
  id: z.uuid(),
  type: z.string(),
  at: z.iso.datetime(),
  actor,
  requestId: z.string(),
  text: z.string().meta({ description: 'What happened, in Portuguese or, by Accept-Language, in English' }),
  entities: z
    .array(z.strictObject({ kind: z.string(), id: z.string() }))
    .meta({ description: 'The records that it is about, the one that it is most about first' }),
};

export const historyItem = z.strictObject(toldEvent).meta({ id: 'HistoryItem' });

export const eventAnswer = z
  .strictObject({
    ...toldEvent,
    schemaVersion: z.int(),
    storeId: z.uuid(),
    causationId: z.string().meta({ description: 'The command that caused it; all events of one command share it' }),
    stream: z.string(),
    revision: z.int(),
    hash: z.string().optional().meta({
      description:
        'Chains it to the event before it in its stream: SHA-256 in lower-case hex, in base64url for events that the first releases recorded. Absent for who may not see costs where an event of its stream holds some: they could be guessed by it',
    }),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEvent' });

/** A page of told events, with the names of records as they were called then. */
export async function pageAnswer(
  { past, customers, eventStore }: { readonly past: PastRecords } & Pick<PastServices, 'customers' | 'eventStore'>,
  context: RequestContext,
  { bytes, names: wished, places }: ToldPage,
  nextCursor: string | null,
): Promise<RawJsonBytes> {
  const pieces: Uint8Array[] = [Buffer.from('{"items":[')];
  let from = 0;
  if (wished.length > 0) {
    const names = new NamesThen(past, { customers, eventStore }, context);
    await names.learn(wished);
    wished.forEach((wish, index) => {
      const place = places[index] ?? from;
      pieces.push(bytes.subarray(from, place), Buffer.from(JSON.stringify(names.nameOf(wish)).slice(1, -1)));
      from = place;
    });
  }
  pieces.push(bytes.subarray(from), Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)}}`));
  return new RawJsonBytes(Buffer.concat(pieces));
}
