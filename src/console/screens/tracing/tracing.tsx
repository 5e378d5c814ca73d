import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { isRefused, useRead } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { Button, LinkButton } from '../../parts/button.js';
import { CheckField, SelectField, TextField } from '../../parts/fields.js';
import { Page, Section } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { Way } from '../../parts/way.js';
import { moment, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { groupedWay } from '../recall/grouped-way.js';
import { useGroupNodes } from '../recall/way-of-lot.js';
import { words } from './words.js';

const LEVELS = [1, 2, 3, 4];
const FEW = 14;
const NOBODY_BLOCKED: ReadonlySet<string> = new Set();

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
          setCode(typed.trim());
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
      {code !== '' && <Traced code={code} direction={direction === 'forward' ? 'forward' : 'backward'} depth={depth} />}
    </Page>
  );
}

function Traced({
  code,
  direction,
  depth,
}: {
  readonly code: string;
  readonly direction: 'forward' | 'backward';
  readonly depth: string;
}) {
  const t = useWords(words);
  const [isEach, setEach] = useState(false);
  const nodeOf = useGroupNodes();
  const trace = useRead({
    key: ['trace', code, direction, depth],
    kinds: ['lot', 'order'],
    read: (signal) =>
      body(
        api.GET('/bakery-production/traceability', {
          params: {
            query: { lotCode: code, direction, pageSize: 100, ...(depth === '' ? {} : { depth: Number(depth) }) },
          },
          signal,
        }),
      ),
  });
  if (isRefused(trace.error, 'LOT_NOT_FOUND')) return <Empty title={t('unknown', { code })} />;
  return (
    <Shown reading={trace}>
      {(found) => {
        const isLong = found.nodes.length > FEW;
        const way = groupedWay(found, isLong && !isEach);
        return (
          <>
            {isLong && <CheckField label={t('each')} checked={isEach} onChecked={setEach} />}
            <Way
              label={t('way', { code })}
              nodes={way.groups.map((group) => nodeOf(group, NOBODY_BLOCKED))}
              edges={way.edges.map(({ from, to, quantity: amount, unit, isLater }) => ({
                from,
                to,
                isLater,
                label: quantity(amount, unit),
              }))}
            />
            <Section title={`${t('orders')} (${whole(found.total)})`}>
              <Table
                label={t('orders')}
                rows={rowsOf(found.orders)}
                rowKey={({ id }) => id}
                href={({ id }) => `/producao/${id}`}
                empty={t('noOrders')}
                columns={[
                  { id: 'recipe', title: t('recipe'), cell: ({ recipeName }) => recipeName },
                  { id: 'number', title: t('number'), figure: true, cell: ({ number }) => whole(number) },
                  { id: 'when', title: t('when'), wide: true, cell: ({ completedAt }) => moment(completedAt) },
                  { id: 'output', title: t('output'), cell: ({ outputLotCode }) => outputLotCode ?? '–' },
                ]}
              />
            </Section>
          </>
        );
      }}
    </Shown>
  );
}
