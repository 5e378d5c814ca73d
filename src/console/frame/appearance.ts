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

export async function chooseTheme(theme: Theme): Promise<void> {
  showTheme(theme);
  const current = session();
  if (current.kind !== 'signed-in') return;
  const navigationFavorites = current.me.uiPreferences?.navigationFavorites ?? [];
  const me = await body(api.PATCH('/auth/me/ui-preferences', { body: { navigationFavorites, theme } }));
  setSession({ kind: 'signed-in', me });
}
