import type { Language } from '../events/history.js';
import type { RequestContext } from './request-context.js';

/** How much each language is wanted, from 0 to 1. */
function wishes(acceptLanguage = ''): Readonly<Record<Language, number>> {
  const wanted = acceptLanguage.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
    return { tag, quality: quality === undefined ? 1 : Number(quality.trim().slice(2)) };
  });
  const best = (language: Language) =>
    Math.max(0, ...wanted.filter(({ tag }) => tag.startsWith(language)).map(({ quality }) => quality));
  return { pt: best('pt'), en: best('en') };
}

/** Portuguese unless English is asked for first. */
export function languageOf({ client }: RequestContext): Language {
  const { pt, en } = wishes(client.acceptLanguage);
  return en > pt ? 'en' : 'pt';
}

/** Whether Portuguese is asked for before English: what programs read stays English for who says nothing. */
export function asksForPortuguese(acceptLanguage: string | undefined): boolean {
  const { pt, en } = wishes(acceptLanguage);
  return pt > en;
}
