import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { Permitted } from '../../parts/permitted.js';
import { EditRecipe, NewRecipe } from './editor.js';
import { RecipeList } from './recipe-list.js';
import { RecipePage } from './recipe-page.js';

/** `/receitas`, a new one, one with its versions and costs, and its editor. */
export default function Recipes() {
  return (
    <Switch>
      <Route path="/receitas" component={RecipeList} />
      <Route path="/receitas/nova">
        <Permitted to="production.manage">
          <NewRecipe />
        </Permitted>
      </Route>
      <Route path="/receitas/:id/editar">
        {({ id }) => (
          <Permitted to="production.manage">
            <EditRecipe key={id} id={id} />
          </Permitted>
        )}
      </Route>
      <Route path="/receitas/:id/:view?">
        {({ id, view }) => <RecipePage key={id} id={id} view={view ?? 'formula'} />}
      </Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
