import { whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';
import { Link } from '../../parts/link.js';

/** Says how many more there are than a short list shows, and leads to all of them. */
export function Rest({
  count,
  isMore = false,
  href,
}: {
  readonly count: number;
  /** Whether there are more than were counted. */
  readonly isMore?: boolean;
  readonly href: string;
}) {
  const t = useWords(words);
  if (count <= 0) return null;
  return (
    <p class="after-list">
      <Link href={href}>{t('rest', { n: count, count: `${whole(count)}${isMore ? '+' : ''}` })}</Link>
    </p>
  );
}

/** Leads to all of what stands under this title. */
export function SeeAll({ of, href }: { readonly of: string; readonly href: string }) {
  const t = useWords(words);
  return (
    <Link href={href} aria-label={`${t('seeAll')}: ${of}`}>
      {t('seeAll')}
    </Link>
  );
}
