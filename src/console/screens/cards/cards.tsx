import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { CardBrands } from './brands.js';
import { Machines } from './machines.js';
import { Month } from './month.js';
import { Tiers } from './tiers.js';

/** Card fees: `/taxas`, `/taxas/bandeiras`, `/taxas/mes` and `/taxas/faixas`. */
export default function Cards() {
  return (
    <Switch>
      <Route path="/taxas">
        <Machines />
      </Route>
      <Route path="/taxas/bandeiras">
        <CardBrands />
      </Route>
      <Route path="/taxas/mes">
        <Month />
      </Route>
      <Route path="/taxas/faixas">
        <Tiers />
      </Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
