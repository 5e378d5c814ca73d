import { foldText, wordsOf } from '../../kernel/values/words.js';
import type { CategoryProfile } from './profile-table.js';
import { PROFILES } from './profile-table.js';

const GENERAL = 'general';

export const findProfile = (id: string): CategoryProfile | undefined => PROFILES.find((profile) => profile.id === id);

/** The profile that a store's activity code names; null when none does. */
export function profileOfActivity(activityCode: string | null): CategoryProfile | null {
  if (activityCode === null) return null;
  return PROFILES.find(({ activityCodes }) => activityCodes.includes(activityCode)) ?? null;
}

/** The profile whose keywords a description of the business holds most of. */
function profileOfDescription(description: string): CategoryProfile | undefined {
  const words = new Set(wordsOf(description));
  const text = foldText(description);
  const holds = (keyword: string) =>
    words.has(foldText(keyword)) || (keyword.includes(' ') && text.includes(foldText(keyword)));
  const ranked = PROFILES.map((profile) => ({ profile, hits: profile.keywords.filter(holds).length }));
  const best = ranked.reduce((most, one) => (one.hits > most.hits ? one : most));
  return best.hits > 0 ? best.profile : undefined;
}

/** What a store most likely is: by its activity code, else by what it says of itself, else anything. */
export function likelyProfile(activityCode: string | null, description: string): CategoryProfile {
  const found = profileOfActivity(activityCode) ?? profileOfDescription(description) ?? findProfile(GENERAL);
  if (!found) throw new Error('the table of profiles has no general one');
  return found;
}
