import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { DeliveryPage } from './delivery-page.js';
import { DestinationList } from './destination-list.js';
import { DestinationPage } from './destination-page.js';

/** Webhooks: `/webhooks`, `/webhooks/{id}` and `/webhooks/{id}/entregas/{deliveryId}`. */
export default function Webhooks() {
  return (
    <Switch>
      <Route path="/webhooks">
        <DestinationList />
      </Route>
      <Route path="/webhooks/:id">{({ id }) => <DestinationPage key={id} id={id} />}</Route>
      <Route path="/webhooks/:id/entregas/:deliveryId">
        {({ id, deliveryId }) => <DeliveryPage key={deliveryId} {...{ id, deliveryId }} />}
      </Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
