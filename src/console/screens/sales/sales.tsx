import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { SaleList } from './sale-list.js';
import { SalePage } from './sale-page.js';
import { SalesSummary } from './sales-summary.js';

/** What was sold: `/vendas`, `/vendas/resumo` and `/vendas/{id}`. */
export default function Sales() {
  return (
    <Switch>
      <Route path="/vendas">
        <SaleList />
      </Route>
      <Route path="/vendas/resumo">
        <SalesSummary />
      </Route>
      <Route path="/vendas/:id">{({ id }) => <SalePage key={id} id={id} />}</Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
