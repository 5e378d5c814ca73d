import { parentPort } from 'node:worker_threads';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { CLOSE } from '../log/protocol.js';
import type { Answer, Question } from '../read-protocol.js';
import { messageOf } from '../../../kernel/values/message-of.js';

/** Answers questions in a worker, each when the one before is answered. */
export function answerQuestions(
  opened: unknown,
  answer: (asked: never) => unknown,
  close: () => Promise<void> | void,
): void {
  if (!parentPort) throw new Error('a worker is no program of its own');
  const port = parentPort;
  let last: Promise<void> = Promise.resolve();

  const reply = async ({ number, asked }: Question<never>): Promise<void> => {
    try {
      port.postMessage({ number, value: await answer(asked) } satisfies Answer);
    } catch (error) {
      const message = messageOf(error);
      const failure = { message, away: error instanceof StoreUnavailable };
      port.postMessage({ number, failure } satisfies Answer);
    }
  };

  port.on('message', (message: Question<never> | typeof CLOSE) => {
    last = last.then(async () => {
      if (message !== CLOSE) return reply(message);
      await close();
      port.close();
    });
  });
  port.postMessage(opened);
}
