import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import type { Permission } from '../../client/session.js';
import { useMay } from '../../client/session.js';
import { Link } from '../../parts/link.js';
import { Section } from '../../parts/page.js';
import { Loading } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

interface Step {
  readonly name:
    'stepStore' | 'stepProducts' | 'stepReceipt' | 'stepRecipes' | 'stepPeople' | 'stepCards' | 'stepFiscal';
  readonly href: string;
  readonly permission: Permission;
  readonly isDone: boolean;
}

const ONE = { limit: 1 } as const;

async function hasSold(signal: AbortSignal): Promise<boolean> {
  return (await body(api.GET('/sales', { params: { query: ONE }, signal }))).items.length > 0;
}

async function findSteps(may: (permission: Permission) => boolean, signal: AbortSignal): Promise<readonly Step[]> {
  if (await hasSold(signal)) return [];
  const when = <T,>(permission: Permission, read: () => Promise<T>) => (may(permission) ? read() : undefined);
  const [store, products, receipts, recipes, people, cards] = await Promise.all([
    body(api.GET('/store', { signal })),
    when('products.view', () => body(api.GET('/products', { params: { query: { take: 1 } }, signal }))),
    when('stock.view', () => body(api.GET('/stock/receipts', { params: { query: ONE }, signal }))),
    when('production.view', () => body(api.GET('/bakery-production/recipes', { signal }))),
    when('users.manage', () => body(api.GET('/users', { params: { query: { limit: 2 } }, signal }))),
    when('cardFees.view', () => body(api.GET('/card-fees', { signal }))),
  ]);
  const isBaking = store.modules.production && store.segment !== 'RETAIL';
  const steps: readonly (Step | false)[] = [
    {
      name: 'stepStore',
      href: '/configuracoes/loja',
      permission: 'store.manage',
      isDone: store.taxId !== null,
    },
    {
      name: 'stepProducts',
      href: '/produtos/novo',
      permission: 'products.manage',
      isDone: (products?.total ?? 0) > 0,
    },
    {
      name: 'stepReceipt',
      href: '/estoque/entradas/nova',
      permission: 'stock.manage',
      isDone: (receipts?.items.length ?? 0) > 0,
    },
    isBaking && {
      name: 'stepRecipes',
      href: '/receitas/nova',
      permission: 'production.manage',
      isDone: (recipes?.length ?? 0) > 0,
    },
    {
      name: 'stepPeople',
      href: '/configuracoes/pessoas',
      permission: 'users.manage',
      isDone: (people?.items.length ?? 0) > 1,
    },
    {
      name: 'stepCards',
      href: '/taxas',
      permission: 'cardFees.manage',
      isDone: (cards?.accounts.length ?? 0) > 0,
    },
    {
      name: 'stepFiscal',
      href: '/configuracoes/fiscal',
      permission: 'store.manage',
      isDone: store.fiscal.address !== null,
    },
  ];
  return steps.filter((step) => step !== false).filter(({ permission }) => may(permission));
}

/** What a new store needs before its first sale, in an order that works; gone when something was sold. */
export function FirstSteps() {
  const t = useWords(words);
  const may = useMay();
  const steps = useRead({
    key: ['today', 'first-steps'],
    kinds: ['store', 'product', 'lot', 'recipe', 'user', 'cardAccount', 'sale'],
    read: (signal) => findSteps(may, signal),
  });
  if (steps.isPending) return <Loading fillsView />;
  if (!steps.data || steps.data.length === 0) return null;
  return (
    <Section title={t('firstSteps')} actions={may('sales.manage') && <Link href="/caixa">{t('toTill')}</Link>}>
      <ol class="agenda">
        {steps.data.map(({ name, href, isDone }) => (
          <li key={name}>
            <Link href={href}>{t(name)}</Link>
            <Status tone={isDone ? 'good' : 'calm'}>{isDone ? t('stepDone') : t('stepOpen')}</Status>
          </li>
        ))}
      </ol>
    </Section>
  );
}
