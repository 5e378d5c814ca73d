import type { Language } from '../events/history.js';
import type { RequestContext } from './route.js';

/** Portuguese unless English is asked for first. */
export function languageOf({ client }: RequestContext): Language {
  const wanted = (client.acceptLanguage ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
    return { tag, quality: quality === undefined ? 1 : Number(quality.trim().slice(2)) };
  });
  const best = (language: Language) =>
    Math.max(0, ...wanted.filter(({ tag }) => tag.startsWith(language)).map(({ quality }) => quality));
  return best('en') > best('pt') ? 'en' : 'pt';
}
