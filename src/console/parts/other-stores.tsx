import { useStores, useSwitchStore } from '../client/stores.js';
import { useMe } from '../client/session.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { ProblemNote } from './problem-note.js';

/** What is not in this store may be in another one of who looks for it: a link says nothing of stores. */
export function OtherStores() {
  const t = useWords(frame);
  const me = useMe();
  const stores = useStores();
  const switchStore = useSwitchStore();
  const others = stores.data?.filter(({ slug }) => slug !== me.storeSlug) ?? [];
  if (others.length === 0) return null;
  return (
    <>
      <p>{t('inOtherStore')}</p>
      <ProblemNote error={switchStore.error} />
      <div class="row">
        {others.map(({ slug, name }) => (
          <Button
            key={slug}
            busy={switchStore.isPending && switchStore.variables === slug}
            onClick={() => {
              switchStore.mutate(slug);
            }}
          >
            {t('openIn', { store: name })}
          </Button>
        ))}
      </div>
    </>
  );
}
