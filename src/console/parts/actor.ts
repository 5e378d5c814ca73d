import type { components } from 'openapi-client';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';

type Actor = Pick<components['schemas']['Actor'], 'kind' | 'name'>;

/** How who did something is called: a person, a key, or the service by itself. */
export function useActorName(): (actor: Actor) => string {
  const t = useWords(frame);
  return ({ kind, name }) => (kind === 'system' ? t('itself') : name);
}
