import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Loaded into the service that is measured: says how long its event loop was held at most, by how much its memory grew, and what it took of the processor. */

export interface Strain {
  readonly heldMs: number;
  readonly grownMb: number;
  /** Processor time of all its threads, and of the one that answers, where that is known. */
  readonly cpuMs?: number;
  readonly mainCpuMs?: number;
}

/** Begins anew, or ends and is answered with the strain. */
export type StrainQuestion = 'watch' | 'tell';

const RESOLUTION_MS = 1;
const SAMPLED_MS = 10;
const NS_OF_A_MS = 1e6;
const BYTES_OF_A_MB = 1024 * 1024;
const MICROSECONDS = 1000;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS;
}

/** The thread that a process begins with has its number. */
function mainCpuMs(): number | undefined {
  try {
    return Number(readFileSync(`/proc/self/task/${String(process.pid)}/schedstat`, 'utf8').split(' ')[0]) / NS_OF_A_MS;
  } catch {
    return undefined;
  }
}

function answerWith(send: (strain: Strain) => void): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let before = 0;
  let most = 0;
  let cpu = 0;
  let mainCpu: number | undefined;
  let sampling: NodeJS.Timeout | undefined;
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  process.on('message', (question: StrainQuestion) => {
    clearInterval(sampling);
    if (question === 'watch') {
      before = most = process.memoryUsage.rss();
      cpu = cpuMs();
      mainCpu = mainCpuMs();
      delays.reset();
      delays.enable();
      sampling = setInterval(sample, SAMPLED_MS);
    } else {
      sample();
      delays.disable();
      const main = mainCpuMs();
      send({
        heldMs: delays.max / NS_OF_A_MS,
        grownMb: (most - before) / BYTES_OF_A_MB,
        cpuMs: cpuMs() - cpu,
        ...(main === undefined || mainCpu === undefined ? {} : { mainCpuMs: main - mainCpu }),
      });
    }
  });
  // The service ends when it is told to, whoever may still ask.
  process.channel?.unref();
}

if (isMainThread && process.send) answerWith((strain) => process.send?.(strain));
