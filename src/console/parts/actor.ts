import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';

interface Actor {
  readonly kind: string;
  readonly name: string;
}

/** How who did something is called: a person, a key, or the service by itself. */
export function useActorName(): (actor: Actor) => string {
  const t = useWords(frame);
  return ({ kind, name }) => (kind === 'system' ? t('itself') : name);
}
