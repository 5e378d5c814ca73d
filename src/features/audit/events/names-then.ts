import { variants } from '../../../../projections/products/variants.js';
import { grouped } from '../../../kernel/values/grouped.js';
import type { Entity, Language, Voice } from '../../../kernel/events/history.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { writtenMoney, writtenNumber } from '../../../kernel/values/written-numbers.js';
import type { CustomerFacts } from '../../contracts/customer-directory.js';
import type { PastRecords, PastServices } from '../records/past-records.js';

interface Wish extends Entity {
  readonly at: string;
}

interface Labelled {
  readonly variants?: readonly { readonly id: string; readonly label: string | null }[];
}

const SHORT = 8;
const MOST_LISTED = 3;
const keyOf = ({ kind, id, at }: Wish): string => `${kind}:${id}:${at}`;

/** What is said of a record whose name nobody knows. */
const shortId = (id: string): string => id.slice(-SHORT);

/** What records were called when things happened to them. A record that has not changed since is read as it is now, all of a kind at once. */
export class NamesThen {
  private readonly names = new Map<string, string>();
  /** Labels of variants, by id and moment. */
  private readonly labels = new Map<string, string>();
  private readonly productOf = new Map<string, { readonly productId: string }>();

  constructor(
    private readonly past: PastRecords,
    private readonly services: Pick<PastServices, 'customers'>,
    private readonly context: RequestContext,
  ) {}

  /** Looks up all names that sentences ask for; they are told by `voice` afterwards. */
  async learn(wishes: readonly Wish[]): Promise<void> {
    const variantIds = wishes.filter(({ kind }) => kind === 'variant').map(({ id }) => id);
    await this.learnProducts([...new Set(variantIds)]);
    const products = wishes.flatMap(({ kind, id, at }): Wish[] => {
      const productId = kind === 'variant' ? this.productOf.get(id)?.productId : undefined;
      return productId === undefined ? [] : [{ kind: 'product', id: productId, at }];
    });
    const others = wishes.filter(({ kind }) => kind !== 'variant');
    const byKind = grouped([...products, ...others], ({ kind }) => kind);
    await Promise.all([...byKind].map(([kind, some]) => this.learnKind(kind, some)));
  }

  voice(language: Language, at: string): Voice {
    return {
      name: (kind, id) => this.nameOf(kind, id, at),
      number: (value) => writtenNumber(language, value),
      money: (value) => writtenMoney(language, value),
      list(items) {
        const more = items.length - MOST_LISTED;
        const some = items.slice(0, MOST_LISTED).join(', ');
        if (more <= 0) return some;
        return language === 'pt' ? `${some} e mais ${String(more)}` : `${some} and ${String(more)} more`;
      },
    };
  }

  private nameOf(kind: string, id: string, at: string): string {
    if (kind !== 'variant') return this.names.get(keyOf({ kind, id, at })) ?? shortId(id);
    const productId = this.productOf.get(id)?.productId;
    const product = productId && this.names.get(keyOf({ kind: 'product', id: productId, at }));
    if (product === undefined || product === '') return shortId(id);
    const label = this.labels.get(`${id}:${at}`);
    return label === undefined ? product : `${product} ${label}`;
  }

  private async learnProducts(variantIds: readonly string[]): Promise<void> {
    for (const { id, body } of await this.context.reads.getMany(variants, variantIds)) {
      this.productOf.set(id, JSON.parse(body) as { readonly productId: string });
    }
  }

  private async learnKind(kind: string, wishes: readonly Wish[]): Promise<void> {
    const record = this.past.kind(kind);
    if (!record) return;
    const ids = [...new Set(wishes.map(({ id }) => id))];
    const found = record.collection ? await this.context.reads.getMany(record.collection, ids) : [];
    const now = new Map(found.map(({ id, body }) => [id, JSON.parse(body) as { readonly updatedAt?: string }]));
    const shown: { readonly wish: Wish; readonly then: object }[] = [];
    await Promise.all(
      [...grouped(wishes, ({ id }) => id)].map(async ([id, some]) => {
        const current = now.get(id);
        const isUnchanged = ({ at }: Wish) => current && (current.updatedAt === undefined || current.updatedAt <= at);
        const moments = some.filter((wish) => !isUnchanged(wish)).map(({ at }) => at);
        const past = moments.length === 0 ? undefined : await this.past.findAt(this.context, { kind, id }, moments);
        for (const wish of some) {
          const then = isUnchanged(wish) ? current : past?.get(wish.at);
          if (then) shown.push({ wish, then });
        }
      }),
    );
    const open = kind === 'customer' ? await this.unsealed(shown.map(({ then }) => then)) : undefined;
    for (const [index, { wish, then }] of shown.entries()) {
      const name = record.nameOf(open?.[index] ?? then);
      if (name !== undefined) this.names.set(keyOf(wish), name);
      if (kind === 'product') this.learnLabels(then, wish.at);
    }
  }

  private learnLabels({ variants: list = [] }: Labelled, at: string): void {
    for (const { id, label } of list) if (label) this.labels.set(`${id}:${at}`, label);
  }

  private unsealed(people: readonly object[]): Promise<readonly CustomerFacts[]> {
    return this.services.customers.unseal(this.context.storeId, people as readonly CustomerFacts[]);
  }
}
