import { useState } from 'preact/hooks';
import { usePagedRows } from '../../client/paged.js';
import { isRefused } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { Button, LinkButton } from '../../parts/button.js';
import { CheckField, SelectField, TextField } from '../../parts/fields.js';
import { Page, Section } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import type { WayNode } from '../../parts/way.js';
import { Way } from '../../parts/way.js';
import { moment, quantity, whole } from '../../values/formats.js';
import { lotCodeOf } from '../../values/gs1.js';
import { useWords } from '../../words/words.js';
import { groupedWay } from '../recall/grouped-way.js';
import { toldApart } from '../recall/told-apart.js';
import type { Trace, TraceAsked } from '../recall/trace.js';
import { canShowEach, isLong, MoreOfTrace, readTrace, useTrace } from '../recall/trace.js';
import { useGroupNodes } from '../recall/way-of-lot.js';
import { BesideWay, membersOf } from './beside.js';
import { words } from './words.js';

const LEVELS = [1, 2, 3, 4];

/** `/rastreio?lot=CODE&direction=backward`: both directions from any lot. */
export default function Tracing() {
  const t = useWords(words);
  const [code, setCode] = useFilter('lot');
  const [direction, setDirection] = useFilter('direction', 'backward');
  const [depth, setDepth] = useFilter('depth');
  const [typed, setTyped] = useState(code);
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={code !== '' && <LinkButton href={`/recall?lot=${encodeURIComponent(code)}`}>{t('recall')}</LinkButton>}
    >
      <form
        class="filters no-print"
        onSubmit={(event) => {
          event.preventDefault();
          setCode(lotCodeOf(typed));
          setTyped(lotCodeOf(typed));
        }}
      >
        <div class="field grow">
          <TextField
            label={t('lot')}
            required
            autofocus={code === ''}
            value={typed}
            onValue={setTyped}
            autocomplete="off"
          />
        </div>
        <SelectField
          label={t('direction')}
          required
          value={direction}
          onValue={setDirection}
          choices={[
            { value: 'backward', label: t('backward') },
            { value: 'forward', label: t('forward') },
          ]}
        />
        <SelectField
          label={t('depth')}
          required
          value={depth}
          onValue={setDepth}
          choices={[
            { value: '', label: t('allLevels') },
            ...LEVELS.map((level) => ({ value: String(level * 2), label: t('level', { count: level }) })),
          ]}
        />
        <Button type="submit" look="main">
          {t('show')}
        </Button>
      </form>
      {code !== '' && (
        <Traced
          asked={{
            lotCode: code,
            direction: direction === 'forward' ? 'forward' : 'backward',
            ...(depth === '' ? {} : { depth: Number(depth) }),
          }}
        />
      )}
    </Page>
  );
}

function Traced({ asked }: { readonly asked: TraceAsked }) {
  const t = useWords(words);
  const traced = useTrace(asked);
  if (isRefused(traced.error, 'LOT_NOT_FOUND')) return <Empty title={t('unknown', { code: asked.lotCode })} />;
  return (
    <Shown reading={traced}>
      {(trace) => (
        <>
          <Picture trace={trace} />
          <MoreOfTrace traced={traced} />
          <OrdersOnTheWay asked={asked} total={trace.total} />
        </>
      )}
    </Shown>
  );
}

function Picture({ trace }: { readonly trace: Trace }) {
  const t = useWords(words);
  const [isEach, setEach] = useState(false);
  const nodeOf = useGroupNodes();
  const way = groupedWay(trace, isLong(trace) && !(isEach && canShowEach(trace)));
  const [openId, setOpen] = useFilter('open');
  const blocked = new Set(trace.lots.filter(({ status }) => status === 'BLOCKED').map(({ lotId }) => lotId));
  return (
    <>
      {isLong(trace) && canShowEach(trace) && <CheckField label={t('each')} checked={isEach} onChecked={setEach} />}
      <BesideWay members={membersOf(trace, way, openId)} openId={openId} onOpen={setOpen}>
        <Way
          onOpen={setOpen}
          openId={openId}
          label={t('way', { code: trace.lotCode })}
          nodes={toldApart<WayNode>(way.groups.map((group) => nodeOf(group, blocked)))}
          edges={way.edges.map(({ from, to, quantity: amount, unit, isLater }) => ({
            from,
            to,
            isLater,
            label: quantity(amount, unit),
          }))}
        />
      </BesideWay>
    </>
  );
}

/** All of them, page by page as one scrolls, however many the picture shows. */
function OrdersOnTheWay({ asked, total }: { readonly asked: TraceAsked; readonly total: number }) {
  const t = useWords(words);
  const rows = usePagedRows<Trace['orders'][number]>({
    key: ['trace', 'orders', asked],
    kinds: ['lot', 'order'],
    read: async (page, take, signal) => {
      const { orders, total: all } = await readTrace(asked, page, take, signal);
      return { items: orders, total: all };
    },
  });
  return (
    <Section title={`${t('orders')} (${whole(total)})`}>
      <Table
        label={t('orders')}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => `/producao/${id}`}
        empty={t(asked.direction === 'forward' ? 'notUsed' : 'notMade')}
        columns={[
          { id: 'recipe', title: t('recipe'), cell: ({ recipeName }) => recipeName },
          { id: 'number', title: t('number'), figure: true, cell: ({ number }) => whole(number) },
          { id: 'when', title: t('when'), below: 'plain', cell: ({ completedAt }) => moment(completedAt) },
          { id: 'output', title: t('output'), cell: ({ outputLotCode }) => outputLotCode ?? '–' },
        ]}
      />
    </Section>
  );
}
