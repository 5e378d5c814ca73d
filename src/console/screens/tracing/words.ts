import type { Catalogue } from '../../words/words.js';

export const words = {
  title: ['Rastreio', 'Tracing'],
  lead: ['De onde veio um lote, e para onde foi.', 'Where a lot came from, and where it went.'],
  lot: ['Código do lote', 'Lot code'],
  show: ['Rastrear', 'Trace'],
  direction: ['Direção', 'Direction'],
  backward: ['De onde veio', 'Where it came from'],
  forward: ['Para onde foi', 'Where it went'],
  depth: ['Níveis', 'Levels'],
  allLevels: ['Todos', 'All'],
  level: ['{count} nível|{count} níveis', '{count} level|{count} levels'],
  unknown: ['Nenhum lote tem o código {code}.', 'No lot has the code {code}.'],
  orders: ['Ordens no caminho', 'Orders on the way'],
  noOrders: [
    'Nenhuma ordem: este lote não foi feito nem usado aqui.',
    'No orders: this lot was neither made nor used here.',
  ],
  recipe: ['Receita', 'Recipe'],
  number: ['Ordem', 'Order'],
  when: ['Concluída em', 'Completed on'],
  output: ['Lote feito', 'Lot made'],
  each: ['Mostrar cada lote e cada ordem', 'Show each lot and each order'],
  way: ['O caminho do lote {code}', 'The way of lot {code}'],
  recall: ['Recall deste lote', 'Recall of this lot'],
} as const satisfies Catalogue;
