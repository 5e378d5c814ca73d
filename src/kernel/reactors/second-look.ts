import type { z } from 'zod';
import type { VaultWrite } from '../../ports/vault.js';
import type { BackgroundWork } from './background.js';
import type { Clock } from '../values/clock.js';
import type { WorkServices } from './work-line.js';
import { rowOf } from './work-line.js';
import { WorkQueue } from './work-queue.js';

/** Whoever does work of several steps is done with it well within this time, unless the process ends in between. */
const PATIENCE = 60_000;
const LEASE = 15_000;
const AT_ONCE = 2;

/** What stores rows of such work, and need not do what is left of it. */
export interface Steps<T extends object> {
  /** Names the kind of its rows; never changed once released. */
  readonly name: string;
  readonly task: z.ZodType<T>;
  /** Work of the same id is looked at once, a while after it was last begun. */
  idOf(task: T): string;
}

interface StepsToFinish<T extends object> extends Steps<T> {
  /** Does what is left of the work, which may be done already, or may never have begun. */
  finish(task: T): Promise<void>;
}

/** To be stored before the first of the steps, or with it. */
export const secondLookRow = <T extends object>(steps: Steps<T>, task: T, clock: Clock): VaultWrite =>
  rowOf(steps, { id: steps.idOf(task), line: '', task, dueAt: clock.now() + PATIENCE }, 'any');

/**
 * Work of several steps, each a write of its own. A row stored before the first of them, or with it, makes sure that somebody looks a while
 * later whether the others were done: a process that ends between two of them leaves nothing half done.
 */
export class SecondLook<T extends object> {
  private readonly queue: WorkQueue<T>;

  constructor(
    private readonly steps: StepsToFinish<T>,
    private readonly services: WorkServices,
  ) {
    const { name, task } = steps;
    this.queue = new WorkQueue(
      {
        name,
        task,
        perLine: AT_ONCE,
        atOnce: AT_ONCE,
        leaseMilliseconds: LEASE,
        longestWait: PATIENCE,
        fixedLines: [''],
        async work(item) {
          await steps.finish(item.task);
          return { task: undefined };
        },
      },
      services,
    );
  }

  row(task: T): VaultWrite {
    return secondLookRow(this.steps, task, this.services.clock);
  }

  get background(): BackgroundWork {
    return { queues: [this.queue] };
  }
}
