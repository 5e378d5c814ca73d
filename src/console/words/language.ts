import { useSyncExternalStore } from 'preact/compat';

/** The languages of the pages. Which one is on is kept in the browser, as it is no secret. */
export const LANGUAGES = ['pt-BR', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const KEPT_AS = 'language';
const listeners = new Set<() => void>();

function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get('lang');
  const wanted = asked ?? localStorage.getItem(KEPT_AS);
  return wanted?.startsWith('en') ? 'en' : 'pt-BR';
}

let current = firstLanguage();
document.documentElement.lang = current;

export const language = (): Language => current;

export function speak(wanted: Language): void {
  current = wanted;
  localStorage.setItem(KEPT_AS, wanted);
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLanguage = (): Language => useSyncExternalStore(subscribe, language);
