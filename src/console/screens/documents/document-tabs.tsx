import { Tabs } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export function DocumentTabs({ current }: { readonly current: 'list' | 'connection' | 'month' }) {
  const t = useWords(words);
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={[
        { id: 'list', href: '/documentos', label: t('list') },
        { id: 'connection', href: '/documentos/ligacao', label: t('connection') },
        { id: 'month', href: '/documentos/mes', label: t('accountant') },
      ]}
    />
  );
}
