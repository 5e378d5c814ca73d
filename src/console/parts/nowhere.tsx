import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { LinkButton } from './button.js';
import { Page } from './page.js';
import { Empty } from './shown.js';

/** Where an address leads that shows nothing: what is in the way, and a way out. */
export function Nowhere({ reason }: { readonly reason: 'notFound' | 'notAllowed' | 'unexpected' }) {
  const t = useWords(frame);
  return (
    <Page title={t(reason)}>
      <Empty title="">
        <LinkButton href="/">{t('toStart')}</LinkButton>
      </Empty>
    </Page>
  );
}
