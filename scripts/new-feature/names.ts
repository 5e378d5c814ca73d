/** The forms that a feature's name takes in its files. */
export interface FeatureNames {
  /** loyalty-cards */
  readonly folder: string;
  /** loyaltyCards */
  readonly plural: string;
  /** loyaltyCard */
  readonly singular: string;
  /** LoyaltyCard */
  readonly noun: string;
  /** LoyaltyCards */
  readonly nouns: string;
  /** Loyalty cards */
  readonly title: string;
  /** loyalty cards */
  readonly plainPlural: string;
  /** loyalty card */
  readonly plainSingular: string;
  /** a loyalty card */
  readonly one: string;
}

const FOLDER = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const camel = (words: string): string => words.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const singularOf = (plural: string): string =>
  plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.replace(/s$/, '');

export class InvalidName extends Error {}

/** `singular` is needed where it is not the plural without its s. */
export function namesOf(folder: string, singular = singularOf(folder)): FeatureNames {
  for (const name of [folder, singular]) {
    if (!FOLDER.test(name)) throw new InvalidName(`${name} is not a name in kebab-case`);
  }
  if (singular === folder) throw new InvalidName(`${folder} needs its singular as a second name`);
  const plainPlural = folder.replaceAll('-', ' ');
  const plainSingular = singular.replaceAll('-', ' ');
  return {
    folder,
    plural: camel(folder),
    singular: camel(singular),
    noun: capital(camel(singular)),
    nouns: capital(camel(folder)),
    title: capital(plainPlural),
    plainPlural,
    plainSingular,
    one: `${/^[aeio]/.test(singular) ? 'an' : 'a'} ${plainSingular}`,
  };
}
