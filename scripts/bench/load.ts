import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Sample } from './benchmark.js';

export interface Question {
  readonly method: 'GET' | 'POST';
  /** When there are several, each request takes one of them at random. */
  readonly path: string | readonly string[];
  /** JSON, or several that are sent in turn; `{unique}` becomes another word in each request, `{client}` the number of who sends it. */
  readonly body?: string | readonly string[];
  /** What every answer must have. */
  readonly status: number;
}

export interface LoadJob extends Question {
  readonly port: number;
  readonly clients: number;
  readonly milliseconds: number;
  /** At most so many operations in a second, evenly; undefined: as many as there can be. */
  readonly perSecond?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Asked one after the other once the first is answered; `{id}` in a path, `{answer.id}` in a body, is what that answer holds there. All are one operation. */
  readonly next?: readonly (Question & { readonly path: string })[];
}

/** One of several kinds of operations that the clients of one job mix. */
export interface Kind extends Question {
  readonly name: string;
  /** How many of all operations are of this kind, in parts of what the shares of all kinds add up to. */
  readonly share: number;
}

export interface MixedJob extends Omit<LoadJob, keyof Question | 'next'> {
  readonly kinds: readonly Kind[];
}

export type LoadAnswer = { readonly samples: readonly Sample[] } | { readonly failure: string };

export interface LoadGenerator {
  run(job: LoadJob): Promise<Sample>;
  /** What was seen of each kind, in their order. */
  runMixed(job: MixedJob): Promise<readonly Sample[]>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./load-generator.js', import.meta.url)), { serialization: 'advanced' });
  const samplesOf = async (job: LoadJob | MixedJob): Promise<readonly Sample[]> => {
    child.send(job);
    const [answer] = (await once(child, 'message')) as [LoadAnswer];
    if ('failure' in answer) throw new Error(answer.failure);
    return answer.samples;
  };
  return {
    async run(job) {
      const [sample] = await samplesOf(job);
      if (!sample) throw new Error('the load generator measured nothing');
      return sample;
    },
    runMixed: samplesOf,
    stop: () => {
      child.kill();
    },
  };
}
