import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that this thread still refers to. */
export function heldMemory(): number {
  collect();
  const usage = process.memoryUsage();
  return usage.heapUsed + usage.external;
}
