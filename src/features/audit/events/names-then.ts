import { variants } from '../../../../projections/products/variants.js';
import { grouped } from '../../../kernel/values/grouped.js';
import { goodsWritten, unitWritten } from '../../../kernel/values/units-written.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { firstEventOf } from '../../contracts/entity-events.js';
import type { NameThen } from '../../../ports/event-teller.js';
import type { CustomerFacts } from '../../contracts/customer-directory.js';
import type { AuditedRecord } from '../../contracts/audited-record.js';
import type { Named } from '../records/names-through-time.js';
import { namedAt, namedSince } from '../records/names-through-time.js';
import type { PastRecords, PastServices } from '../records/past-records.js';

interface Owned {
  readonly productId: string;
}

/** A record as it is now. */
interface Present {
  readonly updatedAt?: string;
}

const NOTHING: Omit<CustomerFacts, 'id'> = { name: null, document: null, phone: null, email: null };
const SHORT = 8;
const keyOf = ({ kind, id, at }: NameThen): string => `${kind}:${id}:${at}`;
const partKeyOf = (part: string, at: string): string => `${part}:${at}`;

/** Whether a record has been as it is since a moment. */
const hasBeenSince = (present: Present | undefined, at: string): present is Present =>
  present !== undefined && (present.updatedAt === undefined || present.updatedAt <= at);

/** A part may be no more. */
const isNamedIn = (named: Named | undefined, part: string | undefined): boolean =>
  named !== undefined && (part === undefined || part in named.parts);

/** What is said of a record whose name nobody knows. */
const shortId = (id: string): string => id.slice(-SHORT);

/** What records were called when things happened to them. A record that has not changed since is read as it is now, all of a kind at once. */
export class NamesThen {
  private readonly names = new Map<string, string>();
  /** What parts of records were called, by id and moment. */
  private readonly parts = new Map<string, string>();
  /** What products were counted in. */
  private readonly units = new Map<string, string>();
  private readonly productOf = new Map<string, Owned>();

  constructor(
    private readonly past: PastRecords,
    private readonly services: Pick<PastServices, 'customers' | 'eventStore'>,
    private readonly context: RequestContext,
  ) {}

  /** Looks up all names that sentences ask for; `nameOf` tells them afterwards. */
  async learn(wishes: readonly NameThen[]): Promise<void> {
    const variantIds = wishes.filter(({ kind }) => kind === 'variant').map(({ id }) => id);
    await this.learnProducts([...new Set(variantIds)]);
    const products = wishes.flatMap(({ kind, id, at }): NameThen[] => {
      const productId = kind === 'variant' ? this.productOf.get(id)?.productId : undefined;
      return productId === undefined ? [] : [{ kind: 'product', id: productId, part: id, at }];
    });
    const others = wishes.filter(({ kind }) => kind !== 'variant');
    const byKind = grouped([...products, ...others], ({ kind }) => kind);
    await Promise.all([...byKind].map(([kind, some]) => this.learnKind(kind, some)));
  }

  /** A short form of the id where nobody knows. */
  nameOf(wish: NameThen): string {
    const { counted, id, at } = wish;
    if (counted === undefined) return this.calledThen(wish);
    const productId = this.productOf.get(id)?.productId ?? '';
    const unit = this.units.get(keyOf({ kind: 'product', id: productId, at })) ?? '';
    return counted.named ? goodsWritten(counted.language, unit, this.calledThen(wish)) : unitWritten(unit);
  }

  private calledThen({ kind, id, part, at }: NameThen): string {
    if (part !== undefined) return this.parts.get(partKeyOf(part, at)) ?? shortId(part);
    if (kind !== 'variant') return this.names.get(keyOf({ kind, id, at })) ?? shortId(id);
    const productId = this.productOf.get(id)?.productId;
    const product = productId && this.names.get(keyOf({ kind: 'product', id: productId, at }));
    if (product === undefined || product === '') return shortId(id);
    const label = this.parts.get(partKeyOf(id, at)) ?? '';
    return label === '' ? product : `${product} ${label}`;
  }

  private async learnProducts(variantIds: readonly string[]): Promise<void> {
    for (const { id, body } of await this.context.reads.getMany(variants, variantIds)) {
      this.productOf.set(id, JSON.parse(body) as Owned);
    }
    const gone = variantIds.filter((id) => !this.productOf.has(id));
    await Promise.all(gone.map((id) => this.learnFormerProduct(id)));
  }

  /** The first that is known of a variant says whose it was. */
  private async learnFormerProduct(id: string): Promise<void> {
    const first = await firstEventOf(this.services.eventStore, this.context, { kind: 'variant', id });
    const { productId } = (first?.data ?? {}) as Partial<Owned>;
    if (productId !== undefined) this.productOf.set(id, { productId });
  }

  private async learnKind(kind: string, wishes: readonly NameThen[]): Promise<void> {
    const record = this.past.kind(kind);
    if (!record) return;
    const byId = grouped(wishes, ({ id }) => id);
    const found = record.collection ? await this.context.reads.getMany(record.collection, [...byId.keys()]) : [];
    const present = new Map(found.map(({ id, body }) => [id, JSON.parse(body) as Present]));
    await Promise.all([...byId].map(([id, some]) => this.learnRecord(record, id, some, present.get(id))));
    if (kind === 'customer') await this.openNames(wishes);
  }

  private async learnRecord(
    record: AuditedRecord,
    id: string,
    wishes: readonly NameThen[],
    present: Present | undefined,
  ): Promise<void> {
    const same = present && namedSince('', record, present);
    const isSame = ({ part, at }: NameThen): boolean =>
      (record.keepsName === true || hasBeenSince(present, at)) && isNamedIn(same, part);
    const changed = wishes.filter((wish) => !isSame(wish));
    // A record that is no more stays that way.
    const stamp = record.collection && (present?.updatedAt ?? 'gone');
    const names = changed.length === 0 ? [] : await this.past.names(this.context, { kind: record.kind, id }, stamp);
    for (const wish of wishes) this.note(wish, isSame(wish) ? same : namedAt(names, wish.at));
  }

  /** What customers are called is sealed until here, and open nowhere else. Who is named often is opened once. */
  private async openNames(wishes: readonly NameThen[]): Promise<void> {
    const people = new Map<string, CustomerFacts>();
    const personOf = new Map<string, string>();
    for (const wish of wishes) {
      const name = this.names.get(keyOf(wish));
      if (name === undefined) continue;
      const person = `${wish.id} ${name}`;
      people.set(person, { ...NOTHING, id: wish.id, name });
      personOf.set(keyOf(wish), person);
    }
    const open = await this.services.customers.unseal(this.context.storeId, [...people.values()]);
    const nameOf = new Map([...people.keys()].map((person, index) => [person, open[index]?.name]));
    for (const [wished, person] of personOf) {
      const name = nameOf.get(person);
      if (typeof name === 'string') this.names.set(wished, name);
      else this.names.delete(wished);
    }
  }

  private note(wish: NameThen, named: Named | undefined): void {
    if (named?.name !== undefined) this.names.set(keyOf(wish), named.name);
    if (named?.unit !== undefined) this.units.set(keyOf(wish), named.unit);
    const part = wish.part === undefined ? undefined : named?.parts[wish.part];
    if (wish.part !== undefined && part !== undefined) this.parts.set(partKeyOf(wish.part, wish.at), part);
  }
}
