import type { TableColumn } from '../../../kernel/files/table.js';
import type { Sheet, SheetCell } from '../../../kernel/files/xlsx.js';
import type { ValuationRow } from './valuation-rows.js';
import type { ValuationTotals } from './valuation-totals.js';

/** A valuation as a spreadsheet has it. */

const OF_PLACES: readonly TableColumn<ValuationRow>[] = [
  { name: 'description', title: 'Produto', kind: 'text', width: 36, of: ({ description }) => description },
  { name: 'unit', title: 'Unidade', kind: 'text', width: 9, of: ({ unit }) => unit },
  { name: 'category', title: 'Categoria', kind: 'text', width: 24, of: ({ category }) => category },
  { name: 'location', title: 'Local', kind: 'text', of: ({ location }) => location },
  { name: 'quantity', title: 'Quantidade', kind: 'number', of: ({ quantity }) => quantity },
  { name: 'unitCost', title: 'Custo unitário', kind: 'number', of: ({ unitCost }) => unitCost },
  { name: 'value', title: 'Valor', kind: 'money', of: ({ value }) => value },
];

const OF_LOTS: readonly TableColumn<ValuationRow>[] = [
  { name: 'lotCode', title: 'Lote', kind: 'text', of: ({ lotCode }) => lotCode },
  { name: 'receivedAt', title: 'Entrada', kind: 'moment', of: ({ receivedAt }) => receivedAt },
  { name: 'expiresOn', title: 'Validade', kind: 'day', of: ({ expiresOn }) => expiresOn },
  { name: 'supplier', title: 'Fornecedor', kind: 'text', width: 24, of: ({ supplier }) => supplier },
  { name: 'document', title: 'Documento', kind: 'text', of: ({ document }) => document },
  { name: 'lotId', title: 'Id do lote', kind: 'text', width: 38, of: ({ lotId }) => lotId },
];

/** By these the goods are found in fiscal documents and in the register of inventory. */
const CODES: readonly TableColumn<ValuationRow>[] = [
  { name: 'sku', title: 'Código', kind: 'text', of: ({ sku }) => sku },
  { name: 'gtin', title: 'Código de barras', kind: 'text', of: ({ gtin }) => gtin },
  { name: 'ncm', title: 'NCM', kind: 'text', width: 10, of: ({ ncm }) => ncm },
];

const IDS: readonly TableColumn<ValuationRow>[] = [
  { name: 'variantId', title: 'Id do produto', kind: 'text', width: 38, of: ({ variantId }) => variantId },
  { name: 'locationId', title: 'Id do local', kind: 'text', width: 38, of: ({ locationId }) => locationId },
];

export const rowColumns = (by: 'place' | 'lot'): readonly TableColumn<ValuationRow>[] => [
  ...OF_PLACES,
  ...(by === 'lot' ? OF_LOTS : []),
  ...CODES,
  ...IDS,
];

async function* once(rows: readonly (readonly SheetCell[])[]): AsyncGenerator<readonly (readonly SheetCell[])[]> {
  yield await Promise.resolve(rows);
}

const UNNAMED = '(sem categoria)';

export function totalSheets({ value, byCategory, byProduct, byLocation }: ValuationTotals): readonly Sheet[] {
  const name = (title: string) => ({ title, kind: 'text', width: 36 }) as const;
  const worth = { title: 'Valor', kind: 'money' } as const;
  return [
    {
      name: 'Por categoria',
      columns: [name('Categoria'), worth],
      rows: once([...byCategory.map((one) => [one.category ?? UNNAMED, one.value]), ['Total', value]]),
    },
    {
      name: 'Por produto',
      columns: [name('Produto'), { title: 'Unidade', kind: 'text' }, { title: 'Quantidade', kind: 'number' }, worth],
      rows: once(byProduct.map((one) => [one.description, one.unit, one.quantity, one.value])),
    },
    {
      name: 'Por local',
      columns: [name('Local'), worth],
      rows: once(byLocation.map((one) => [one.location, one.value])),
    },
  ];
}
