import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { useFilter } from '../../parts/address.js';
import { Page } from '../../parts/page.js';
import { useWords } from '../../words/words.js';
import { DrillPage, Drills } from './drills.js';
import { Report } from './report.js';
import { words } from './words.js';
import { LotBox } from './lot-box.js';

/** `/recall?lot=CODE`, and `/recall/simulados/{id}` for drills. */
export default function Recall() {
  return (
    <Switch>
      <Route path="/recall">
        <Search />
      </Route>
      <Route path="/recall/simulados/:id">{({ id }) => <DrillPage key={id} id={id} />}</Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
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
