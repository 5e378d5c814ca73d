import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Button } from '../../parts/button.js';
import { lotCodeOf } from '../../values/gs1.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

/** One large box: in a hurry there is nothing else to look for. */
export function LotBox() {
  const t = useWords(words);
  const [typed, setTyped] = useState('');
  const [, go] = useLocation();
  return (
    <form
      class="recall-box"
      onSubmit={(event) => {
        event.preventDefault();
        const code = lotCodeOf(typed);
        if (code !== '') go(`/recall?lot=${encodeURIComponent(code)}`);
      }}
    >
      <div class="field">
        <label for="lot-code">{t('code')}</label>
        <input
          id="lot-code"
          autofocus
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
          }}
        />
      </div>
      <Button type="submit" look="main">
        {t('search')}
      </Button>
    </form>
  );
}
