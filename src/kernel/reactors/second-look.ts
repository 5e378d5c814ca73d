import type { z } from 'zod';
import type { VaultWrite } from '../../ports/vault.js';
import type { BackgroundWork } from './background.js';
import type { Commands } from '../lanes/commands.js';
import type { RequestContext } from '../routes/request-context.js';
import type { Clock } from '../values/clock.js';
import type { WorkServices } from './work-line.js';
import { rowOf, STEPS_TAKE } from './work-line.js';
import { WorkQueue } from './work-queue.js';

const LEASE = 30_000;
/** So long before others may go on nothing more is recorded, as their clocks may be some seconds ahead. */
const MARGIN = 10_000;
const AT_ONCE = 2;

interface TaskOfStore {
  readonly storeId: string;
}

/** What stores rows of such work, and need not do what is left of it. */
export interface Steps<T extends TaskOfStore> {
  /** Names the kind of its rows; never changed once released. */
  readonly name: string;
  readonly task: z.ZodType<T>;
  /** Work of the same id is looked at once, a while after it was last begun. */
  idOf(task: T): string;
}

interface StepsToFinish<T extends TaskOfStore> extends Steps<T> {
  /** Does what is left of the work, which may be done already, or may never have begun. */
  finish(context: RequestContext, task: T): Promise<void>;
}

export interface LookServices extends WorkServices {
  contextOf(storeId: string): RequestContext;
}

const isLate = (dueAt: number, clock: Clock): boolean => clock.now() >= dueAt - MARGIN;

/** Others may go on from `dueAt`, or take for abandoned what was stored before its fact. */
export const leaveInTime = (context: Pick<Commands, 'recordUntil'>, dueAt: number, clock: Clock): void => {
  context.recordUntil(() => isLate(dueAt, clock));
};

/**
 * Whether a request goes on from what an earlier run of it has left, if there was one. Then it takes no step any more once somebody may look at
 * that, who may have begun already where it does not.
 */
export function mayGoOn(context: Pick<Commands, 'isRepeat' | 'at' | 'recordUntil'>, clock: Clock): boolean {
  if (!context.isRepeat) return true;
  const dueAt = Date.parse(context.at) + STEPS_TAKE;
  if (isLate(dueAt, clock)) return false;
  leaveInTime(context, dueAt, clock);
  return true;
}

/** To be stored before the first of the steps, or with it. A process that stands still until somebody looks takes none of them any more. */
export function secondLookRow<T extends TaskOfStore>(
  steps: Steps<T>,
  context: Pick<Commands, 'recordUntil'>,
  task: T,
  clock: Clock,
): VaultWrite {
  const dueAt = clock.now() + STEPS_TAKE;
  leaveInTime(context, dueAt, clock);
  return rowOf(steps, { id: steps.idOf(task), line: '', task, dueAt }, 'any');
}

/**
 * Work of several steps, each a write of its own. A row stored before the first of them, or with it, makes sure that somebody looks a while
 * later whether the others were done: a process that ends between two of them leaves nothing half done.
 */
export class SecondLook<T extends TaskOfStore> {
  private readonly queue: WorkQueue<T>;

  constructor(
    private readonly steps: StepsToFinish<T>,
    private readonly services: LookServices,
  ) {
    const { name, task } = steps;
    this.queue = new WorkQueue(
      {
        name,
        task,
        perLine: AT_ONCE,
        atOnce: AT_ONCE,
        leaseMilliseconds: LEASE,
        longestWait: STEPS_TAKE,
        fixedLines: [''],
        async work({ task: left, until }) {
          const context = services.contextOf(left.storeId);
          leaveInTime(context, until, services.clock);
          await steps.finish(context, left);
          return { task: undefined };
        },
      },
      services,
    );
  }

  row(context: Pick<Commands, 'recordUntil'>, task: T): VaultWrite {
    return secondLookRow(this.steps, context, task, this.services.clock);
  }

  get background(): BackgroundWork {
    return { queues: [this.queue] };
  }
}
