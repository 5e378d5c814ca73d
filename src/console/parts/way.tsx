import { Graph, layout } from '@dagrejs/dagre';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { Link } from './link.js';

export interface WayNode {
  readonly id: string;
  readonly kind: 'lot' | 'order' | 'customers';
  readonly title: string;
  /** A line of small letters each. */
  readonly fine: readonly string[];
  readonly href?: string | undefined;
  readonly isStart?: boolean;
  readonly isBlocked?: boolean;
}

export interface WayEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** What was taken before it was there is drawn dashed. */
  readonly isLater?: boolean;
}

/** One with a single line of small letters. */
const NODE = { width: 196, height: 54, line: 17 };
/** Beside the words of a node, and how large they are, as `styles/screens.css` has it. */
const MARGIN = 16;
const LETTERS = { title: 15, fine: 13 };
/** So much of the picture is seen on a phone at first. */
const READABLE = 440;

const heightOf = ({ fine }: WayNode): number => NODE.height + NODE.line * Math.max(0, fine.length - 1);

const nameOf = ({ title, fine }: WayNode): string => [title, ...fine].join(' · ');

interface Placed {
  readonly x: number;
  readonly y: number;
}

const pen = document.createElement('canvas').getContext('2d');

/** As much of a text as a node has room for: capitals are half as wide again as other letters. */
function shortened(text: string, size: number): string {
  if (!pen) return text;
  pen.font = `${String(size)}px ${getComputedStyle(document.body).fontFamily}`;
  const fits = (shown: string): boolean => pen.measureText(shown).width <= NODE.width - 2 * MARGIN;
  if (fits(text)) return text;
  const letters = Array.from(text);
  while (letters.length > 0 && !fits(`${letters.join('')}…`)) letters.pop();
  return `${letters.join('')}…`;
}

function arranged(nodes: readonly WayNode[], edges: readonly WayEdge[], isTall: boolean) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: isTall ? 'TB' : 'LR', nodesep: 18, ranksep: isTall ? 56 : 84, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, { width: NODE.width, height: heightOf(node) });
  const known = new Set(nodes.map(({ id }) => id));
  const drawn = edges.filter(({ from, to }) => known.has(from) && known.has(to));
  for (const [place, { from, to }] of drawn.entries()) graph.setEdge(from, to, {}, String(place));
  layout(graph);
  const { width = 100, height = 100 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map((node) => ({
      ...node,
      at: graph.node(node.id) as Placed,
      shownTitle: shortened(node.title, LETTERS.title),
      shownFine: node.fine.map((text) => shortened(text, LETTERS.fine)),
    })),
    edges: drawn.map((edge, place) => ({
      ...edge,
      points: (graph.edge(edge.from, edge.to, String(place)) as { points: readonly Placed[] }).points,
    })),
  };
}

type DrawnNode = ReturnType<typeof arranged>['nodes'][number];

function curveOf(points: readonly Placed[], isTall: boolean): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return '';
  const bend = isTall
    ? `${String(first.x)} ${String((first.y + last.y) / 2)} ${String(last.x)} ${String((first.y + last.y) / 2)}`
    : `${String((first.x + last.x) / 2)} ${String(first.y)} ${String((first.x + last.x) / 2)} ${String(last.y)}`;
  return `M${String(first.x)} ${String(first.y)} C${bend} ${String(last.x)} ${String(last.y)}`;
}

interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Finger {
  readonly x: number;
  readonly y: number;
  /** What a mouse or a single finger presses there opens something, and moves nothing. */
  readonly isOnNode: boolean;
}

const apart = (one: Placed, other: Placed): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));

/** Drag to move, buttons or two fingers to come nearer. It begins with all of it, or near the start where all would be too small to read. */
function useView({ width, height, nodes }: ReturnType<typeof arranged>, isTall: boolean) {
  const whole = { x: 0, y: 0, width, height };
  const start = nodes.find(({ isStart }) => isStart)?.at ?? { x: width / 2, y: 0 };
  const near = { x: start.x - READABLE / 2, y: start.y - NODE.height, width: READABLE, height: READABLE };
  const first = isTall && width > READABLE ? near : whole;
  const [view, setView] = useState<View>(first);
  const element = useRef<SVGSVGElement>(null);
  const held = useRef(new Map<number, Finger>());
  useEffect(() => {
    setView(first);
  }, [width, height]);
  /** The picture comes nearer or goes farther away; what is at this place of it stays where it is. */
  const zoom = (factor: number, around?: Placed) => {
    setView((now) => {
      const { x, y } = around ?? { x: now.x + now.width / 2, y: now.y + now.height / 2 };
      return {
        x: x - (x - now.x) * factor,
        y: y - (y - now.y) * factor,
        width: now.width * factor,
        height: now.height * factor,
      };
    });
  };
  const inPicture = ({ x, y }: Placed): Placed =>
    new DOMPoint(x, y).matrixTransform(element.current?.getScreenCTM()?.inverse());
  const letGo = ({ pointerId }: PointerEvent) => {
    held.current.delete(pointerId);
  };
  return {
    view,
    element,
    zoom,
    reset: () => {
      setView(whole);
    },
    handlers: {
      onPointerDown: ({ pointerId, clientX: x, clientY: y, target }: PointerEvent) => {
        const isOnNode = target instanceof Element && target.closest('a, [role="button"]') !== null;
        held.current.set(pointerId, { x, y, isOnNode });
      },
      onPointerMove: ({ pointerId, clientX: x, clientY: y }: PointerEvent) => {
        const from = held.current.get(pointerId);
        if (!from) return;
        const to = { x, y, isOnNode: from.isOnNode };
        held.current.set(pointerId, to);
        const other = [...held.current].find(([id]) => id !== pointerId)?.[1];
        if (other) {
          zoom(apart(from, other) / apart(to, other), inPicture(other));
        } else if (!to.isOnNode) {
          const [before, after] = [inPicture(from), inPicture(to)];
          setView((now) => ({ ...now, x: now.x - (after.x - before.x), y: now.y - (after.y - before.y) }));
        }
      },
      /** What the keyboard leads to is shown, where it lies beside what is seen. */
      onFocusIn: ({ target }: FocusEvent) => {
        if (!(target instanceof SVGGraphicsElement) || !target.matches(':focus-visible')) return;
        const node = target.getBBox();
        setView((now) => (isWithin(node, now) ? now : aroundOf(node, now)));
      },
      onPointerUp: letGo,
      onPointerCancel: letGo,
      onPointerLeave: letGo,
    },
  };
}

const isWithin = (node: View, view: View): boolean =>
  node.x >= view.x &&
  node.y >= view.y &&
  node.x + node.width <= view.x + view.width &&
  node.y + node.height <= view.y + view.height;

/** As near as it was, with the node in its middle. */
const aroundOf = (node: View, view: View): View => ({
  ...view,
  x: node.x + (node.width - view.width) / 2,
  y: node.y + (node.height - view.height) / 2,
});

/** The picture of where goods came from and went: lots, the orders that used them, and who has them now. */
export function Way({
  label,
  nodes,
  edges,
  onOpen,
  openId,
}: {
  readonly label: string;
  readonly nodes: readonly WayNode[];
  readonly edges: readonly WayEdge[];
  /** Opens a lot or an order beside the picture; without it they lead to their own pages. */
  readonly onOpen?: (id: string) => void;
  readonly openId?: string;
}) {
  const t = useWords(frame);
  const isTall = innerWidth < 700;
  const print = JSON.stringify([nodes, edges]);
  const picture = useMemo(() => arranged(nodes, edges, isTall), [print, isTall]);
  const { view, element, zoom, reset, handlers } = useView(picture, isTall);
  return (
    <figure class="way" aria-label={label}>
      <svg
        ref={element}
        style={{ height: `${String(isTall ? 400 : Math.max(220, Math.min(560, picture.height * 1.1)))}px` }}
        viewBox={`${String(view.x)} ${String(view.y)} ${String(view.width)} ${String(view.height)}`}
        {...handlers}
      >
        <title>{label}</title>
        {picture.edges.map(({ from, to, points, isLater }) => (
          <path key={from + to} d={curveOf(points, isTall)} class={`edge ${isLater ? 'later' : ''}`} />
        ))}
        {picture.edges.map(({ from, to, points, label: quantity }) => {
          const middle = points[Math.floor(points.length / 2)];
          return (
            middle && (
              <text key={from + to} x={middle.x} y={middle.y - 4} text-anchor="middle" class="edge-quantity">
                {quantity}
              </text>
            )
          );
        })}
        {picture.nodes.map((node) => (
          <Node key={node.id} node={node} onOpen={onOpen} isOpen={node.id === openId} />
        ))}
      </svg>
      <div class="zoom no-print">
        <Button
          aria-label={t('zoomIn')}
          onClick={() => {
            zoom(0.7);
          }}
        >
          +
        </Button>
        <Button
          aria-label={t('zoomOut')}
          onClick={() => {
            zoom(1.4);
          }}
        >
          −
        </Button>
        <Button aria-label={t('zoomAll')} onClick={reset}>
          ⤢
        </Button>
      </div>
    </figure>
  );
}

function Node({
  node,
  onOpen,
  isOpen,
}: {
  readonly node: DrawnNode;
  readonly onOpen: ((id: string) => void) | undefined;
  readonly isOpen: boolean;
}) {
  const { id, kind, at, shownTitle, shownFine, href, isStart, isBlocked } = node;
  const height = heightOf(node);
  const classes = ['node', kind, isStart && 'start', isBlocked && 'blocked', isOpen && 'open']
    .filter(Boolean)
    .join(' ');
  const drawn = (
    <g class={classes} transform={`translate(${String(at.x - NODE.width / 2)} ${String(at.y - height / 2)})`}>
      <title>{nameOf(node)}</title>
      <rect width={NODE.width} height={height} rx={kind === 'lot' ? 6 : kind === 'order' ? 26 : 2} />
      <text x={MARGIN} y={22}>
        {shownTitle}
      </text>
      {shownFine.map((text, place) => (
        <text key={place} x={MARGIN} y={39 + NODE.line * place} class="node-fine">
          {text}
        </text>
      ))}
    </g>
  );
  if (onOpen && kind !== 'customers') {
    const open = () => {
      onOpen(id);
    };
    return (
      <g
        role="button"
        tabindex={0}
        aria-label={nameOf(node)}
        aria-pressed={isOpen}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          open();
        }}
      >
        {drawn}
      </g>
    );
  }
  return href === undefined ? (
    drawn
  ) : (
    <Link href={href} aria-label={nameOf(node)}>
      {drawn}
    </Link>
  );
}
