import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { Permitted } from '../../parts/permitted.js';
import { Board } from './board.js';
import { OrderList } from './order-list.js';
import { OrderPage } from './order-page.js';
import { PlanOrder } from './plan-order.js';

/** `/producao`: the board, all orders, a plan, one order. */
export default function Production() {
  return (
    <Switch>
      <Route path="/producao" component={Board} />
      <Route path="/producao/ordens" component={OrderList} />
      <Route path="/producao/planejar">
        <Permitted to="production.manage">
          <PlanOrder />
        </Permitted>
      </Route>
      <Route path="/producao/:id">{({ id }) => <OrderPage key={id} id={id} />}</Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
