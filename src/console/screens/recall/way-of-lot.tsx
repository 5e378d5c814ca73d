import { useState } from 'preact/hooks';
import { useFilter } from '../../parts/address.js';
import { CheckField } from '../../parts/fields.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import type { WayEdge, WayNode } from '../../parts/way.js';
import { Way } from '../../parts/way.js';
import { day, quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { WayGroup } from './grouped-way.js';
import { groupedWay } from './grouped-way.js';
import type { RecallAnswer } from './recall-answer.js';
import { soldOf } from './sold.js';
import { toldApart } from './told-apart.js';
import type { Trace } from './trace.js';
import { canShowEach, isLong, MoreOfTrace, useTrace } from './trace.js';
import { BesideWay, membersOf } from '../tracing/beside.js';
import { words } from './words.js';

/** The day of one, or the first and the last of many. */
function daysOf(members: WayGroup['members']): string {
  const all = members.map(({ at }) => at).sort();
  const [first, last] = [day(all[0]), day(all.at(-1))];
  return first === last ? first : `${first.slice(0, 5)} – ${last}`;
}

/** Lots and orders: what each group says, what it says as well where another one reads alike, and where it leads. */
export function useGroupNodes() {
  const t = useWords(words);
  return ({ id, kind, members, recipes, isStart }: WayGroup, blocked: ReadonlySet<string>): LongNode => {
    const [first] = members;
    const single = members.length === 1 && first !== undefined;
    const count = members.length;
    if (kind === 'order') {
      return {
        id,
        kind,
        title: single ? t('orderNumber', { number: first.orderNumber ?? '' }) : t('ordersNode', { count }),
        fine: [...recipes, daysOf(members)],
        href: single ? `/producao/${first.id}` : undefined,
      };
    }
    const code = single ? first.lotCode : t('lotsNode', { count });
    return {
      id,
      kind,
      title: first?.description ?? '–',
      fine: [code ?? daysOf(members)],
      more: code ? daysOf(members) : undefined,
      href: single ? `/estoque/lote/${first.id}` : undefined,
      isStart,
      isBlocked: members.every((node) => blocked.has(node.id)),
    };
  };
}

type LongNode = WayNode & { readonly more?: string | undefined };

export function WayOfLot({ answer }: { readonly answer: RecallAnswer }) {
  const t = useWords(words);
  const traced = useTrace({ lotCode: answer.lotCode, direction: 'forward' });
  return (
    <Section title={t('way')}>
      <Shown reading={traced}>
        {(trace) => (
          <>
            <Picture answer={answer} trace={trace} />
            <MoreOfTrace traced={traced} />
          </>
        )}
      </Shown>
    </Section>
  );
}

function Picture({ answer, trace }: { readonly answer: RecallAnswer; readonly trace: Trace }) {
  const t = useWords(words);
  const [isEach, setEach] = useState(false);
  const [openId, setOpen] = useFilter('open');
  const nodeOf = useGroupNodes();
  const way = groupedWay(trace, isLong(trace) && !(isEach && canShowEach(trace)));
  const blocked = new Set(answer.lots.filter(({ status }) => status === 'BLOCKED').map(({ lotId }) => lotId));
  const edges: WayEdge[] = way.edges.map(({ from, to, quantity: amount, unit, isLater }) => ({
    from,
    to,
    isLater,
    label: quantity(amount, unit),
  }));
  const sold = soldOf(answer, way);
  const nameOf = new Map(way.groups.map(({ id, members }) => [id, members[0]?.description ?? '–']));
  const customers: LongNode[] = sold.map(({ id, from: [first = ''], amount, unit, sales, people = 0 }) => ({
    id,
    kind: 'customers',
    title: sales === undefined ? t('soldNode', { quantity: quantity(amount, unit) }) : t('salesNode', { count: sales }),
    fine: people === 0 ? [] : [t('customersNode', { count: people })],
    more: nameOf.get(first),
  }));
  const soldEdges: WayEdge[] = sold.flatMap(({ id, from, amount, unit }) =>
    from.map((group) => ({ from: group, to: id, label: from.length === 1 ? quantity(amount, unit) : '' })),
  );
  return (
    <>
      {isLong(trace) && canShowEach(trace) && <CheckField label={t('eachLot')} checked={isEach} onChecked={setEach} />}
      <BesideWay members={membersOf(trace, way, openId)} openId={openId} onOpen={setOpen}>
        <Way
          onOpen={setOpen}
          openId={openId}
          label={t('way')}
          nodes={toldApart<WayNode>([...way.groups.map((group) => nodeOf(group, blocked)), ...customers])}
          edges={[...edges, ...soldEdges]}
        />
      </BesideWay>
    </>
  );
}
