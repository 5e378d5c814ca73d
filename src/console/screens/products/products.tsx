import { Route, Switch } from 'wouter-preact';
import { Nowhere } from '../../parts/nowhere.js';
import { Permitted } from '../../parts/permitted.js';
import { ProductList } from './product-list.js';
import { NewProduct } from './new-product.js';
import { ProductPage } from './product-page.js';

/** The catalogue: `/produtos`, `/produtos/novo` and `/produtos/{id}`. */
export default function Products() {
  return (
    <Switch>
      <Route path="/produtos">
        <ProductList />
      </Route>
      <Route path="/produtos/novo">
        <Permitted to="products.manage">
          <NewProduct />
        </Permitted>
      </Route>
      <Route path="/produtos/:id">{({ id }) => <ProductPage key={id} id={id} />}</Route>
      <Route>
        <Nowhere reason="notFound" />
      </Route>
    </Switch>
  );
}
