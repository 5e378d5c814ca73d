import type { Logger } from 'node-cron';
import { schedule } from 'node-cron';
import type { Leases } from '../../ports/leases.js';
import { pauseUntilAborted, waitAtMost } from '../values/pause.js';
import type { OnWorked } from './work-line.js';

const LEASE = 60_000;
const RENEW_EVERY = 15_000;
const PATIENCE_AT_STOP = 8_000;
/** The library writes to the console what it finds late. It is nothing to be told: a run reads what is due from what is stored. */
const SILENT: Logger = { info: ignore, warn: ignore, error: ignore, debug: ignore };
/** In UTC no hour comes twice or not at all. */
const TIMES = { timezone: 'UTC', missedExecutionTolerance: 3_600_000, noOverlap: true, logger: SILENT };

/** Regular work. Time that passes only wakes it: what is due it reads from what is stored, so that what a downtime left out is made up for. */
export interface Schedule {
  readonly name: string;
  /**
   * How many milliseconds pass between two runs, whatever the machine's clock says: it is set, put back for the winter, or hours ahead
   * after a sleep. For what is seldom done it may be a time in UTC, as cron writes it with seconds.
   */
  readonly when: number | string;
  /** In every process for itself; otherwise in one at a time, and once more at its start. */
  readonly everywhere?: boolean;
  /**
   * `fence` grows with every process that takes it over: the epoch of what it appends to the log. It is 0 where every process runs it. A run
   * begins nothing more once it is to stop, and is not waited for without end.
   */
  run(fence: number, stopping: AbortSignal): Promise<void> | void;
}

interface ScheduleServices {
  readonly leases: Leases;
  readonly holder: string;
  onError(error: unknown, name: string): void;
  readonly onWorked?: OnWorked;
}

interface RunServices extends ScheduleServices {
  readonly stopping: AbortSignal;
}

interface RunningSchedules {
  stop(): Promise<void>;
}

export function startSchedules(
  schedules: readonly Schedule[],
  services: ScheduleServices,
  patienceAtStop = PATIENCE_AT_STOP,
): RunningSchedules {
  const stopping = new AbortController();
  const running = new Map<Schedule, Promise<void>>();
  /** Not beside itself: its time may come while the run of the start goes on. */
  const run = (one: Schedule): Promise<void> => {
    const going = running.get(one);
    if (going) return going;
    const done = runOnce(one, { ...services, stopping: stopping.signal })
      .catch((error: unknown) => {
        services.onError(error, one.name);
      })
      .finally(() => running.delete(one));
    running.set(one, done);
    return done;
  };
  const tasks = schedules.flatMap((one) =>
    typeof one.when === 'string' ? schedule(one.when, () => run(one), { ...TIMES, name: one.name }) : [],
  );
  const wake = async (one: Schedule, index: number): Promise<void> => {
    if (typeof one.when === 'string') return;
    // Works that are as frequent as each other do not all begin in one moment.
    let wait = (one.when * (index + 1)) / schedules.length;
    for (;;) {
      await pauseUntilAborted(wait, stopping.signal);
      if (stopping.signal.aborted) return;
      void run(one);
      wait = one.when;
    }
  };
  const waking = schedules.map(wake);
  for (const one of schedules) if (!one.everywhere) void run(one);
  return {
    async stop() {
      stopping.abort();
      await Promise.all([...waking, ...tasks.map((task) => task.destroy())]);
      await waitAtMost(patienceAtStop, Promise.all(running.values()));
    },
  };
}

async function runOnce(one: Schedule, services: RunServices): Promise<void> {
  if (one.everywhere) {
    await timedRun(one, 0, services);
    return;
  }
  const lease = await services.leases.acquire(`schedule-${one.name}`, services.holder, LEASE);
  if (!lease) return;
  const renewing = setInterval(() => {
    lease.renew().catch((error: unknown) => {
      services.onError(error, one.name);
    });
  }, RENEW_EVERY);
  try {
    await timedRun(one, lease.fence, services);
  } finally {
    clearInterval(renewing);
    await lease.release();
  }
}

async function timedRun(one: Schedule, fence: number, { onWorked, stopping }: RunServices): Promise<void> {
  const began = performance.now();
  let outcome: 'done' | 'failed' = 'failed';
  try {
    await one.run(fence, stopping);
    outcome = 'done';
  } finally {
    onWorked?.(one.name, outcome, performance.now() - began);
  }
}

function ignore(): void {
  // The console belongs to the service's own log.
}
