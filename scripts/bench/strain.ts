import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Loaded into the service that is measured: says how long its event loop was held at most and by how much its memory grew. */

export interface Strain {
  readonly heldMs: number;
  readonly grownMb: number;
}

/** Begins anew, or ends and is answered with the strain. */
export type StrainQuestion = 'watch' | 'tell';

const RESOLUTION_MS = 1;
const SAMPLED_MS = 10;
const NS_OF_A_MS = 1e6;
const BYTES_OF_A_MB = 1024 * 1024;

function answerWith(send: (strain: Strain) => void): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let before = 0;
  let most = 0;
  let sampling: NodeJS.Timeout | undefined;
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  process.on('message', (question: StrainQuestion) => {
    clearInterval(sampling);
    if (question === 'watch') {
      before = most = process.memoryUsage.rss();
      delays.reset();
      delays.enable();
      sampling = setInterval(sample, SAMPLED_MS);
    } else {
      sample();
      delays.disable();
      send({ heldMs: delays.max / NS_OF_A_MS, grownMb: (most - before) / BYTES_OF_A_MB });
    }
  });
  // The service ends when it is told to, whoever may still ask.
  process.channel?.unref();
}

if (isMainThread && process.send) answerWith((strain) => process.send?.(strain));
