import type { WorkServices } from './work-line.js';
import type { Reactor, ReactorHealth } from './reactor.js';
import type { ReactorServices } from './reactor-runner.js';
import { ReactorRunner } from './reactor-runner.js';
import type { Schedule } from './schedules.js';
import { startSchedules } from './schedules.js';

/** A queue that finds its work by itself once it is started. */
interface RunningQueue {
  start(): void;
  close(): Promise<void>;
}

/** Work that goes on apart from requests. */
export interface BackgroundWork {
  readonly reactors?: readonly Reactor[];
  readonly queues?: readonly RunningQueue[];
  readonly schedules?: readonly Schedule[];
}

type BackgroundServices = Omit<ReactorServices & WorkServices, 'onError'> & {
  onError(error: unknown, name: string): void;
};

export interface Background {
  reactors(): readonly ReactorHealth[];
  /** Nothing new begins; what runs is waited for, for some seconds. May be said more than once. */
  close(): Promise<void>;
}

/** Starts the work that this process is to do. */
export function startBackground(works: readonly BackgroundWork[], services: BackgroundServices): Background {
  const runners = works
    .flatMap(({ reactors = [] }) => reactors)
    .map((reactor) => {
      const onError = (error: unknown) => {
        services.onError(error, `reactor ${reactor.name}`);
      };
      return new ReactorRunner(reactor, { ...services, onError });
    });
  const queues = works.flatMap((work) => work.queues ?? []);
  for (const queue of queues) queue.start();
  const schedules = startSchedules(
    works.flatMap((work) => work.schedules ?? []),
    services,
  );
  const closeAll = async (): Promise<void> => {
    await Promise.all([...[...runners, ...queues].map((one) => one.close()), schedules.stop()]);
  };
  let closed: Promise<void> | undefined;
  return {
    reactors: () => runners.map((runner) => runner.health()),
    close: () => (closed ??= closeAll()),
  };
}
