import { useState } from 'preact/hooks';
import { SelectField } from '../../parts/fields.js';
import { Section } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { samples } from './samples.js';
import { words } from './words.js';

/** What the other system does with a delivery before it believes it. */
export function Verifying() {
  const t = useWords(words);
  const [spoken, setSpoken] = useState(samples[0]?.[0] ?? '');
  const code = samples.find(([language]) => language === spoken)?.[1];
  return (
    <Section title={t('verify')}>
      <div class="checks">
        <p>{t('verifyLead')}</p>
        <div class="filters">
          <SelectField
            label={t('languageOfCode')}
            required
            value={spoken}
            onValue={setSpoken}
            choices={samples.map(([language]) => ({ value: language, label: language }))}
          />
        </div>
        <pre class="code" tabIndex={0} role="region" aria-label={t('verify')}>
          {code}
        </pre>
      </div>
    </Section>
  );
}
