import { z } from 'zod';
import { toldType } from '../../../../projections/audit/parts/histories.js';
import type { DomainEvent } from '../../../kernel/events/event.js';
import type { Voice } from '../../../kernel/events/history.js';
import { distinctEntities } from '../../../kernel/events/history.js';
import { languageOf } from '../../../kernel/routes/language.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { PastRecords, PastServices } from '../records/past-records.js';
import { bearsCosts, withoutCosts } from '../costs.js';
import { entitiesOf } from '../../contracts/entity-events.js';
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
    hash: z.string().meta({ description: 'Chains it to the event before it in its stream' }),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEvent' });

type Told = z.output<typeof historyItem>;

/** A voice that only notes which names are asked for. */
const listening = (heard: (kind: string, id: string) => void): Voice => ({
  name(kind, id) {
    heard(kind, id);
    return '';
  },
  number: () => '',
  money: () => '',
  list: () => '',
});

/** What events tell, in words. */
export async function tell(
  { past, customers }: { readonly past: PastRecords } & Pick<PastServices, 'customers'>,
  context: RequestContext,
  found: readonly FoundEvent[],
): Promise<readonly Told[]> {
  const language = languageOf(context);
  const names = new NamesThen(past, { customers }, context);
  const sentence = ({ event }: FoundEvent, say: Voice): string =>
    toldType(event.type)?.history[language](event.data, say) ?? event.type;
  const wishes = found.flatMap((one) => {
    const wished: { kind: string; id: string; at: string }[] = [];
    const { at } = one.event.meta;
    sentence(
      one,
      listening((kind, id) => wished.push({ kind, id, at })),
    );
    return wished;
  });
  await names.learn(wishes);
  return found.map((one) => {
    const { id, type, meta } = one.event;
    const { at, actor, requestId } = meta;
    const entities = [...distinctEntities(entitiesOf(one.event))];
    return { id, type, at, actor, requestId, text: sentence(one, names.voice(language, at)), entities };
  });
}

/** What was recorded, as the asker may see it. */
export function visibleData(event: DomainEvent, context: RequestContext): unknown {
  const data = JSON.parse(JSON.stringify(event.data)) as unknown;
  return hidesCosts(event, context) ? withoutCosts(data) : data;
}

/** The same as JSON. What is stored in the present version of its kind goes out as it is. */
export function visibleJson({ event, stored }: FoundEvent, context: RequestContext): string {
  const isPresent = event.meta.schemaVersion === toldType(event.type)?.codec.versionOf(event.type);
  return isPresent && !hidesCosts(event, context) ? stored.data : JSON.stringify(visibleData(event, context));
}

const hidesCosts = ({ type }: DomainEvent, context: RequestContext): boolean =>
  bearsCosts(type) && !context.may('production.costs');
