import { Rejection } from '../../kernel/events/rejection.js';
import type { ProjectionHealth } from '../../kernel/projections/projections.js';
import type { HttpOptions, ReadinessCheck } from '../options.js';
import { NOT_READY } from '../exchange/rejections.js';

const CHECK_PATIENCE = 2_000;
/** Read models that are further behind are not well, also where no projection says that it has stopped: the process that projects may be gone. */
const LATE = 60_000;

/** What of a projection concerns those who watch the service; positions and reasons stay with its operators. */
const summary = ({ name, state, lagEvents, lagMilliseconds }: ProjectionHealth) => ({
  name,
  state,
  lagEvents,
  lagMilliseconds,
});

/** The process answers; a projection or reactor that stopped, a projection that is late, or a stream that takes no commands, makes it degraded, not dead. */
export function health({
  projections,
  shortened,
  reactors,
  watched,
}: Pick<HttpOptions, 'projections' | 'shortened' | 'reactors' | 'watched'>) {
  const states = projections.health();
  const reacting = reactors?.() ?? [];
  const shortenedStreams = shortened?.().length ?? 0;
  const others = watched?.() ?? {};
  const degraded =
    shortenedStreams > 0 ||
    [...states, ...reacting].some(({ state }) => state === 'stopped') ||
    states.some(({ lagMilliseconds }) => lagMilliseconds > LATE) ||
    Object.values(others).some(({ ok }) => !ok);
  return {
    status: degraded ? 'degraded' : 'ok',
    shortenedStreams,
    ...others,
    projections: states.map(summary),
    reactors: reacting.map(({ name, state, lagMilliseconds }) => ({ name, state, lagMilliseconds })),
  };
}

async function outcomeOf(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_PATIENCE, 'does not answer');
  });
  try {
    return await Promise.race([check(), patience]);
  } catch {
    return 'is away';
  } finally {
    clearTimeout(timer);
  }
}

/** Throws NOT_READY, naming what is missing. */
export async function readiness(checks: HttpOptions['readiness']): Promise<{ status: 'ready' }> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await outcomeOf(check)] as const),
  );
  const missing = Object.fromEntries(outcomes.filter(([, reason]) => reason !== undefined));
  const names = Object.keys(missing);
  if (names.length > 0) throw new Rejection(NOT_READY, `not usable: ${names.join(', ')}`, { missing });
  return { status: 'ready' };
}
