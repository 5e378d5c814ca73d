import type { z } from 'zod';
import type { SummedBy } from '../../../../projections/sales/parts/sales-totals.js';
import type { TableColumn } from '../../../kernel/files/table.js';
import type { summaryRow } from './answers.js';

/** A summary of sales as a spreadsheet has it. */

export type SummaryRow = z.output<typeof summaryRow>;
type Columns = readonly TableColumn<SummaryRow>[];

const SUMS: Columns = [
  { name: 'gross', title: 'Bruto', kind: 'money', of: ({ gross }) => gross },
  { name: 'returned', title: 'Devolvido', kind: 'money', of: ({ returned }) => returned },
  { name: 'net', title: 'Líquido', kind: 'money', of: ({ net }) => net },
];
const SALES: Columns = [{ name: 'sales', title: 'Vendas', kind: 'number', of: ({ sales }) => sales }];

export const summaryColumns: Readonly<Record<SummedBy, Columns>> = {
  day: [{ name: 'key', title: 'Dia', kind: 'day', of: ({ key }) => key }, ...SALES, ...SUMS],
  product: [
    { name: 'label', title: 'Produto', kind: 'text', width: 36, of: ({ label }) => label },
    ...SALES,
    { name: 'quantity', title: 'Quantidade', kind: 'number', of: ({ quantity }) => quantity },
    { name: 'unit', title: 'Unidade', kind: 'text', of: ({ unit }) => unit },
    ...SUMS,
    { name: 'key', title: 'Id do produto', kind: 'text', width: 38, of: ({ key }) => key },
  ],
  payment: [
    {
      name: 'key',
      title: 'Forma de pagamento',
      kind: 'text',
      width: 22,
      of: ({ key }) => key,
      forPeople: ({ label }) => label,
    },
    ...SALES,
    ...SUMS,
  ],
};
