import type { Screen } from './screen.js';

/** All screens, in the order of the navigation. */
export const screens: readonly Screen[] = [
  {
    path: 'hoje',
    name: ['Hoje', 'Today'],
    icon: 'today',
    group: 'daily',
    load: () => import('./today/today.js'),
  },
  {
    path: 'producao',
    name: ['Produção', 'Production'],
    icon: 'production',
    group: 'daily',
    permission: 'production.view',
    load: () => import('./production/production.js'),
  },
  {
    path: 'estoque',
    name: ['Estoque', 'Stock'],
    icon: 'stock',
    group: 'daily',
    permission: 'stock.view',
    load: () => import('./stock/stock.js'),
  },
  {
    path: 'recall',
    name: ['Recall', 'Recall'],
    icon: 'recall',
    group: 'safety',
    permission: 'reports.view',
    load: () => import('./recall/recall.js'),
  },
  {
    path: 'produtos',
    name: ['Produtos', 'Products'],
    icon: 'products',
    group: 'goods',
    permission: 'products.view',
    load: () => import('./products/products.js'),
  },
  {
    path: 'caixa',
    name: ['Caixa', 'Till'],
    icon: 'till',
    group: 'selling',
    permission: 'sales.manage',
    load: () => import('./till/till.js'),
  },
  {
    path: 'vendas',
    name: ['Vendas', 'Sales'],
    icon: 'sales',
    group: 'selling',
    permission: 'sales.view',
    load: () => import('./sales/sales.js'),
  },
];
