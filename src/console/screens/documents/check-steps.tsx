import type { components } from 'openapi-client';
import type { ComponentChildren } from 'preact';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { checkWords } from './check-words.js';

type Check = components['schemas']['FiscalStatus']['checks'][number];

const ADVICE = {
  certificate: 'certificateDo',
  chain: 'chainDo',
  address: 'addressDo',
  service: 'serviceDo',
  clock: 'clockDo',
  registration: 'registrationDo',
} as const;

/** The steps on the way to the authority, and what is in the way of each. */
export function CheckSteps({
  checks,
  wayOut,
}: {
  readonly checks: readonly Check[];
  /** Where it is mended, beside what to do about it. */
  readonly wayOut?: (name: Check['name']) => ComponentChildren;
}) {
  const t = useWords(checkWords);
  return (
    <ol class="steps">
      {checks.map(({ name, ok, tried, detail }) => (
        <li key={name} class={ok ? 'well' : tried ? 'amiss' : 'untried'}>
          <span class="step-name">{t(name)}</span>
          {tried ? (
            <Status tone={ok ? 'good' : 'bad'}>{ok ? t('ok') : t('notOk')}</Status>
          ) : (
            <Status tone="calm">{t('notTried')}</Status>
          )}
          <span class="fine step-more">{detail}</span>
          {!ok && tried && (
            <span class="step-more">
              {t(ADVICE[name])} {wayOut?.(name)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
