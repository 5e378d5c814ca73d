import { Tabs } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export function AuditTabs({ current }: { readonly current: 'events' | 'whole' }) {
  const t = useWords(words);
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={[
        { id: 'events', href: '/auditoria', label: t('events') },
        { id: 'whole', href: '/auditoria/inteira', label: t('whole') },
      ]}
    />
  );
}
