import { Section } from '../../parts/page.js';
import { percent, quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { RecallAnswer } from './recall-answer.js';
import { words } from './words.js';

const PARTS = [
  ['sold', 'soldNet', 'of-sold'],
  ['stock', 'inStock', 'of-stock'],
  ['consumed', 'consumed', 'of-consumed'],
  ['lost', 'lost', 'of-lost'],
  ['reversed', 'reversed', 'of-reversed'],
] as const;

type Balance = RecallAnswer['massBalances'][number];

/** Where all of it is, as one bar that adds up: the searched goods first, then what was made of them. */
export function Balances({ answer }: { readonly answer: RecallAnswer }) {
  const t = useWords(words);
  const matched = answer.massBalances.filter(({ kind }) => kind === 'MATCHED');
  const reached = answer.massBalances.filter(({ kind }) => kind === 'REACHED');
  return (
    <Section title={t('balance')}>
      <div class="stack">
        {matched.map((balance) => (
          <BalanceBar key={balance.variantId} balance={balance} />
        ))}
        {reached.length > 0 && (
          <details>
            <summary>
              {t('reached')} ({reached.length})
            </summary>
            <div class="stack">
              {reached.map((balance) => (
                <BalanceBar key={balance.variantId} balance={balance} />
              ))}
            </div>
          </details>
        )}
      </div>
    </Section>
  );
}

function BalanceBar({ balance }: { readonly balance: Balance }) {
  const t = useWords(words);
  const { description, unit, produced, accountedPercent } = balance;
  const shown = PARTS.map(([name, field, look]) => ({ name, look, value: balance[field] })).filter(
    ({ value }) => value > 0,
  );
  const total = Math.max(
    produced,
    shown.reduce((sum, { value }) => sum + value, 0),
  );
  return (
    <div class="balance">
      <p>
        <strong>{t('balanceOf', { name: description ?? '–', produced: quantity(produced, unit) })}</strong>{' '}
        <span class={accountedPercent >= 99.99 ? 'good-text' : 'warn-text'}>
          {t('accounted', { percent: percent(accountedPercent, 2) })}
        </span>
      </p>
      <div class="balance-bar" aria-hidden="true">
        {shown.map(({ name, look, value }) => (
          <span key={name} class={look} style={{ width: `${String((value / total) * 100)}%` }} />
        ))}
      </div>
      <ul class="balance-key">
        {shown.map(({ name, look, value }) => (
          <li key={name} class={look}>
            {quantity(value, unit)} {t(name)}
          </li>
        ))}
      </ul>
    </div>
  );
}
