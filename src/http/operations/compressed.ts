import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer } from '../exchange/exchange.js';

const compress = promisify(gzip);

const ACCEPTS = /(?:^|,) *(?:gzip|\*) *(?:;(?! *q=0(?:\.0*)? *(?:,|$))|,|$)/i;

/**
 * An answer that never changes: made once, and compressed once for who takes that. Its bytes are made once too: whoever asks many times and reads
 * nothing has the same ones waiting, and no copies.
 */
export function compressed(
  make: () => Answer | Promise<Answer>,
): (request: Pick<IncomingMessage, 'headers'>) => Promise<Answer> {
  const plain = keptOnceMade(async () => {
    const answer = await make();
    const body = Buffer.from(answer.body ?? '');
    return { ...answer, headers: [...answer.headers, 'Vary', 'Accept-Encoding'], body };
  });
  const small = keptOnceMade(async () => {
    const answer = await plain();
    return { ...answer, headers: [...answer.headers, 'Content-Encoding', 'gzip'], body: await compress(answer.body) };
  });
  return ({ headers: { 'accept-encoding': accepted } }) =>
    typeof accepted === 'string' && ACCEPTS.test(accepted) ? small() : plain();
}

/** What could not be made is made anew for whoever asks next. */
function keptOnceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
