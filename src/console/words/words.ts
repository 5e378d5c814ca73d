import type { Language } from './language.js';
import { language, useLanguage } from './language.js';

/**
 * A text in Portuguese and in English. `{name}` is filled in; where a text has a bar, what stands before it is said of one
 * and the rest of any other number of `{n}`.
 */
export type Text = readonly [portuguese: string, english: string];
export type Catalogue = Readonly<Record<string, Text>>;
export type Filling = Readonly<Record<string, string | number>>;

const rules: Readonly<Record<Language, Intl.PluralRules>> = {
  'pt-BR': new Intl.PluralRules('pt-BR'),
  en: new Intl.PluralRules('en'),
};

const INDEX: Readonly<Record<Language, 0 | 1>> = { 'pt-BR': 0, en: 1 };

function chosen(text: string, filling: Filling, spoken: Language): string {
  const [one = '', many] = text.split('|');
  if (many === undefined) return one;
  return rules[spoken].select(Number(filling['n'] ?? filling['count'])) === 'one' ? one : many;
}

export function say(text: Text, filling: Filling = {}, spoken: Language = language()): string {
  return chosen(text[INDEX[spoken]], filling, spoken).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(filling[name] ?? ''),
  );
}

/** Says the texts of a catalogue in the language that is on. */
export type Say<C extends Catalogue> = (name: keyof C & string, filling?: Filling) => string;

export function useWords<const C extends Catalogue>(catalogue: C): Say<C> {
  const spoken = useLanguage();
  return (name, filling) => {
    const text: Text | undefined = catalogue[name];
    return text === undefined ? name : say(text, filling, spoken);
  };
}
