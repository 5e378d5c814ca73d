import type { DemoShelf } from './rows.js';
import { LOTS, OWN } from './rows.js';

/** What it works with, a kit and its services. */
export const SUPPLIES: readonly DemoShelf[] = [
  {
    category: 'Ingredientes',
    brand: null,
    ncm: null,
    keepsDays: 45,
    products: [
      [
        'ING-001',
        'Farinha de Trigo Especial 25 kg',
        'KG',
        3.9,
        5.9,
        { brand: 'Moinho Dourado', ncm: '11010010', ...LOTS },
      ],
      [
        'ING-002',
        'Farinha de Trigo Integral',
        'KG',
        4.6,
        7.2,
        { brand: 'Moinho Dourado', ncm: '11010010', tags: ['Integral'], ...LOTS },
      ],
      ['ING-003', 'Fermento Biológico Fresco', 'KG', 13.5, 19.9, { ncm: '21021090', ...LOTS }],
      ['ING-004', 'Fermento Químico em Pó', 'KG', 16.9, 24.9, { ncm: '21023000' }],
      ['ING-005', 'Açúcar Refinado', 'KG', 3.7, 5.5, { ncm: '17019900', ...LOTS }],
      ['ING-006', 'Sal Refinado', 'KG', 1.6, 2.9, { ncm: '25010020' }],
      [
        'ING-007',
        'Manteiga sem Sal em Bloco',
        'KG',
        36.9,
        48.9,
        { brand: 'Laticínios da Serra', ncm: '04051000', ...LOTS },
      ],
      ['ING-008', 'Margarina Culinária', 'KG', 11.8, 16.9, { ncm: '15171000' }],
      [
        'ING-009',
        'Leite Integral a Granel',
        'L',
        3.8,
        5.5,
        { brand: 'Laticínios da Serra', ncm: '04012090', unitVolumeLiters: 1, ...LOTS },
      ],
      ['ING-010', 'Ovo Branco Grande', 'UN', 0.62, 1, { ncm: '04072100', netWeightKg: '0.055', ...LOTS }],
      ['ING-011', 'Óleo de Soja', 'L', 6.4, 8.9, { ncm: '15079011', unitVolumeLiters: 1 }],
      ['ING-012', 'Chocolate Meio Amargo para Cobertura', 'KG', 38.9, 54.9, { ncm: '18062000', ...LOTS }],
      ['ING-013', 'Cacau em Pó', 'KG', 44.9, 62.9, { ncm: '18050000' }],
      ['ING-014', 'Leite Condensado', 'KG', 13.4, 18.9, { ncm: '04029900', ...LOTS }],
      ['ING-015', 'Polvilho Azedo', 'KG', 9.2, 13.9, { ncm: '11081400' }],
      ['ING-016', 'Água Filtrada', 'L', 0.01, 0.01, { ncm: '22019000', unitVolumeLiters: 1 }],
      ['ING-017', 'Creme Vegetal de Baunilha', 'KG', null, 29.9, { ncm: null }],
      ['ING-018', 'Farinha de Rosca', 'KG', 4.2, 9.9, { brand: OWN, ncm: '19054000' }],
    ],
  },
  {
    category: 'Embalagens',
    brand: null,
    ncm: '48194000',
    keepsDays: 720,
    products: [
      ['EMB-001', 'Saco Kraft para Pão', 'UN', 0.12, 0.3],
      ['EMB-002', 'Caixa para Bolo 30 cm', 'UN', 2.9, 5.9, { ncm: '48192000' }],
      ['EMB-003', 'Saco Plástico para Pão de Forma', 'UN', 0.18, 0.4, { ncm: '39232190' }],
    ],
  },
  {
    category: null,
    brand: null,
    ncm: '21069090',
    keepsDays: 2,
    products: [
      [
        ...(['KIT-001', 'Café da Manhã para Dois', 'UN', 19.5, 44.9] as const),
        {
          catalogDescription: 'Dois cafés com leite, quatro pães de leite, manteiga, presunto e mussarela.',
          favorite: true,
          parts: [
            ['CAF-002', 2],
            ['PAO-003', 4],
            ['LEI-004', 1],
            ['FRI-001', 0.1],
            ['QUE-001', 0.1],
          ],
        },
      ],
      [
        'SER-001',
        'Buffet de Café da Manhã para Eventos (por pessoa)',
        'UN',
        null,
        45,
        { service: ['17.11', '103033200', 5] },
      ],
      ['SER-002', 'Entrega no Bairro', 'UN', null, 8, { service: ['26.01', '105011100', 3] }],
    ],
  },
];
