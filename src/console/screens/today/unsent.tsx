import { useMe } from '../../client/session.js';
import { Link } from '../../parts/link.js';
import { useWords } from '../../words/words.js';
import { isHeldUp, needsLook, outboxOf, useOutgoing } from '../till/outbox.js';
import { words as tillWords } from '../till/words.js';
import { words } from './words.js';

/** Sales of the till that are not booked, for who begins the day elsewhere: nobody else can know of them. */
export function Unsent() {
  const t = useWords(words);
  const told = useWords(tillWords);
  const { storeSlug, id } = useMe();
  const outgoing = useOutgoing(outboxOf(storeSlug, id));
  const waiting = outgoing.filter(isHeldUp).length;
  const unclear = outgoing.filter(needsLook).length;
  if (waiting + unclear === 0) return null;
  return (
    <div class="note warn" role="status">
      {unclear > 0 && <p>{told('refused', { n: unclear })}</p>}
      {waiting > 0 && <p>{told('waiting', { n: waiting })}</p>}
      <Link href="/caixa">{t('toTill')}</Link>
    </div>
  );
}
