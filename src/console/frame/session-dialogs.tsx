import { api, body } from '../client/api.js';
import { useLookingAgain } from '../client/looking-again.js';
import { useCommand } from '../client/queries.js';
import { setSession, useMe, usePasswordInDoubt } from '../client/session.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { ProblemNote } from '../parts/problem-note.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { SignIn } from './sign-in.js';

/** The session ended at work: the page stays as it is behind this, and goes on with the same person in the same store. */
export function LostSession() {
  const t = useWords(frame);
  const me = useMe();
  const isPasswordInDoubt = usePasswordInDoubt();
  // Another tab may have signed the same person in again: whoever comes back to this one goes on.
  useLookingAgain();
  return (
    <Dialog title={t('lostTitle')}>
      <div class="stack">
        <p>{t(isPasswordInDoubt ? 'lostPassword' : 'lostLead')}</p>
        <SignIn person={me}>
          {(title, step, isFirst) => (
            <>
              {!isFirst && <h3>{title}</h3>}
              {step}
            </>
          )}
        </SignIn>
        <Button
          look="quiet"
          onClick={() => {
            // With the page goes what waits: it is this person's work.
            setSession({ kind: 'none' });
            location.reload();
          }}
        >
          {t('otherUser')}
        </Button>
      </div>
    </Dialog>
  );
}

export function SwitchedStore() {
  const t = useWords(frame);
  const me = useMe();
  const back = useCommand({
    send: () => body(api.POST('/auth/switch-store', { body: { storeSlug: me.storeSlug } })),
    onDone({ user }) {
      setSession({ kind: 'signed-in', me: user });
    },
  });
  return (
    <Dialog title={t('switchedTitle')}>
      <div class="stack">
        <p>{t('switchedLead', { here: me.storeSlug })}</p>
        <ProblemNote error={back.error} />
        <div class="form-foot">
          <Button
            look="main"
            busy={back.isPending}
            onClick={() => {
              back.mutate();
            }}
          >
            {t('switchBack', { here: me.storeSlug })}
          </Button>
          <Button
            onClick={() => {
              location.reload();
            }}
          >
            {t('reload')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
