import { useState } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { CheckField } from '../../parts/fields.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import type { WayEdge, WayNode } from '../../parts/way.js';
import { Way } from '../../parts/way.js';
import { day, quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { GroupedWay, WayGroup } from './grouped-way.js';
import { groupedWay } from './grouped-way.js';
import type { RecallAnswer } from './recall-answer.js';
import { words } from './words.js';

type Trace = components['schemas']['Trace'];

/** More than this is no picture any more, unless what belongs together stands together. */
const FEW = 14;

/** Lots, orders and, for a recall, who bought: what each group says, and where it leads. */
export function useGroupNodes() {
  const t = useWords(words);
  return ({ id, kind, members, isStart }: WayGroup, blocked: ReadonlySet<string>): WayNode => {
    const [first] = members;
    const single = members.length === 1 && first !== undefined;
    const count = members.length;
    if (kind === 'order') {
      return {
        id,
        kind,
        title: single ? t('orderNumber', { number: first.orderNumber ?? '' }) : t('ordersNode', { count }),
        fine: first ? day(first.at) : '',
        href: single ? `/producao/${first.id}` : undefined,
      };
    }
    return {
      id,
      kind,
      title: first?.description ?? '–',
      fine: single ? (first.lotCode ?? day(first.at)) : t('lotsNode', { count }),
      href: single ? `/estoque/lote/${first.id}` : undefined,
      isStart,
      isBlocked: members.every((node) => blocked.has(node.id)),
    };
  };
}

export function WayOfLot({ answer }: { readonly answer: RecallAnswer }) {
  const t = useWords(words);
  const trace = useRead({
    key: ['trace', answer.lotCode, 'forward'],
    kinds: ['lot', 'order'],
    read: (signal) =>
      body(
        api.GET('/bakery-production/traceability', {
          params: { query: { lotCode: answer.lotCode, direction: 'forward' } },
          signal,
        }),
      ),
  });
  return (
    <Section title={t('way')}>
      <Shown reading={trace}>{(found) => <Picture answer={answer} trace={found} />}</Shown>
    </Section>
  );
}

function Picture({ answer, trace }: { readonly answer: RecallAnswer; readonly trace: Trace }) {
  const t = useWords(words);
  const isLong = trace.nodes.length > FEW;
  const [isEach, setEach] = useState(false);
  const nodeOf = useGroupNodes();
  const way = groupedWay(trace, isLong && !isEach);
  const blocked = new Set(answer.lots.filter(({ status }) => status === 'BLOCKED').map(({ lotId }) => lotId));
  const edges: WayEdge[] = way.edges.map(({ from, to, quantity: amount, unit, isLater }) => ({
    from,
    to,
    isLater,
    label: quantity(amount, unit),
  }));
  const sold = soldBy(answer, way);
  const customers: WayNode[] = [...sold].map(([group, { sales, people }]) => ({
    id: `sold-${group}`,
    kind: 'customers',
    title: t('salesNode', { count: sales }),
    fine: people.size === 0 ? '' : t('customersNode', { count: people.size }),
  }));
  const soldEdges: WayEdge[] = [...sold].map(([group, { amount, unit }]) => ({
    from: group,
    to: `sold-${group}`,
    label: quantity(amount, unit),
  }));
  return (
    <>
      {isLong && <CheckField label={t('eachLot')} checked={isEach} onChecked={setEach} />}
      <Way
        label={t('way')}
        nodes={[...way.groups.map((group) => nodeOf(group, blocked)), ...customers]}
        edges={[...edges, ...soldEdges]}
      />
    </>
  );
}

interface SoldOfGroup {
  sales: number;
  amount: number;
  readonly unit: string | null;
  readonly people: Set<string>;
}

/** What of each group was sold, as far as the first page of sales tells. */
function soldBy({ sales }: RecallAnswer, way: GroupedWay): ReadonlyMap<string, SoldOfGroup> {
  const groups = new Map<string, SoldOfGroup>();
  for (const { lotId, netQuantity, unit, customer } of sales) {
    const group = way.groupOf(lotId);
    if (group === undefined) continue;
    const sold = groups.get(group) ?? { sales: 0, amount: 0, unit, people: new Set<string>() };
    sold.sales++;
    sold.amount += netQuantity;
    if (customer) sold.people.add(customer.id);
    groups.set(group, sold);
  }
  return groups;
}
