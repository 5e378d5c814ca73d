import type { DemoShelf } from './rows.js';
import { LOTS, OWN } from './rows.js';

/** What it buys to sell, and what it serves with it. */
export const RESOLD: readonly DemoShelf[] = [
  {
    category: 'Biscoitos e Bolachas',
    brand: 'Doce Lar',
    ncm: '19053100',
    products: [
      ['BIS-001', 'Biscoito Amanteigado 200 g', 'UN', 6.1, 12.9, { netWeightKg: '0.2', cest: '1705300' }],
      ['BIS-002', 'Rosquinha de Leite 300 g', 'UN', 4.3, 8.9, { netWeightKg: '0.3', cest: '1705300' }],
      ['BIS-003', 'Sequilho de Nata', 'KG', 22, 54.9, { brand: OWN, tags: ['Sem glúten'] }],
      [
        'BIS-004',
        'Biscoito de Polvilho 150 g',
        'UN',
        4.8,
        9.9,
        { netWeightKg: '0.15', ncm: '19059090', tags: ['Sem glúten', 'Vegano'] },
      ],
      [
        'BIS-005',
        'Suspiro 100 g',
        'UN',
        2.9,
        7.9,
        { brand: OWN, netWeightKg: '0.1', ncm: '17049090', tags: ['Sem glúten'], priceCredit: 0 },
      ],
    ],
  },
  {
    category: 'Frios e Embutidos',
    brand: null,
    ncm: '16010000',
    products: [
      ['FRI-001', 'Presunto Cozido Fatiado', 'KG', 26.9, 49.9, { ncm: '16024900', ...LOTS }],
      ['FRI-002', 'Mortadela Fatiada', 'KG', 15.9, 32.9, { cest: '1707600', ...LOTS }],
      ['FRI-003', 'Peito de Peru Fatiado', 'KG', 38.9, 72.9, { ncm: '16023100', ...LOTS }],
      ['FRI-004', 'Salame Italiano Fatiado', 'KG', 54.9, 98.9, { cest: '1707600', ...LOTS }],
    ],
  },
  {
    category: 'Queijos',
    brand: 'Laticínios da Serra',
    ncm: '04069020',
    products: [
      [
        'QUE-001',
        'Queijo Mussarela Fatiado',
        'KG',
        34.9,
        62.9,
        { ncm: '04061010', cest: '1702400', favorite: true, ...LOTS },
      ],
      ['QUE-002', 'Queijo Prato Fatiado', 'KG', 37.9, 66.9, { cest: '1702400', ...LOTS }],
      [
        'QUE-003',
        'Queijo Minas Frescal 500 g',
        'UN',
        14.9,
        26.9,
        { netWeightKg: '0.5', ncm: '04061090', cest: '1702400' },
      ],
      ['QUE-004', 'Requeijão Cremoso 200 g', 'UN', 5.6, 10.9, { netWeightKg: '0.2', ncm: '04063000', cest: '1702300' }],
    ],
  },
  {
    category: 'Leites e Laticínios',
    brand: 'Laticínios da Serra',
    ncm: '04012010',
    products: [
      [
        'LEI-001',
        'Leite Integral 1 L',
        'UN',
        4.3,
        6.9,
        { unitVolumeLiters: 1, netWeightKg: '1.03', cest: '1701600', ...LOTS },
      ],
      [
        'LEI-002',
        'Leite Desnatado Zero Lactose 1 L',
        'UN',
        5.2,
        8.5,
        { unitVolumeLiters: 1, ncm: '04011010', cest: '1701600', tags: ['Sem lactose'] },
      ],
      ['LEI-003', 'Iogurte de Morango 170 g', 'UN', 2.1, 4.5, { netWeightKg: '0.17', ncm: '04032000' }],
      ['LEI-004', 'Manteiga com Sal 200 g', 'UN', 9.4, 15.9, { netWeightKg: '0.2', ncm: '04051000', cest: '1702500' }],
      ['LEI-005', 'Doce de Leite 350 g', 'UN', 8.9, 17.9, { netWeightKg: '0.35', ncm: '19019020' }],
    ],
  },
  {
    category: 'Cafés',
    brand: 'Café do Vale',
    ncm: '09012100',
    products: [
      ['CAF-001', 'Café Espresso', 'UN', 1.3, 6, { brand: OWN, ncm: '21011200', favorite: true }],
      ['CAF-002', 'Café com Leite', 'UN', 1.9, 7.5, { brand: OWN, ncm: '21011200', favorite: true }],
      ['CAF-003', 'Cappuccino', 'UN', 2.8, 10.9, { brand: OWN, ncm: '21011200' }],
      ['CAF-004', 'Café Torrado e Moído 500 g', 'UN', 19.9, 32.9, { netWeightKg: '0.5', cest: '1709600', ...LOTS }],
      ['CAF-005', 'Café em Grãos Especial 250 g', 'UN', 21.9, 39.9, { netWeightKg: '0.25', priceCredit: 0 }],
      ['CAF-006', 'Chocolate Quente', 'UN', 2.9, 10.9, { brand: OWN, ncm: '18069000' }],
    ],
  },
  {
    category: 'Refrigerantes',
    brand: null,
    ncm: '22021000',
    products: [
      ['BEB-001', 'Refrigerante de Cola Lata 350 ml', 'UN', 2.6, 6, { unitVolumeLiters: 0.35, cest: '0301100' }],
      ['BEB-002', 'Guaraná Lata 350 ml', 'UN', 2.4, 6, { unitVolumeLiters: 0.35, cest: '0301100' }],
      ['BEB-003', 'Guaraná Garrafa 2 L', 'UN', 6.3, 11.9, { unitVolumeLiters: 2, cest: '0301100' }],
      [
        'BEB-004',
        'Suco de Laranja Natural 300 ml',
        'UN',
        3.2,
        9.9,
        { brand: OWN, unitVolumeLiters: 0.3, ncm: '20091200', tags: ['Vegano'] },
      ],
      ['BEB-005', 'Água Mineral sem Gás 500 ml', 'UN', 0.9, 3.5, { unitVolumeLiters: 0.5, ncm: '22011000' }],
    ],
  },
];
