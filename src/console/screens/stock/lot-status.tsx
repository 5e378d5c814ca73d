import { Status } from '../../parts/status.js';
import { daysUntil } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

const SOON = 7;

interface LotFacts {
  readonly status: 'AVAILABLE' | 'BLOCKED';
  readonly expired: boolean;
  readonly expiresOn: string | null;
}

export function lotTone({ status, expired, expiresOn }: LotFacts): 'bad' | 'warn' | undefined {
  if (status === 'BLOCKED' || expired) return 'bad';
  return expiresOn !== null && daysUntil(expiresOn) <= SOON ? 'warn' : undefined;
}

export function LotStatus({ lot }: { readonly lot: LotFacts }) {
  const t = useWords(words);
  if (lot.status === 'BLOCKED') return <Status tone="bad">{t('blocked')}</Status>;
  if (lot.expired) return <Status tone="bad">{t('expired')}</Status>;
  if (lotTone(lot) === 'warn' && lot.expiresOn !== null) {
    const days = daysUntil(lot.expiresOn);
    return <Status tone="warn">{days === 0 ? t('expiresToday') : t('expiresSoon', { count: days })}</Status>;
  }
  return <Status tone="good">{t('available')}</Status>;
}
