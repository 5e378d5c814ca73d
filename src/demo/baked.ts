import type { DemoShelf } from './rows.js';
import { LOTS, MORNING, OWN } from './rows.js';

/** What the bakery makes itself. */
export const BAKED: readonly DemoShelf[] = [
  {
    category: 'Pães',
    brand: OWN,
    ncm: '19059090',
    products: [
      ['PAO-001', 'Pão Francês', 'KG', 8.4, 18.9, { tags: [MORNING], favorite: true, controlsLots: true }],
      ['PAO-002', 'Pão Francês Integral', 'KG', 9.8, 22.9, { tags: [MORNING, 'Integral'] }],
      ['PAO-003', 'Pão de Leite', 'UN', 0.9, 2.5, { netWeightKg: '0.06', tags: [MORNING] }],
      ['PAO-004', 'Pão de Batata', 'UN', 1.6, 4.5, { netWeightKg: '0.08' }],
      ['PAO-005', 'Pão Italiano', 'UN', 6.2, 16.9, { netWeightKg: '0.5', tags: ['Vegano'] }],
      ['PAO-006', 'Pão Australiano', 'UN', 5.9, 15.9, { netWeightKg: '0.4' }],
      ['PAO-007', 'Baguete', 'UN', 3.1, 8.9, { netWeightKg: '0.3', tags: [MORNING, 'Vegano'] }],
      ['PAO-008', 'Ciabatta', 'UN', 2.8, 7.9, { netWeightKg: '0.2', tags: ['Vegano'] }],
      ['PAO-009', 'Pão de Queijo', 'KG', 21.5, 54.9, { tags: [MORNING, 'Sem glúten'], favorite: true }],
      ['PAO-010', 'Broa de Milho', 'UN', 1.4, 3.9, { netWeightKg: '0.1' }],
      ['PAO-011', 'Croissant de Manteiga', 'UN', 3.4, 9.5, { netWeightKg: '0.08', tags: [MORNING] }],
      ['PAO-012', 'Rosca de Coco', 'UN', 6.8, 18.9, { netWeightKg: '0.45' }],
    ],
  },
  {
    category: 'Pão de Forma',
    brand: OWN,
    ncm: '19059010',
    products: [
      ['FOR-001', 'Pão de Forma Tradicional 500 g', 'UN', 4.6, 11.9, { netWeightKg: '0.5', cest: '1706000', ...LOTS }],
      [
        'FOR-002',
        'Pão de Forma Integral 500 g',
        'UN',
        5.4,
        13.9,
        { netWeightKg: '0.5', tags: ['Integral'], cest: '1706000' },
      ],
      [
        'FOR-003',
        'Pão de Forma Sem Glúten 350 g',
        'UN',
        9.8,
        24.9,
        { netWeightKg: '0.35', tags: ['Sem glúten', 'Sem lactose'], cest: '1706000' },
      ],
    ],
  },
  {
    category: 'Bolos e Tortas',
    brand: OWN,
    ncm: '19059090',
    products: [
      ['BOL-001', 'Bolo de Cenoura com Chocolate', 'UN', 14.5, 38.9, { netWeightKg: '0.9', favorite: true }],
      ['BOL-002', 'Bolo de Fubá Cremoso', 'UN', 11.2, 29.9, { netWeightKg: '0.8' }],
      ['BOL-003', 'Bolo de Laranja', 'UN', 10.9, 28.9, { netWeightKg: '0.8', tags: ['Sem lactose'] }],
      [
        ...(['BOL-004', 'Bolo de Aniversário de Morango', 'UN', 48, 119.9] as const),
        {
          catalogDescription:
            'Massa branca, creme de baunilha e morangos frescos; sob encomenda de um dia para o outro.',
          sizes: [
            ['Pequeno (10 fatias)', 'BOL-004-P', '1.2'],
            ['Médio (20 fatias)', 'BOL-004-M', '2.2'],
            ['Grande (40 fatias)', 'BOL-004-G', '4.2'],
          ],
        },
      ],
      ['BOL-005', 'Torta de Frango', 'KG', 24, 62.9],
      ['BOL-006', 'Torta de Limão', 'KG', 27, 69.9],
      [
        'BOL-007',
        'Panetone de Frutas 500 g',
        'UN',
        13.9,
        36.9,
        { netWeightKg: '0.5', ncm: '19052010', cest: '1705200', inactive: true },
      ],
    ],
  },
  {
    category: 'Salgados Assados e Fritos',
    brand: OWN,
    ncm: '19059090',
    products: [
      ['SAL-001', 'Coxinha de Frango', 'UN', 2.6, 7.5, { netWeightKg: '0.12', favorite: true }],
      ['SAL-002', 'Esfiha de Carne', 'UN', 2.4, 6.9, { netWeightKg: '0.09' }],
      ['SAL-003', 'Empada de Palmito', 'UN', 2.9, 7.9, { netWeightKg: '0.09' }],
      ['SAL-004', 'Enroladinho de Salsicha', 'UN', 2.2, 6.5, { netWeightKg: '0.1' }],
      ['SAL-005', 'Pastel de Forno de Queijo', 'UN', 2.7, 7.5, { netWeightKg: '0.1' }],
      ['SAL-006', 'Misto Quente', 'UN', 4.1, 11.9, { ncm: '21069090' }],
      ['SAL-007', 'Pão na Chapa com Manteiga', 'UN', 1.5, 5.5, { ncm: '21069090', tags: [MORNING] }],
      ['SAL-008', 'Cento de Salgadinhos de Festa', 'CX', 38, 98, { netWeightKg: '2' }],
    ],
  },
  {
    category: 'Doces e Sobremesas',
    brand: OWN,
    ncm: '17049090',
    products: [
      ['DOC-001', 'Sonho de Creme', 'UN', 2.7, 7.9, { netWeightKg: '0.11', ncm: '19059090', favorite: true }],
      ['DOC-002', 'Carolina de Doce de Leite', 'UN', 1.1, 3.5, { netWeightKg: '0.03', ncm: '19059090' }],
      [
        'DOC-003',
        'Pudim de Leite Condensado',
        'UN',
        3.6,
        9.9,
        { netWeightKg: '0.13', ncm: '19019090', tags: ['Sem glúten'] },
      ],
      ['DOC-004', 'Quindim', 'UN', 2.6, 7.5, { netWeightKg: '0.08', tags: ['Sem glúten', 'Sem lactose'] }],
      ['DOC-005', 'Beijinho', 'UN', 0.8, 2.5, { netWeightKg: '0.02' }],
      [
        'DOC-006',
        'Goiabada Cascão 400 g',
        'UN',
        7.9,
        15.9,
        { brand: 'Doce Lar', netWeightKg: '0.4', ncm: '20079990', tags: ['Vegano'] },
      ],
    ],
  },
  {
    category: 'Chocolates e Bombons',
    brand: OWN,
    ncm: '18069000',
    products: [
      ['CHO-001', 'Brigadeiro', 'UN', 0.9, 2.8, { netWeightKg: '0.02', tags: ['Sem glúten'], favorite: true }],
      ['CHO-002', 'Pão de Mel', 'UN', 2.8, 7.9, { netWeightKg: '0.07' }],
      ['CHO-003', 'Bombom de Morango', 'UN', 2.4, 6.9, { netWeightKg: '0.04' }],
      [
        'CHO-004',
        'Barra de Chocolate ao Leite 90 g',
        'UN',
        5.2,
        9.9,
        { brand: 'Doce Lar', netWeightKg: '0.09', ncm: '18063210', cest: '1700300' },
      ],
    ],
  },
];
