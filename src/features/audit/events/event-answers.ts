import { z } from 'zod';
import type { DomainEvent } from '../../../kernel/events/event.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { PastRecords, PastServices } from '../records/past-records.js';
import { bearsCosts, withoutCosts } from '../costs.js';
import { decoded } from '../../contracts/entity-events.js';
import type { FoundEvent } from './event-search.js';
import { NamesThen } from './names-then.js';

export const actorAnswer = z
  .strictObject({ kind: z.enum(['user', 'apiKey', 'system']), id: z.string(), name: z.string() })
  .meta({ id: 'Actor' });

const toldEvent = {
  id: z.uuid(),
  type: z.string(),
  at: z.iso.datetime(),
  actor: actorAnswer,
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
    hash: z.string().meta({
      description:
        'Chains it to the event before it in its stream: SHA-256 in lower-case hex, in base64url for events that the first releases recorded',
    }),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEvent' });

/** Found events as items of a history, in JSON without the braces: `{…}` with more members makes an event of it. */
async function tell(
  { past, customers, eventStore }: { readonly past: PastRecords } & Pick<PastServices, 'customers' | 'eventStore'>,
  context: RequestContext,
  found: readonly FoundEvent[],
): Promise<readonly string[]> {
  const names = new NamesThen(past, { customers, eventStore }, context);
  await names.learn(found.flatMap(({ told: { names: wished, at } }) => wished.map((entity) => ({ ...entity, at }))));
  return found.map(({ told: { told, names: wished, at } }) => {
    let text = told[0] ?? '';
    wished.forEach((entity, index) => {
      text += JSON.stringify(names.nameOf({ ...entity, at })).slice(1, -1) + (told[index + 1] ?? '');
    });
    return text;
  });
}

/** What they tell, in words. */
export async function historyItems(...asked: Parameters<typeof tell>): Promise<readonly string[]> {
  return (await tell(...asked)).map((members) => `{${members}}`);
}

/** The same with all that is recorded of them, as the asker may see it. */
export async function eventItems(...asked: Parameters<typeof tell>): Promise<readonly string[]> {
  const [, context, found] = asked;
  const told = await tell(...asked);
  return found.map((one, index) => `{${told[index] ?? ''},${one.told.facts},"data":${visibleJson(one, context)}}`);
}

/** What was recorded, as the asker may see it. */
export function visibleData(event: DomainEvent, context: RequestContext): unknown {
  const data = JSON.parse(JSON.stringify(event.data)) as unknown;
  return hidesCosts(event, context) ? withoutCosts(data) : data;
}

/** The same as JSON. What is stored in the present version of its kind goes out as it is. */
function visibleJson({ stored, told }: FoundEvent, context: RequestContext): string {
  if (told.isPresent && !hidesCosts(stored, context)) return stored.data;
  const event = decoded(stored);
  return event ? JSON.stringify(visibleData(event, context)) : stored.data;
}

const hidesCosts = ({ type }: { readonly type: string }, context: RequestContext): boolean =>
  bearsCosts(type) && !context.may('production.costs');
