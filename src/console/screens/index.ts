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
    path: 'produtos',
    name: ['Produtos', 'Products'],
    icon: 'products',
    group: 'goods',
    permission: 'products.view',
    load: () => import('./products/products.js'),
  },
];
