import { api, body } from '../client/api.js';
import { session, setSession } from '../client/session.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = 'theme';

/** Shows the pages light, dark, or as the system is. It is kept in the browser too, so that the next page begins right. */
export function showTheme(theme: Theme): void {
  localStorage.setItem(KEPT_AS, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export const keptTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEPT_AS)) ?? 'system';

let keeping: Promise<unknown> = Promise.resolve();

/** Shows it, and keeps it with the account once what was chosen before is kept: the last choice is the one that stays. */
export function chooseTheme(theme: Theme): Promise<void> {
  showTheme(theme);
  const kept = keeping.then(() => keep(theme));
  keeping = kept.catch(() => undefined);
  return kept;
}

async function keep(theme: Theme): Promise<void> {
  const current = session();
  const isLast = () => theme === keptTheme();
  if (current.kind !== 'signed-in' || !isLast()) return;
  const navigationFavorites = current.me.uiPreferences?.navigationFavorites ?? [];
  const me = await body(api.PATCH('/auth/me/ui-preferences', { body: { navigationFavorites, theme } }));
  if (isLast()) setSession({ kind: 'signed-in', me });
}
