import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { Permitted } from '../../parts/permitted.js';
import { CustomerList } from './customer-list.js';
import { CustomerPage } from './customer-page.js';
import { NewCustomer } from './new-customer.js';

/** Who buys: `/clientes`, `/clientes/novo` and `/clientes/{id}`. */
export default function Customers() {
  return (
    <Switch>
      <Route path="/clientes">
        <CustomerList />
      </Route>
      <Route path="/clientes/novo">
        <Permitted to="customers.manage">
          <NewCustomer />
        </Permitted>
      </Route>
      <Route path="/clientes/:id">{({ id }) => <CustomerPage key={id} id={id} />}</Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
