import { scaleLinear, scalePoint, scaleTime } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { day } from '../values/formats.js';

/** A phone has room for half of it, at the same size of letters. */
const WIDTH = innerWidth < 600 ? 380 : 720;
const HEIGHT = 220;
const MARGIN = { top: 12, right: 8, bottom: 26 };
/** How wide a letter of an axis is at the most, and what is left free beside it. */
const LETTER = 6.4;
const GAP = 8;

interface Series {
  readonly name: string;
  readonly points: readonly { readonly key: string; readonly value: number }[];
}

const ticksShown = (keys: readonly string[]): readonly string[] => {
  const every = Math.max(1, Math.ceil(keys.length / (WIDTH / 110)));
  return keys.filter((_, place) => place % every === 0);
};

type Write = (value: number) => string;
type ValueScale = ReturnType<typeof valueScale>;

/** From nothing, or from the lowest below it, to the highest: what is shown is never cut off at its foot. */
const valueScale = (values: readonly number[]) =>
  scaleLinear([Math.min(0, ...values), Math.max(0, ...values) || 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);

/** Where the drawing begins: its axis has room for the longest of its figures. */
const leftOf = (y: ValueScale, write: Write): number =>
  Math.ceil(2 * GAP + LETTER * Math.max(...y.ticks(4).map((tick) => write(tick).length)));

function ValueAxis({ y, write, left }: { readonly y: ValueScale; readonly write: Write; readonly left: number }) {
  return (
    <>
      {y.ticks(4).map((tick) => (
        <g key={tick} transform={`translate(0 ${String(y(tick))})`}>
          <line x1={left} x2={WIDTH - MARGIN.right} class="grid" />
          <text x={left - GAP} dy="0.32em" text-anchor="end">
            {write(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

/** Values of days beside those of an earlier period, drawn as lines; the table of the same figures is for who cannot see them. */
export function LineChart({
  label,
  series,
  write,
  writeKey = (key) => day(key).slice(0, 5),
}: {
  readonly label: string;
  /** The first is the one that matters; the others are drawn lightly. Places count, not keys. */
  readonly series: readonly Series[];
  readonly write: Write;
  readonly writeKey?: (key: string) => string;
}) {
  const [main] = series;
  if (!main || main.points.length === 0) return null;
  const keys = main.points.map(({ key }) => key);
  const places = main.points.map((_, place) => String(place));
  const values = series.flatMap(({ points }) => points.map(({ value }) => value));
  const y = valueScale(values);
  const left = leftOf(y, write);
  const x = scalePoint(places, [left, WIDTH - MARGIN.right]);
  const at = (place: number) => x(String(place)) ?? left;
  const path = line<{ value: number }>()
    .x((_, place) => at(place))
    .y(({ value }) => y(value));
  const filled = area<{ value: number }>()
    .x((_, place) => at(place))
    .y0(y(0))
    .y1(({ value }) => y(value));
  const shown = ticksShown(keys);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} role="img" aria-label={label}>
        <ValueAxis {...{ y, write, left }} />
        {keys.map(
          (key, place) =>
            shown.includes(key) && (
              <text key={key} x={at(place)} y={HEIGHT - 8} text-anchor="middle">
                {writeKey(key)}
              </text>
            ),
        )}
        <path d={filled(main.points) ?? ''} class="area" />
        {[...series].reverse().map(({ name, points }, place) => (
          <path
            key={name}
            d={path(points.slice(0, places.length)) ?? ''}
            class={`stroke stroke-${String(series.length - place)}`}
          />
        ))}
      </svg>
      {series.length > 1 && (
        <figcaption class="legend-row">
          {series.map(({ name }, place) => (
            <span key={name} class={`key key-${String(place + 1)}`}>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

/** What was there at each moment: it stays as it is until the next change. */
export function StepChart({
  label,
  points,
  write,
}: {
  readonly label: string;
  readonly points: readonly { readonly at: string; readonly value: number }[];
  readonly write: Write;
}) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const values = points.map(({ value }) => value);
  const y = valueScale(values);
  const left = leftOf(y, write);
  const x = scaleTime([new Date(first.at), new Date(last.at)], [left, WIDTH - MARGIN.right]);
  const shape = area<{ at: string; value: number }>()
    .curve(curveStepAfter)
    .x(({ at }) => x(new Date(at)))
    .y0(y(0))
    .y1(({ value }) => y(value));
  const outline = line<{ at: string; value: number }>()
    .curve(curveStepAfter)
    .x(({ at }) => x(new Date(at)))
    .y(({ value }) => y(value));
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} role="img" aria-label={label}>
        <ValueAxis {...{ y, write, left }} />
        {[first, last].map(({ at }, place) => (
          <text key={at} x={x(new Date(at))} y={HEIGHT - 8} text-anchor={place === 0 ? 'start' : 'end'}>
            {day(at)}
          </text>
        ))}
        <path d={shape(points) ?? ''} class="area" />
        <path d={outline(points) ?? ''} class="stroke stroke-1" />
      </svg>
    </figure>
  );
}
