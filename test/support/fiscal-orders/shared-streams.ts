import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { DomainEvent, Recorded } from '../../../src/kernel/events/event.js';
import { Rejection } from '../../../src/kernel/events/rejection.js';
import type { CommandEnvelope, Executed } from '../../../src/kernel/lanes/decision.js';
import { decideOne } from '../../../src/kernel/lanes/decision.js';
import type { Head } from '../../../src/kernel/lanes/head.js';
import { emptyHead } from '../../../src/kernel/lanes/head.js';
import type { CommandLanes } from '../../../src/kernel/lanes/lanes.js';
import { RowConflict } from '../../../src/ports/event-store.js';
import type { Vault } from '../../../src/ports/vault.js';
import type { Actor, Schedule } from './schedule.js';

interface Stream<S, E extends DomainEvent> {
  head: Head<S>;
  readonly events: Recorded<E>[];
}

interface NamedCommand {
  readonly type: string;
  readonly documentId?: string;
  readonly prepared?: { readonly document: { readonly documentId: string } };
}

const nameOf = ({ type, documentId, prepared }: NamedCommand): string =>
  `${type} ${(documentId ?? prepared?.document.documentId ?? '').slice(-4)}`;

const toldOf = ({ type, data }: DomainEvent): string => {
  const { document } = data as { readonly document?: { readonly number: number | null } };
  return document?.number == null ? type : `${type} #${String(document.number)}`;
};

/** The streams that processes share; rows go with the events, or before and after them where they are kept apart. */
export class SharedStreams {
  private readonly streams = new Map<string, unknown>();
  private position = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly vault: Vault,
    private readonly areRowsApart: boolean,
  ) {}

  of<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, name: string): Stream<S, E> {
    const found = (this.streams.get(name) as Stream<S, E> | undefined) ?? { head: emptyHead(type), events: [] };
    this.streams.set(name, found);
    return found;
  }

  /** Decides a command and records what it comes to. */
  async record<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    name: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    const stream = this.of(type, name);
    const { recorded, head } = decideOne(name, type, { command, envelope }, stream.head);
    const { rows = [] } = envelope;
    const withEvents = this.areRowsApart || recorded.length === 0 ? [] : rows;
    if (!(await this.vault.write(withEvents))) throw new RowConflict();
    this.position += 1;
    const position = String(this.position).padStart(12, '0');
    stream.head = { ...head, position };
    const events = recorded.map((event) => ({ ...event, position }) as Recorded<E>);
    stream.events.push(...events);
    return { events, revision: head.revision, position };
  }

  /** As one process knows them. */
  lanesOf(actor: Actor): CommandLanes {
    const { schedule } = this;
    return {
      freshness: undefined,
      recent: undefined,
      settled: () => undefined,
      current: (type, name) => schedule.act(actor, `looks at ${type.category}`, () => this.of(type, name).head),
      eventsAt: (type, name, revisions) => {
        const { events } = this.of(type, name);
        return Promise.resolve(events.filter(({ revision }) => revisions.includes(revision)));
      },
      recordedBy: (type, name, { commandId }) =>
        schedule.act(actor, 'looks what it recorded', () => this.earlier(this.of(type, name), commandId)),
      execute: (type, name, command, envelope) => this.execute(actor, type, name, command, envelope),
    };
  }

  private async execute<S, C, E extends DomainEvent>(
    actor: Actor,
    type: StreamType<S, C, E>,
    name: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    const label = nameOf(command as NamedCommand);
    const apart = this.areRowsApart ? (envelope.rows ?? []) : [];
    const put = apart.filter(({ value }) => value !== undefined);
    if (put.length > 0) {
      const isPut = await this.schedule.act(actor, `rows of ${label}`, () => this.vault.write(put));
      if (!isPut) throw new RowConflict();
    }
    const executed = await this.schedule.act(actor, label, () => this.told(type, name, command, envelope));
    const gone = apart.filter(({ value }) => value === undefined);
    if (gone.length > 0 && executed.events.length > 0)
      await this.schedule.act(actor, `rows gone of ${label}`, () => this.vault.write(gone));
    return executed;
  }

  private async told<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    name: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    const before = envelope.keyed === true ? this.earlier(this.of(type, name), envelope.commandId) : [];
    const last = before.at(-1);
    if (last) return { events: before, revision: last.revision, position: last.position };
    try {
      const executed = await this.record(type, name, command, envelope);
      this.schedule.tell(undefined, `-> ${executed.events.map(toldOf).join(', ') || 'nothing'}`);
      return executed;
    } catch (error) {
      const why = error instanceof Rejection ? error.kind.code : (error as Error).constructor.name;
      this.schedule.tell(undefined, `-> refused: ${why}`);
      throw error;
    }
  }

  private earlier<E extends DomainEvent>({ events }: Stream<unknown, E>, commandId: string): readonly Recorded<E>[] {
    return events.filter(({ meta }) => meta.keyed === true && meta.causationId === commandId);
  }
}
