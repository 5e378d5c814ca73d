import type { OperationExample, OperationExamples } from '../../http/openapi/openapi.js';
import { ANSWERS } from './answers.js';
import { CATALOGUE_EXAMPLES } from './catalogue-examples.js';
import type { Example } from './example.js';
import { GOODS_EXAMPLES } from './goods-examples.js';
import { OFFICE_EXAMPLES } from './office-examples.js';
import type { Resolve } from './references.js';
import { demoReferences, resolveAll } from './references.js';
import { SIGN_IN_EXAMPLES } from './sign-in-examples.js';

/** Requests that work one after the other in a fresh demonstration. */
export const WORKING_EXAMPLES: readonly Example[] = [...CATALOGUE_EXAMPLES, ...GOODS_EXAMPLES, ...OFFICE_EXAMPLES];

/** Where there is no demonstration: ids as they would be. */
const NO_STORE = '019b76da-a800-7000-8000-000000000001';

/** What an earlier example makes is another each time: in a body it looks like this. */
const withMade =
  (resolve: Resolve): Resolve =>
  (reference) =>
    resolve(reference) ?? (reference.startsWith('made ') ? NO_STORE : undefined);

function resolved({ operation, params, query, body, answer: known }: Example, resolve: Resolve): OperationExample {
  const recorded = ANSWERS[operation];
  const answer = recorded === undefined ? known : (JSON.parse(recorded) as unknown);
  const texts = (values: Example['params']) => resolveAll(values ?? {}, resolve) as Record<string, string>;
  return {
    params: texts(params),
    query: texts(query),
    ...(body === undefined ? {} : { body: resolveAll(body, withMade(resolve)) }),
    ...(answer === undefined ? {} : { answer: resolveAll(answer, withMade(resolve)) }),
  };
}

/** An example of each operation, on the records of that store where it is the demonstration. */
export function operationExamples(storeId = NO_STORE): OperationExamples {
  const resolve = demoReferences(storeId);
  const examples: Record<string, OperationExample> = {};
  for (const one of [...WORKING_EXAMPLES, ...SIGN_IN_EXAMPLES]) {
    examples[one.operation] ??= resolved(one, resolve);
  }
  return examples;
}
