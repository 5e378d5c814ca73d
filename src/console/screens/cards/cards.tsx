import { Route, Switch } from 'wouter-preact';
import { Machines } from './machines.js';
import { Month } from './month.js';
import { Tiers } from './tiers.js';

/** Card fees: `/taxas`, `/taxas/mes` and `/taxas/faixas`. */
export default function Cards() {
  return (
    <Switch>
      <Route path="/taxas">
        <Machines />
      </Route>
      <Route path="/taxas/mes">
        <Month />
      </Route>
      <Route path="/taxas/faixas">
        <Tiers />
      </Route>
    </Switch>
  );
}
