import type { Histories, Voice } from '../events/history.js';
import { entity } from '../events/history.js';
import type { NamedSetEvent, NamedSetEvents } from './named-set.js';

interface Nouns {
  /** With its article: «a categoria», «the category». */
  readonly pt: string;
  readonly ptPlural: string;
  /** How a Portuguese participle agrees with it. */
  readonly feminine: boolean;
  readonly en: string;
  readonly enPlural: string;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The histories of a set of named records. */
export function namedSetHistory<Noun extends string, Plural extends string, F>(
  { created, changed, deleted }: NamedSetEvents<Noun, Plural, F>,
  kind: string,
  { pt, ptPlural, feminine, en, enPlural }: Nouns,
): Histories<NamedSetEvent<Noun, Plural, F>> {
  const ending = feminine ? 'a' : 'o';
  const named = (text: string, name: string): string => `${capital(text)} ${name}`;
  const namesOf = (ids: readonly string[], say: Voice): string => say.list(ids.map((id) => say.name(kind, id)));
  const about = ({ id }: { readonly id: string }) => [entity(kind, id)];
  const histories = {
    [created]: {
      about,
      pt: ({ name }: { readonly name: string }) => `${named(pt, name)} foi criad${ending}.`,
      en: ({ name }: { readonly name: string }) => `${named(en, name)} was created.`,
    },
    [changed]: {
      about,
      pt: ({ name }: { readonly name: string }) => `${named(pt, name)} foi alterad${ending}.`,
      en: ({ name }: { readonly name: string }) => `${named(en, name)} was changed.`,
    },
    [deleted]: {
      about: ({ ids }: { readonly ids: readonly string[] }) => ids.map((id) => entity(kind, id)),
      pt: ({ ids }: { readonly ids: readonly string[] }, say: Voice) =>
        ids.length === 1
          ? `${named(pt, namesOf(ids, say))} foi excluíd${ending}.`
          : `${String(ids.length)} ${ptPlural} foram excluíd${ending}s: ${namesOf(ids, say)}.`,
      en: ({ ids }: { readonly ids: readonly string[] }, say: Voice) =>
        ids.length === 1
          ? `${named(en, namesOf(ids, say))} was deleted.`
          : `${String(ids.length)} ${enPlural} were deleted: ${namesOf(ids, say)}.`,
    },
  };
  return histories as unknown as Histories<NamedSetEvent<Noun, Plural, F>>;
}
