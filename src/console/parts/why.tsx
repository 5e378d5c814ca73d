import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import { api, body } from '../client/api.js';
import type { Place } from '../client/queries.js';
import { useList } from '../client/queries.js';
import type { Permission } from '../client/session.js';
import { useMay } from '../client/session.js';
import { moment, money, quantity, unitCost } from '../values/formats.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button, IconButton } from './button.js';
import { Dialog } from './dialog.js';
import { Link } from './link.js';
import { ProblemNote } from './problem-note.js';
import { Shown } from './shown.js';

type Explanation = components['schemas']['Explanation'];
type Line = components['schemas']['ExplanationLine'];
type Part = NonNullable<Explanation['parts']>[number];

/** What is explained: a sale's margin, a lot's cost, an average cost, the cost of an order, or what to make of a recipe. */
interface Explained {
  readonly what: 'sale' | 'lot' | 'average' | 'order' | 'planning';
  readonly id: string;
  /** The unit of its quantities, where they have one in common. */
  readonly unit?: string | undefined;
}

const PLANNED_DAYS = 7;
/** So many come at a time. */
const LINES = 100;

function explanation({ what, id }: Omit<Explained, 'unit'>, at: Place, signal: AbortSignal): Promise<Explanation> {
  const query = { limit: LINES, ...at };
  if (what === 'sale') return body(api.GET('/explain/sales/{id}', { params: { path: { id }, query }, signal }));
  if (what === 'order') return body(api.GET('/explain/orders/{id}', { params: { path: { id }, query }, signal }));
  if (what === 'planning') {
    const params = { path: { recipeId: id }, query: { days: PLANNED_DAYS } };
    return body(api.GET('/explain/planning/{recipeId}', { params, signal }));
  }
  if (what === 'lot') {
    return body(api.GET('/explain/lots/{lotId}/cost', { params: { path: { lotId: id }, query }, signal }));
  }
  return body(api.GET('/explain/variants/{id}/average-cost', { params: { path: { id }, query }, signal }));
}

/** Who may see the record may see why. */
const PERMISSIONS: Readonly<Record<Explained['what'], Permission>> = {
  sale: 'sales.view',
  lot: 'stock.view',
  average: 'stock.view',
  order: 'production.view',
  planning: 'production.view',
};

/** Stands beside a figure and says how it came about; in a list also whose figure it is. */
export function Why({
  label: figure,
  of,
  ...explained
}: Explained & { readonly label: string; readonly of?: string | null | undefined }) {
  const t = useWords(frame);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may(PERMISSIONS[explained.what])) return null;
  const label = of ? `${figure}: ${of}` : figure;
  return (
    <>
      <IconButton
        icon="why"
        label={`${t('why')} ${label}`}
        onClick={() => {
          setOpen(true);
        }}
      />
      {isOpen && (
        <Dialog
          title={`${t('why')} ${label}`}
          wide
          onClose={() => {
            setOpen(false);
          }}
        >
          <Explaining {...explained} />
        </Dialog>
      )}
    </>
  );
}

interface ExplainedPage extends Omit<Explanation, 'lines'> {
  readonly items: readonly Line[];
}

function Explaining({ what, id, unit }: Explained) {
  const t = useWords(frame);
  const list = useList<Line, ExplainedPage>({
    key: ['explain', what, id],
    kinds: ['sale', 'lot', 'order', 'recipe'],
    read: async (at, signal) => {
      const { lines: items, ...explained } = await explanation({ what, id }, at, signal);
      return { items, ...explained };
    },
  });
  return (
    <Shown reading={{ ...list, data: list.data?.pages }}>
      {(pages) => {
        const total = pages[0]?.total ?? {};
        const parts = new Map(pages.flatMap((page) => page.parts ?? []).map((part) => [part.ref, part]));
        return (
          <div class="why">
            <Lines lines={list.items} {...{ parts, unit }} above={[]} />
            {list.hasNextPage && (
              <>
                {total.value !== undefined && (
                  <p class="why-line">
                    <span>{t('otherLines')}</span>
                    <span class="figure">{unitCost(restOf(total.value, list.items))}</span>
                  </p>
                )}
                <div class="row">
                  <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    {t('showMore')}
                  </Button>
                </div>
                <ProblemNote error={list.error} />
              </>
            )}
            <p class="why-total">
              <strong>{t('total')}</strong>
              <strong>{total.value === undefined ? quantity(total.quantity, unit) : money(total.value)}</strong>
            </p>
          </div>
        );
      }}
    </Shown>
  );
}

/** What the lines that are not shown come to, so that those that are shown add up with it. */
const restOf = (total: number, shown: readonly Line[]): number =>
  shown.reduce((left, { value = 0 }) => left - value, total);

interface Branch {
  readonly lines: readonly Line[];
  readonly parts: ReadonlyMap<string, Part>;
  /** Lots on the way here: none is opened within itself. */
  readonly above: readonly string[];
  readonly unit: string | undefined;
}

function Lines({ lines, ...branch }: Branch) {
  return (
    <ul class="why-lines">
      {lines.map((line, place) => (
        <OneLine key={place} line={line} {...branch} />
      ))}
    </ul>
  );
}

function OneLine({ line, parts, above, unit }: Omit<Branch, 'lines'> & { readonly line: Line }) {
  const part = line.ref === undefined || above.includes(line.ref) ? undefined : parts.get(line.ref);
  const said = (
    <>
      <span>
        {line.text} {line.at && <span class="fine">{moment(line.at)}</span>}
      </span>
      <span class="figure">{line.value === undefined ? quantity(line.quantity, unit) : unitCost(line.value)}</span>
    </>
  );
  if (!part && !line.lines) return <li class="why-line">{said}</li>;
  return (
    <li>
      <details open={line.lines !== undefined}>
        <summary class="why-line">{said}</summary>
        {line.lines && <Lines lines={line.lines} {...{ parts, above, unit }} />}
        {part && (
          <div class="why-part">
            <p>
              <Link href={`/estoque/lote/${part.ref}`}>{part.text}</Link>
            </p>
            <Lines lines={part.lines} {...{ parts, unit }} above={[...above, part.ref]} />
          </div>
        )}
      </details>
    </li>
  );
}
