import { Status } from '../../parts/status.js';
import { percent } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Destination } from './remedy.js';
import { words } from './words.js';

/** How deliveries fared in the last day. */
export function Health({ destination: { active, health } }: { readonly destination: Destination }) {
  const t = useWords(words);
  if (!active) return <Status tone="calm">{t('inactive')}</Status>;
  if (health.consecutiveFailures > 0)
    return <Status tone="bad">{t('failing', { n: health.consecutiveFailures })}</Status>;
  if (health.successRate24h === null) return <Status tone="calm">{t('never')}</Status>;
  return <Status tone="good">{t('arrived', { share: percent(health.successRate24h * 100) })}</Status>;
}
