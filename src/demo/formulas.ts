/** What the bakery of the demonstration makes, and how: a batch of each, by the SKUs of what goes in. */

type Input = readonly [sku: string, amount: number, more?: Readonly<Record<string, unknown>>];
type Stage = readonly [name: string, minutes: number, rate: number, workCenter?: string];

export interface DemoFormula {
  /** In the unit of the product. */
  readonly yieldQty: number;
  readonly expectedLossPercent: number;
  /** Quantities, or percents where there is a basis; those of packaging are quantities. */
  readonly inputs: readonly Input[];
  readonly percentBasis?: 'MASS' | 'VOLUME';
  readonly packaging?: readonly Input[];
  readonly stages: readonly Stage[];
  readonly byproducts?: readonly (readonly [sku: string, quantityPerBatch: number, costSharePercent: number])[];
}

export interface DemoRecipe {
  readonly sku: string;
  readonly name: string;
  readonly notes?: string;
  readonly formula: DemoFormula;
  /** Later versions, by what is different in them. */
  readonly versions?: readonly (Partial<DemoFormula> & { readonly reason: string })[];
  readonly draft?: Partial<DemoFormula> & { readonly reason: string };
}

const FLOUR = 'ING-001';
const WHOLE_FLOUR = 'ING-002';
const YEAST = 'ING-003';
const SUGAR = 'ING-005';
const SALT = 'ING-006';
const BUTTER = 'ING-007';
const MARGARINE = 'ING-008';
const MILK = 'ING-009';
const EGG = 'ING-010';
const OIL = 'ING-011';
const COCOA = 'ING-013';
const CONDENSED_MILK = 'ING-014';
const SOUR_STARCH = 'ING-015';
const WATER = 'ING-016';
const CRUMBS = 'ING-018';

const KNEADING: Stage = ['Amassar', 20, 28.5, 'Masseira'];
const BAKING: Stage = ['Assar', 25, 28.5, 'Forno'];

const FRENCH_BREAD: DemoRecipe = {
  sku: 'PAO-001',
  name: 'Pão Francês',
  notes: 'Água gelada no verão: a massa sai da masseira a 26 °C.',
  formula: {
    yieldQty: 16.4,
    expectedLossPercent: 14,
    inputs: [
      [FLOUR, 10],
      [WATER, 5.6],
      [YEAST, 0.4],
      [SALT, 0.2],
      [SUGAR, 0.1],
      [MARGARINE, 0.1],
    ],
    stages: [KNEADING, ['Modelar', 30, 24], ['Fermentar', 90, 0, 'Câmara'], BAKING],
  },
  versions: [
    {
      reason: 'Massa mais hidratada: casca mais fina e miolo mais leve',
      yieldQty: 16.6,
      inputs: [
        [FLOUR, 10],
        [WATER, 5.8],
        [YEAST, 0.4],
        [SALT, 0.2],
        [SUGAR, 0.1],
        [MARGARINE, 0.1],
      ],
    },
    {
      reason: 'Fermentação longa: menos fermento e mais sabor',
      yieldQty: 16.4,
      inputs: [
        [FLOUR, 10],
        [WATER, 5.8],
        [YEAST, 0.2],
        [SALT, 0.2],
        [SUGAR, 0.1],
        [MARGARINE, 0.1],
      ],
      stages: [KNEADING, ['Modelar', 30, 24], ['Fermentar', 180, 0, 'Câmara'], BAKING],
    },
  ],
  draft: {
    reason: 'Teste com um quinto de farinha integral',
    yieldQty: 16.7,
    inputs: [
      [FLOUR, 8],
      [WHOLE_FLOUR, 2],
      [WATER, 6.1],
      [YEAST, 0.2],
      [SALT, 0.2],
      [SUGAR, 0.1],
      [MARGARINE, 0.1],
    ],
  },
};

const SANDWICH_BREAD: DemoRecipe = {
  sku: 'FOR-001',
  name: 'Pão de Forma Tradicional',
  notes: 'Fórmula em porcentagem da massa: 40 formas de 500 g.',
  formula: {
    yieldQty: 40,
    expectedLossPercent: 10,
    percentBasis: 'MASS',
    inputs: [
      [FLOUR, 57],
      [WATER, 31, { densityKgPerL: 1 }],
      [SUGAR, 4],
      [MARGARINE, 4],
      [YEAST, 2],
      [SALT, 1],
      [OIL, 1, { densityKgPerL: 0.92 }],
    ],
    packaging: [['EMB-003', 36, { lossPercent: 2 }]],
    stages: [KNEADING, ['Enformar', 25, 24], ['Fermentar', 75, 0, 'Câmara'], BAKING, ['Fatiar e embalar', 40, 22]],
  },
};

const ITALIAN_BREAD: DemoRecipe = {
  sku: 'PAO-005',
  name: 'Pão Italiano',
  notes: 'Os pães fora do padrão viram farinha de rosca.',
  formula: {
    yieldQty: 30,
    expectedLossPercent: 4,
    inputs: [
      [FLOUR, 10.5],
      [WATER, 6.8],
      [SALT, 0.21],
      [YEAST, 0.08],
    ],
    stages: [KNEADING, ['Dobrar e descansar', 40, 24], ['Fermentar', 720, 0, 'Câmara fria'], BAKING],
    byproducts: [[CRUMBS, 0.5, 2]],
  },
};

const TOASTED_BREAD: DemoRecipe = {
  sku: 'SAL-007',
  name: 'Pão na Chapa com Manteiga',
  notes: 'Leva o pão francês da casa: 50 g cada.',
  formula: {
    yieldQty: 20,
    expectedLossPercent: 0,
    inputs: [
      ['PAO-001', 1, { lossPercent: 2 }],
      [BUTTER, 0.2],
    ],
    stages: [['Montar e chapear', 30, 22, 'Chapa']],
  },
};

const MILK_BREAD: DemoRecipe = {
  sku: 'PAO-003',
  name: 'Pão de Leite',
  formula: {
    yieldQty: 150,
    expectedLossPercent: 3,
    inputs: [
      [FLOUR, 5],
      [MILK, 2.2],
      [SUGAR, 0.9],
      [EGG, 10, { lossPercent: 3 }],
      [MARGARINE, 0.6],
      [YEAST, 0.2],
      [SALT, 0.07],
    ],
    stages: [KNEADING, ['Modelar', 45, 24], ['Fermentar', 100, 0, 'Câmara'], BAKING],
  },
};

const CHEESE_BREAD: DemoRecipe = {
  sku: 'PAO-009',
  name: 'Pão de Queijo',
  formula: {
    yieldQty: 10,
    expectedLossPercent: 15,
    inputs: [
      [SOUR_STARCH, 4],
      [MILK, 2],
      [OIL, 0.7],
      [EGG, 28, { lossPercent: 3 }],
      ['QUE-003', 4],
      [SALT, 0.06],
    ],
    stages: [['Escaldar e sovar', 35, 26], ['Boleiar', 40, 22], BAKING],
  },
};

const BRIGADEIRO: DemoRecipe = {
  sku: 'CHO-001',
  name: 'Brigadeiro',
  formula: {
    yieldQty: 100,
    expectedLossPercent: 5,
    inputs: [
      [CONDENSED_MILK, 1.975],
      [COCOA, 0.15],
      [BUTTER, 0.1],
    ],
    stages: [
      ['Cozinhar', 25, 26, 'Tacho'],
      ['Enrolar', 60, 22],
    ],
  },
};

const PUDDING: DemoRecipe = {
  sku: 'DOC-003',
  name: 'Pudim de Leite Condensado',
  formula: {
    yieldQty: 24,
    expectedLossPercent: 4,
    inputs: [
      [CONDENSED_MILK, 1.58],
      [MILK, 1.6],
      [EGG, 16, { lossPercent: 3 }],
      [SUGAR, 0.8],
    ],
    stages: [
      ['Caramelizar as formas', 20, 24],
      ['Bater e assar em banho-maria', 90, 12, 'Forno'],
      ['Gelar', 240, 0, 'Câmara fria'],
    ],
  },
};

/** What sells best first; what takes bread of the house comes after it. */
export const RECIPES: readonly DemoRecipe[] = [
  FRENCH_BREAD,
  MILK_BREAD,
  CHEESE_BREAD,
  TOASTED_BREAD,
  ITALIAN_BREAD,
  BRIGADEIRO,
  SANDWICH_BREAD,
  PUDDING,
];
