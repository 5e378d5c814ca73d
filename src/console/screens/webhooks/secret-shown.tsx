import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

/**
 * A secret, the one time that it can be seen: it is left only by saying that it is stored. The page shows it, and not the
 * dialog that asked for it, which may be closed before the answer comes.
 */
export function SecretShown({ secret, onStored }: { readonly secret: string; readonly onStored: () => void }) {
  const t = useWords(words);
  return (
    <Dialog title={t('secret')}>
      <div class="stack">
        <p>{t('secretLead')}</p>
        <ShownOnce label={t('secret')} value={secret} />
        <div class="form-foot">
          <Button look="main" onClick={onStored}>
            {t('stored')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
