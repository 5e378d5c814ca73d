import { messageOf } from '../../kernel/values/message-of.js';

/** What was looked at and what came of it. What is wrong is said with what to do. */
export interface Finding {
  readonly about: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly says: string;
}

export const ok = (about: string, says: string): Finding => ({ about, state: 'ok', says });
export const note = (about: string, says: string): Finding => ({ about, state: 'note', says });
export const wrong = (about: string, says: string): Finding => ({ about, state: 'wrong', says });

const WORDS: Readonly<Record<Finding['state'], string>> = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' };

export const lineOf = ({ about, state, says }: Finding): string => `${WORDS[state]}  ${about}: ${says}`;

/** What a look throws is a finding as well. */
export async function looked(
  about: string,
  look: () => Promise<Finding | readonly Finding[]> | Finding | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [wrong(about, messageOf(error))];
  }
}
