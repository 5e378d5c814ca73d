import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer } from '../exchange/exchange.js';

const compress = promisify(gzip);

const ACCEPTS = /(?:^|,) *(?:gzip|\*) *(?:;(?! *q=0(?:\.0*)? *(?:,|$))|,|$)/i;

/** An answer that never changes: made once, and compressed once for who takes that. */
export function compressed(make: () => Answer | Promise<Answer>): (request: IncomingMessage) => Promise<Answer> {
  let plain: Promise<Answer> | undefined;
  let small: Promise<Answer> | undefined;
  const varied = async (): Promise<Answer> => {
    const answer = await make();
    return { ...answer, headers: [...answer.headers, 'Vary', 'Accept-Encoding'] };
  };
  const zipped = async (answer: Answer): Promise<Answer> => ({
    ...answer,
    headers: [...answer.headers, 'Content-Encoding', 'gzip'],
    body: await compress(answer.body ?? ''),
  });
  return async (request) => {
    plain ??= varied();
    const { 'accept-encoding': accepted } = request.headers;
    if (typeof accepted !== 'string' || !ACCEPTS.test(accepted)) return plain;
    small ??= zipped(await plain);
    return small;
  };
}
