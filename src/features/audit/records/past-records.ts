import { auditEvents, changeKey } from '../../../../projections/audit/audit-events.js';
import type { DomainEvent, Recorded } from '../../../kernel/events/event.js';
import { metaOf } from '../../../kernel/events/recorded.js';
import type { Entity } from '../../../kernel/events/history.js';
import { distinctEntities } from '../../../kernel/events/history.js';
import { NOT_FOUND, Rejection, rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { toIso } from '../../../kernel/values/clock.js';
import { LAST_MOMENT } from '../../../kernel/values/days.js';
import type { EventStore } from '../../../ports/event-store.js';
import type { AuditedRecord, Naming, PastMoment, PastState, StoreThen } from '../../contracts/audited-record.js';
import type { CustomerDirectory, CustomerFacts } from '../../contracts/customer-directory.js';
import { withoutCosts } from '../costs.js';
import {
  changesOf,
  changesOfKinds,
  changesOfSeveral,
  concerns,
  eventsUnder,
  firstEventOf,
} from '../../contracts/entity-events.js';
import type { Milestone } from './milestones.js';
import { Milestones, isFar } from './milestones.js';
import type { Named, NamesOfRecord } from './names-through-time.js';
import { NamesThroughTime, lastingNames, namedAt, namedSince } from './names-through-time.js';
import type { JsonChange } from '../../../kernel/values/json-changes.js';
import { jsonChanges } from '../../../kernel/values/json-changes.js';

export const NOT_YET = rejection(404, 'NOT_YET', 'The record did not exist yet at that moment');

/** Kinds whose records hold costs that only some may see. */
const COSTLY: ReadonlySet<string> = new Set(['order', 'lot', 'recipe', 'sale', 'receipt', 'adjustment', 'transfer']);

/** So many events of another stream are read at once. */
const NAMING_PAGE = 500;

interface RecordChange extends JsonChange {
  readonly eventId: string;
  readonly by: Recorded<DomainEvent>['meta']['actor'];
  readonly at: string;
}

export interface PastServices {
  readonly eventStore: EventStore;
  readonly customers: CustomerDirectory;
  readonly records: readonly AuditedRecord[];
}

/** Records as they were, out of the events that made them. */
export class PastRecords {
  private readonly kinds: ReadonlyMap<string, AuditedRecord>;
  private readonly namesThroughTime = new NamesThroughTime();
  private readonly milestones = new Milestones();

  constructor(private readonly services: PastServices) {
    this.kinds = new Map(services.records.map((record) => [record.kind, record]));
  }

  kind(name: string): AuditedRecord | undefined {
    return this.kinds.get(name);
  }

  /** The record as it was at the end of a moment, as the asker may see it. */
  async stateAt(context: RequestContext, entity: Entity, moment: PastMoment): Promise<object> {
    const { at } = moment;
    const state = await this.foldedAt(context, entity, at);
    const shown = this.kinds.get(entity.kind)?.show(state, entity.id);
    if (shown)
      return this.visible(context, entity.kind, await this.completed(context, entity, { shown, state }, moment));
    return this.untouched(context, entity, at);
  }

  /** What a store has of it from its beginning, at the end of a moment before anything happened to it. */
  async untouched(context: RequestContext, entity: Entity, at: string): Promise<object> {
    const known = await firstEventOf(this.services.eventStore, context, entity);
    if (known && known.meta.at <= at) {
      throw new Rejection(NOT_FOUND, 'The record did not exist any more at that moment');
    }
    const given = await this.given(context, entity, at);
    if (given) return given;
    throw new Rejection(known || (await this.given(context, entity, toIso(LAST_MOMENT))) ? NOT_YET : NOT_FOUND);
  }

  private async given(context: RequestContext, { kind, id }: Entity, at: string): Promise<object | undefined> {
    const record = this.kinds.get(kind);
    if (!record?.given) return undefined;
    const store = await this.storeThen(context, at);
    return store && record.given(store, id);
  }

  private async storeThen(context: RequestContext, at: string): Promise<StoreThen | undefined> {
    return (await this.find(context, { kind: 'store', id: context.storeId }, at)) as StoreThen | undefined;
  }

  /** The same, undefined when there was none; sealed values are still sealed. */
  async find(context: RequestContext, entity: Entity, at: string): Promise<object | undefined> {
    return this.kinds.get(entity.kind)?.show(await this.foldedAt(context, entity, at), entity.id);
  }

  private async foldedAt(context: RequestContext, entity: Entity, at: string): Promise<unknown> {
    const record = this.kinds.get(entity.kind);
    if (!record?.changedBy) return record && this.foldedWithMentioned(context, record, entity.id, at);
    let state: unknown;
    for await (const event of this.past(context, entity, at)) {
      state = record.evolve(state, event, entity.id);
    }
    return state;
  }

  /** What is gone of what it mentions is gone from it as well, whenever it came to mention that. */
  private async foldedWithMentioned(context: RequestContext, record: AuditedRecord, id: string, at: string) {
    let state = await this.fold(context, record, id, at);
    const shown = record.show(state, id);
    const mentioned = (shown && record.mentions?.(shown)) ?? [];
    for await (const event of changesOfSeveral(this.services.eventStore, context, mentioned, at)) {
      state = record.evolve(state, event, id);
    }
    return state;
  }

  /** With what the interface gives of it beside what its events make. */
  private async completed(context: RequestContext, { kind, id }: Entity, past: PastState, moment: PastMoment) {
    const record = this.kinds.get(kind);
    const { shown } = past;
    if (record?.complete) {
      const { timeZone } = (await this.storeThen(context, moment.at)) ?? moment;
      return record.complete(context, past, { at: moment.at, timeZone });
    }
    const name = record?.naming && namedAt(lastingNames(await this.namesElsewhere(record.naming, id)), moment.at)?.name;
    return name === undefined ? shown : { ...shown, name };
  }

  /** What its events until a moment make of a record, from the last milestone on. */
  private async fold(context: RequestContext, record: AuditedRecord, id: string, until: string): Promise<unknown> {
    const entity = { kind: record.kind, id };
    const key = `${context.storeId} ${record.kind} ${id}`;
    const index = changeKey(entity);
    const start = await this.milestone(context, key, index, until);
    const passed: Milestone[] = [];
    let { at, events, state }: Milestone = start ?? { at: '', events: 0, state: undefined };
    const under = { key: index, until, ...(start ? { after: start.at } : {}) };
    for await (const event of eventsUnder(this.services.eventStore, context, under)) {
      // Events of one moment belong together.
      if (event.meta.at > at && isFar(events, passed.at(-1) ?? start)) passed.push({ at, events, state });
      at = event.meta.at;
      events += 1;
      if (concerns(event, entity)) state = record.evolve(state, event, id);
    }
    if (isFar(events, passed.at(-1) ?? start)) passed.push({ at, events, state });
    if (passed.length > 0) this.milestones.add(key, passed, JSON.stringify(record.show(state, id) ?? null).length);
    return state;
  }

  /** The last that still counts: the clock of another process may have put an event before it since. */
  private async milestone(context: RequestContext, key: string, index: number, until: string) {
    const known = this.milestones.before(key, until);
    if (!known) return undefined;
    const range = { column: 'at', to: known.at };
    if ((await context.reads.count(auditEvents, { equal: { entity: index }, range })) === known.events) return known;
    this.milestones.forget(key);
    return undefined;
  }

  /** What it was called through time; known again by its stamp, if it has one, until the record changes. */
  names(context: RequestContext, entity: Entity, stamp: string | undefined): Promise<NamesOfRecord> {
    const work = async () => {
      const record = this.kinds.get(entity.kind);
      if (!record) return [];
      if (record.naming) return lastingNames(await this.namesElsewhere(record.naming, entity.id));
      const names: Named[] = [];
      let state: unknown;
      for await (const event of changesOf(this.services.eventStore, context, entity)) {
        state = record.evolve(state, event, entity.id);
        names.push(namedSince(event.meta.at, record, record.show(state, entity.id)));
      }
      return lastingNames(names);
    };
    if (stamp === undefined) return work();
    return this.namesThroughTime.of(`${context.storeId} ${entity.kind} ${entity.id}`, stamp, work);
  }

  /** What each event after `from`, up to `to`, changed of the record; at most so many. */
  async changes(
    context: RequestContext,
    entity: Entity,
    { from, to }: { readonly from: string; readonly to: string },
    limit: number,
  ): Promise<readonly RecordChange[]> {
    const record = this.kinds.get(entity.kind);
    const changes: RecordChange[] = [];
    let state: unknown;
    let found = false;
    for await (const event of this.past(context, entity, to)) {
      found ||= concerns(event, entity);
      const next = record?.evolve(state, event, entity.id);
      if (record && event.meta.at > from && changes.length < limit) {
        const [before, after] = await Promise.all(
          [
            state === undefined ? await this.given(context, entity, event.meta.at) : record.show(state, entity.id),
            record.show(next, entity.id),
          ].map((shown) => this.visible(context, entity.kind, shown)),
        );
        const { actor: by, at } = event.meta;
        for (const change of jsonChanges(before, after)) {
          // A member that is there and empty tells an auditor no more than one that is not there.
          if (change.from !== null || change.to !== null) changes.push({ ...change, eventId: event.id, by, at });
        }
      }
      state = next;
    }
    if (!found) await this.untouched(context, entity, to);
    return changes.slice(0, limit);
  }

  /** What made a record what it was at a moment; where other records have a say, theirs as well. */
  private async *past(context: RequestContext, entity: Entity, until: string): AsyncGenerator<Recorded<DomainEvent>> {
    const { eventStore } = this.services;
    const kinds = this.kinds.get(entity.kind)?.changedBy;
    if (kinds) yield* changesOfKinds(eventStore, context, kinds, until);
    else {
      const mentioned = await this.everMentioned(context, entity, until);
      yield* changesOfSeveral(eventStore, context, [entity, ...mentioned], until);
    }
  }

  private async everMentioned(context: RequestContext, entity: Entity, until: string): Promise<readonly Entity[]> {
    const record = this.kinds.get(entity.kind);
    if (!record?.mentions) return [];
    let mentioned: readonly Entity[] = [];
    let state: unknown;
    for await (const event of changesOf(this.services.eventStore, context, entity, until)) {
      state = record.evolve(state, event, entity.id);
      const shown = record.show(state, entity.id);
      if (shown) mentioned = distinctEntities([...mentioned, ...record.mentions(shown)]);
    }
    return mentioned;
  }

  private async namesElsewhere(naming: Naming, id: string): Promise<NamesOfRecord> {
    const names: Named[] = [];
    for (let from = 0, read = NAMING_PAGE; read === NAMING_PAGE; from += read) {
      const events = await this.services.eventStore.readStream(naming.stream(id), { from, limit: NAMING_PAGE });
      for (const event of events) {
        const name = naming.nameIn(event);
        if (name !== undefined) names.push({ from: metaOf(event).at, name, parts: {} });
      }
      read = events.length;
    }
    return names;
  }

  private async visible<T extends object | undefined>(context: RequestContext, kind: string, shown: T): Promise<T> {
    if (shown === undefined) return shown;
    if (kind === 'customer') {
      const [person] = await this.services.customers.unseal(context.storeId, [shown as CustomerFacts]);
      return { ...shown, ...person };
    }
    return COSTLY.has(kind) && !context.may('production.costs') ? (withoutCosts(shown) as T) : shown;
  }
}
