import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { Accountant } from './accountant.js';
import { Checks } from './checks.js';
import { DocumentList } from './document-list.js';
import { DocumentPage } from './document-page.js';

/** Fiscal documents: `/documentos`, the link to the authority, the month for the accountant, and `/documentos/{id}`. */
export default function Documents() {
  return (
    <Switch>
      <Route path="/documentos">
        <DocumentList />
      </Route>
      <Route path="/documentos/ligacao">
        <Checks />
      </Route>
      <Route path="/documentos/mes">
        <Accountant />
      </Route>
      <Route path="/documentos/:id">{({ id }) => <DocumentPage key={id} id={id} />}</Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
