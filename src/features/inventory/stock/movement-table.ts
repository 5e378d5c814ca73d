import type { z } from 'zod';
import type { TableColumn } from '../../../kernel/files/table.js';
import type { movementAnswer } from './answers.js';

/** The ledger as a spreadsheet has it. */

type Movement = z.output<typeof movementAnswer>;

const KINDS: Readonly<Record<Movement['kind'], string>> = {
  OPENING: 'Saldo inicial',
  RECEIPT: 'Entrada',
  ADJUSTMENT: 'Ajuste',
  TRANSFER: 'Transferência',
  SALE: 'Venda',
  RETURN: 'Devolução',
  CANCELLATION: 'Cancelamento',
  CONSUMPTION: 'Uso na produção',
  OUTPUT: 'Produzido',
  REVERSAL: 'Estorno',
  SETTLEMENT: 'Acerto de negativo',
};

const SOURCES: Readonly<Record<Movement['sourceKind'], string>> = {
  OPENING: KINDS.OPENING,
  RECEIPT: KINDS.RECEIPT,
  ADJUSTMENT: KINDS.ADJUSTMENT,
  TRANSFER: KINDS.TRANSFER,
  SALE: KINDS.SALE,
  ORDER: 'Ordem de produção',
};

export const movementColumns: readonly TableColumn<Movement>[] = [
  { name: 'at', title: 'Quando', kind: 'moment', of: ({ at }) => at },
  { name: 'kind', title: 'Movimento', kind: 'text', of: ({ kind }) => kind, forPeople: ({ kind }) => KINDS[kind] },
  { name: 'description', title: 'Produto', kind: 'text', width: 36, of: ({ description }) => description },
  { name: 'unit', title: 'Unidade', kind: 'text', width: 9, of: ({ unit }) => unit },
  { name: 'lotCode', title: 'Lote', kind: 'text', of: ({ lotCode }) => lotCode },
  { name: 'location', title: 'Local', kind: 'text', of: ({ location }) => location },
  { name: 'quantity', title: 'Quantidade', kind: 'number', of: ({ quantity }) => quantity },
  { name: 'balance', title: 'Saldo no local', kind: 'number', of: ({ balance }) => balance },
  { name: 'lotBalance', title: 'Saldo do lote', kind: 'number', of: ({ lotBalance }) => lotBalance },
  { name: 'unitCost', title: 'Custo unitário', kind: 'number', of: ({ unitCost }) => unitCost },
  { name: 'value', title: 'Valor', kind: 'number', of: ({ value }) => value },
  { name: 'reason', title: 'Motivo', kind: 'text', width: 30, of: ({ reason }) => reason },
  { name: 'by', title: 'Por', kind: 'text', of: ({ by }) => by.name },
  {
    name: 'sourceKind',
    title: 'Origem',
    kind: 'text',
    of: ({ sourceKind }) => sourceKind,
    forPeople: ({ sourceKind }) => SOURCES[sourceKind],
  },
  { name: 'sourceId', title: 'Id da origem', kind: 'text', width: 38, of: ({ sourceId }) => sourceId },
  { name: 'sku', title: 'Código', kind: 'text', of: ({ sku }) => sku },
  { name: 'gtin', title: 'Código de barras', kind: 'text', of: ({ gtin }) => gtin },
  { name: 'variantId', title: 'Id do produto', kind: 'text', width: 38, of: ({ variantId }) => variantId },
  { name: 'lotId', title: 'Id do lote', kind: 'text', width: 38, of: ({ lotId }) => lotId },
  { name: 'id', title: 'Id', kind: 'text', of: (row) => row.id },
];
