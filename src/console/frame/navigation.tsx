import { Link, useLocation } from 'wouter-preact';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import type { Group, Screen } from '../screens/screen.js';
import { frame } from '../words/frame.js';
import { say, useWords } from '../words/words.js';
import { useOpenHere } from './open-here.js';

const GROUPS: readonly (readonly [Group, keyof typeof frame])[] = [
  ['daily', 'groupDaily'],
  ['safety', 'groupSafety'],
  ['goods', 'groupGoods'],
  ['selling', 'groupSelling'],
  ['proof', 'groupProof'],
  ['store', 'groupStore'],
];

/** How many screens stand at the bottom of a phone; the others are behind one more. */
const AT_HAND = 4;

function NavigationLink({ screen, onFollow }: { readonly screen: Screen; readonly onFollow?: () => void }) {
  const [place] = useLocation();
  const isHere = place === `/${screen.path}` || place.startsWith(`/${screen.path}/`);
  return (
    <Link href={`/${screen.path}`} aria-current={isHere ? 'page' : undefined} onClick={() => onFollow?.()}>
      <Icon name={screen.icon} />
      <span>{say(screen.name)}</span>
    </Link>
  );
}

function Groups({ screens, onFollow }: { readonly screens: readonly Screen[]; readonly onFollow?: () => void }) {
  const t = useWords(frame);
  return (
    <>
      {GROUPS.map(([group, name]) => {
        const members = screens.filter((screen) => screen.group === group);
        if (members.length === 0) return null;
        return (
          <section key={group} class="nav-group">
            <h2>{t(name)}</h2>
            <ul>
              {members.map((screen) => (
                <li key={screen.path}>
                  <NavigationLink screen={screen} {...(onFollow ? { onFollow } : {})} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** Beside the content where there is room; at the bottom of a phone. */
export function Navigation({ screens }: { readonly screens: readonly Screen[] }) {
  const t = useWords(frame);
  const [isOpen, setOpen] = useOpenHere();
  return (
    <>
      <nav class="side no-print" aria-label={t('navigation')}>
        <Groups screens={screens} />
      </nav>
      <nav class="bottom no-print" aria-label={t('navigation')}>
        {screens.slice(0, AT_HAND).map((screen) => (
          <NavigationLink key={screen.path} screen={screen} />
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => {
            setOpen(true);
          }}
        >
          <Icon name="more" />
          <span>{t('more')}</span>
        </button>
      </nav>
      {isOpen && (
        <Dialog
          title={t('navigation')}
          onClose={() => {
            setOpen(false);
          }}
        >
          <nav class="sheet" aria-label={t('navigation')}>
            <Groups
              screens={screens}
              onFollow={() => {
                setOpen(false);
              }}
            />
          </nav>
        </Dialog>
      )}
    </>
  );
}
