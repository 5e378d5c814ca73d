import { useEffect, useRef } from 'preact/hooks';
import { quantity } from '../values/formats.js';
import { useNames } from '../client/names.js';
import type { Problem } from '../client/problem.js';
import { refusalOf } from '../client/problem.js';
import { isOfCommand, isUnsettled } from '../client/queries.js';
import { frame } from '../words/frame.js';
import { say, useWords } from '../words/words.js';
import { useRefusalWords } from './refused-fields.js';

/** Shorter waits are over before they are read. */
const A_WHILE_SECONDS = 30;

/** A line of what was sent, and what of it. */
const LINE = /^items\[(\d+)\]\.(.+)$/;

interface Shortage {
  readonly variantId: string;
  readonly required: number;
  readonly available: number;
}

function Shortages({ problem }: { readonly problem: Problem }) {
  const t = useWords(frame);
  const shortages = (problem['shortages'] ?? []) as readonly Shortage[];
  const names = useNames(shortages.map(({ variantId }) => variantId));
  if (shortages.length === 0) return null;
  return (
    <ul>
      {shortages.map(({ variantId, required, available }) => (
        <li key={variantId}>
          {t('shortage', {
            name: names(variantId)?.description ?? '…',
            required: quantity(required, names(variantId)?.saleUnit),
            available: quantity(available, names(variantId)?.saleUnit),
          })}
        </li>
      ))}
    </ul>
  );
}

function FieldPath({ path, name }: { readonly path: string; readonly name: string | undefined }) {
  return name === undefined ? <code>{path}</code> : <strong>{name}:</strong>;
}

/** Says that what was sent is there, though nothing was answered. */
export function FoundSaved() {
  const t = useWords(frame);
  return (
    <p class="note good" role="status">
      {t('foundSaved')}
    </p>
  );
}

/** What came of what was sent: where nobody answered and it is there all the same, trying again might undo it. */
export function Outcome({ error, isThere }: { readonly error: unknown; readonly isThere: boolean }) {
  return isThere && isUnsettled(error) ? <FoundSaved /> : <ProblemNote error={error} />;
}

/** Says why something was refused, where it happened. */
export function ProblemNote({
  error,
  lines,
  saidElsewhere,
}: {
  readonly error: unknown;
  /** What the lines that were sent are called, where people do not see them counted in that order. */
  readonly lines?: readonly string[];
  /** Paths of fields that say themselves what is wrong with them. */
  readonly saidElsewhere?: ReadonlySet<string>;
}) {
  const t = useWords(frame);
  const problem = refusalOf(error);
  const words = useRefusalWords(problem !== undefined);
  const note = useRef<HTMLDivElement>(null);
  // Who touched a button far from here sees it all the same, also when its words come later.
  useEffect(() => {
    if (isOfCommand(error)) note.current?.scrollIntoView({ block: 'nearest' });
  }, [error, words]);
  if (!error) return null;
  const text = problem && (problem.code === 'NETWORK' ? frame.network : words?.refusals[problem.code]);
  // What the sender can mend needs no number to ask about.
  const isOurs = text === undefined || (problem?.status ?? 0) >= 500;
  const seconds = problem?.retryAfter ?? 0;
  const nameOf = (path: string) => {
    const [, place, part = ''] = LINE.exec(path) ?? [];
    const line = lines?.[Number(place)];
    if (line === undefined) return words?.fieldName(path, say);
    const field = part === 'variantId' ? undefined : words?.fieldName(part, say);
    return field === undefined ? line : `${line}, ${field}`;
  };
  const errors = (problem?.errors ?? []).filter(({ path }) => saidElsewhere?.has(path) !== true);
  return (
    <div class="note bad" role="alert" ref={note}>
      <p>{text ? say(text) : (problem?.title ?? t('unexpected'))}</p>
      {seconds >= A_WHILE_SECONDS && <p>{t('againIn', { n: Math.ceil(seconds / 60) })}</p>}
      {problem && <Shortages problem={problem} />}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ path, message }) => (
            <li key={path + message}>
              <FieldPath path={path} name={nameOf(path)} /> {message}
            </li>
          ))}
        </ul>
      )}
      {problem?.requestId && isOurs && <p class="fine">{t('requestId', { id: problem.requestId })}</p>}
    </div>
  );
}
