import { Route, Switch, useLocation } from 'wouter-preact';
import { useMay } from '../../client/session.js';
import { LinkButton } from '../../parts/button.js';
import { Nowhere } from '../../parts/nowhere.js';
import { Page, Tabs } from '../../parts/page.js';
import { Permitted } from '../../parts/permitted.js';
import { useWords } from '../../words/words.js';
import { Balances } from './balances.js';
import { Count } from './count.js';
import { Ledger } from './ledger.js';
import { LotPage } from './lot-page.js';
import { Lots } from './lots.js';
import { NewAdjustment, NewReceipt, NewTransfer } from './new-records.js';
import { Places } from './places.js';
import { Adjustments, ReceiptPage, Receipts, Transfers } from './records.js';
import { ValuationView } from './valuation.js';
import { words } from './words.js';

/** `/estoque` and what lies below it: balances, lots, movements, and what was booked. */
export default function Stock() {
  return (
    <Switch>
      <Route path="/estoque/lote/:id">{({ id }) => <LotPage key={id} id={id} />}</Route>
      <Route path="/estoque/entradas/nova">
        <Permitted to="stock.manage">
          <NewReceipt />
        </Permitted>
      </Route>
      <Route path="/estoque/entradas/:id">{({ id }) => <ReceiptPage key={id} id={id} />}</Route>
      <Route path="/estoque/ajustes/novo">
        <Permitted to="stock.manage">
          <NewAdjustment />
        </Permitted>
      </Route>
      <Route path="/estoque/transferencias/nova">
        <Permitted to="stock.manage">
          <NewTransfer />
        </Permitted>
      </Route>
      <Route>
        <Views />
      </Route>
    </Switch>
  );
}

const VIEWS = [
  ['/estoque', 'balances', Balances],
  ['/estoque/lotes', 'lots', Lots],
  ['/estoque/movimentos', 'ledger', Ledger],
  ['/estoque/entradas', 'receipts', Receipts],
  ['/estoque/ajustes', 'adjustments', Adjustments],
  ['/estoque/transferencias', 'transfers', Transfers],
  ['/estoque/contagem', 'count', Count],
  ['/estoque/valor', 'valuation', ValuationView],
  ['/estoque/locais', 'places', Places],
] as const;

function Views() {
  const t = useWords(words);
  const may = useMay();
  const [place] = useLocation();
  const view = VIEWS.find(([path]) => path === place.replace(/\/$/, ''));
  if (!view) return <Nowhere reason="notFound" />;
  const [, current, View] = view;
  if (current === 'count' && !may('stock.manage')) return <Nowhere reason="notAllowed" />;
  return (
    <Page
      title={t('title')}
      actions={
        may('stock.manage') && (
          <>
            <LinkButton href="/estoque/entradas/nova" look="main" icon="plus">
              {t('newReceipt')}
            </LinkButton>
            <LinkButton href="/estoque/ajustes/novo">{t('newAdjustment')}</LinkButton>
            <LinkButton href="/estoque/transferencias/nova">{t('newTransfer')}</LinkButton>
          </>
        )
      }
    >
      <Tabs
        label={t('views')}
        current={current}
        tabs={VIEWS.filter(([, id]) => id !== 'count' || may('stock.manage')).map(([href, id]) => ({
          href,
          id,
          label: t(id),
        }))}
      />
      <View />
    </Page>
  );
}
