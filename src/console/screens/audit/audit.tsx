import { Route, Switch } from 'wouter-preact';
import type { Kind } from '../../client/queries.js';
import { Nowhere } from '../../parts/nowhere.js';
import { EventList } from './event-list.js';
import { RecordHistory } from './record-history.js';
import { Wholeness } from './wholeness.js';

/** The history: `/auditoria`, `/auditoria/inteira` and `/auditoria/{kind}/{id}`. */
export default function Audit() {
  return (
    <Switch>
      <Route path="/auditoria">
        <EventList />
      </Route>
      <Route path="/auditoria/inteira">
        <Wholeness />
      </Route>
      <Route path="/auditoria/:kind/:id">
        {({ kind, id }) => <RecordHistory key={`${kind}/${id}`} kind={kind as Kind} id={id} />}
      </Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
