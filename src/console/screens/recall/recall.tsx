import { useState } from 'preact/hooks';
import { Route, Switch, useLocation } from 'wouter-preact';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { Page } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { DrillPage, Drills } from './drills.js';
import { Report } from './report.js';
import { words } from './words.js';

/** `/recall?lot=CODE`, and `/recall/simulados/{id}` for drills. */
export default function Recall() {
  return (
    <Switch>
      <Route path="/recall">
        <Search />
      </Route>
      <Route path="/recall/simulados/:id">{({ id }) => <DrillPage key={id} id={id} />}</Route>
    </Switch>
  );
}

function Search() {
  const t = useWords(words);
  const [code] = useFilter('lot');
  const [drill] = useFilter('drill');
  if (code !== '') return <Report key={code} code={code} drillId={drill} />;
  return (
    <Page title={t('title')} lead={t('lead')}>
      <LotBox />
      <Drills />
    </Page>
  );
}

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
        if (typed.trim() !== '') go(`/recall?lot=${encodeURIComponent(typed.trim())}`);
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

