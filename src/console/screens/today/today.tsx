import { useMay } from '../../client/session.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { weekday } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { Failures } from './failures.js';
import { FirstSteps } from './first-steps.js';
import { OpenOrders, Suggestions } from './production.js';
import { SalesOfMonth } from './sales.js';
import { BelowZero, Blocked, Expiring } from './stock.js';
import { Unsent } from './unsent.js';
import { words } from './words.js';

/** Who has one of these finds something here. */
const SHOWN_TO = ['sales.view', 'production.view', 'stock.view', 'fiscal.view'] as const;

/** What an owner wants to know in the morning, in the order in which it can be acted on. */
export default function Today() {
  const t = useWords(words);
  const may = useMay();
  return (
    <Page title={t('title')} lead={weekday(new Date().toISOString())}>
      {!SHOWN_TO.some(may) && <Empty title={t('nothingToShow')} />}
      <Unsent />
      <div class="today">
        {may('store.manage') && may('sales.view') && <FirstSteps />}
        {may('sales.view') && <SalesOfMonth />}
        {may('production.view') && <OpenOrders />}
        {may('production.view') && <Suggestions />}
        {may('stock.view') && <Expiring />}
        {may('stock.view') && <BelowZero />}
        {may('stock.view') && <Blocked />}
        {may('fiscal.view') && <Failures />}
      </div>
    </Page>
  );
}
