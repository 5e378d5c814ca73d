import type { z } from 'zod';

/** What is wrong with a value, in words that follow the name of its field; schemas with words of their own keep them. */
export const validationMessages: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${boundOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${boundOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'invalid_format':
      return 'has the wrong form';
    case 'invalid_union':
      return isMissing(issue) ? 'is required' : 'has the wrong form';
    default:
      return undefined;
  }
};

/** The issue about a discriminator names the member, but holds the object in which it should stand. */
function isMissing({ input, discriminator }: { readonly input?: unknown; readonly discriminator?: unknown }): boolean {
  if (typeof discriminator !== 'string' || typeof input !== 'object' || input === null) return input === undefined;
  return (input as Readonly<Record<string, unknown>>)[discriminator] === undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

function boundOf(origin: string, words: string, bound: number | bigint): string {
  const unit = COUNTED[origin];
  return unit ? `have ${words} ${bound} ${unit[Number(bound) === 1 ? 0 : 1]}` : `be ${words} ${bound}`;
}
