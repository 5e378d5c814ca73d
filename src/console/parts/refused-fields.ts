import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Problem } from '../client/problem.js';
import type { Text } from '../words/words.js';
import { say } from '../words/words.js';

interface Words {
  readonly refusals: Readonly<Partial<Record<string, Text>>>;
  fieldName(path: string, say: (text: Text) => string): string | undefined;
}

let known: Words | undefined;

/** The words for refusals are many: they come after the first screen, while there is a connection. */
export async function fetchRefusalWords(): Promise<Words | undefined> {
  try {
    known ??= await import('../words/refusals.js');
  } catch {
    // What is refused is then said in the words of the service.
  }
  return known;
}

export function useRefusalWords(wanted: boolean): Words | undefined {
  const [words, setWords] = useState(known);
  useEffect(() => {
    if (wanted && !words) void fetchRefusalWords().then(setWords);
  }, [wanted, words]);
  return words;
}

/** Which fields a refusal is about that says so by its code alone. */
const FIELDS: Readonly<Partial<Record<Problem['code'], readonly string[]>>> = {
  DOCUMENT_TAKEN: ['document'],
  GTIN_TAKEN: ['gtin'],
  LOT_CODE_TAKEN: ['outputLotCode'],
  NAME_TAKEN: ['name'],
  PASSWORD_WRONG: ['currentPassword'],
  SKU_TAKEN: ['sku'],
  TBAND_TAKEN: ['tBand'],
  UNIT_IN_USE: ['saleUnit'],
  USERNAME_TAKEN: ['username', 'email'],
};

function fieldsOf(problem: Problem): readonly string[] | undefined {
  const { code } = problem;
  return code === 'NUMBER_NOT_HIGHER' ? [`fiscal.nextNumbers.${String(problem['model'])}`] : FIELDS[code];
}

/**
 * The same refusal with what it says of fields, also where that is known by its code: a name that is taken. Of several it
 * is about those that were changed.
 */
export function useFieldErrors(
  problem: Problem | undefined,
  isChanged: (path: string) => boolean,
): Problem | undefined {
  const named = problem && fieldsOf(problem);
  const changed = named?.filter(isChanged);
  const fields = changed && changed.length > 0 ? changed : named;
  const words = useRefusalWords(fields !== undefined);
  return useMemo(() => {
    if (!problem || problem.errors || !fields) return problem;
    const text = words?.refusals[problem.code];
    const message = text ? say(text) : (problem.title ?? problem.code);
    return { ...problem, errors: fields.map((path) => ({ path, message })) };
  }, [problem, words]);
}
