import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

/** A secret, the one time that it can be seen: it is left only by saying that it is stored. */
export function SecretShown({ secret, onStored }: { readonly secret: string; readonly onStored: () => void }) {
  const t = useWords(words);
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title={t('secret')}>
      <div class="stack">
        <p>{t('secretLead')}</p>
        <p class="secret">
          <code>{secret}</code>
        </p>
        <div class="row">
          <Button
            look="main"
            onClick={() => {
              void navigator.clipboard.writeText(secret).then(() => {
                setCopied(true);
              });
            }}
          >
            {t(isCopied ? 'copied' : 'copy')}
          </Button>
          <Button onClick={onStored}>{t('stored')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
