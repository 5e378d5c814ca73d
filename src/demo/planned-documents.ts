import { uuidV5 } from '../kernel/values/ids.js';
import type { DemoSale } from './fees.js';

/** Which of the last sales were taxed, and what became of their documents. */

type DocumentEnd = 'authorized' | 'rejected' | 'failed' | 'cancelled' | 'voided' | 'replaced' | 'waiting';

export interface PlannedDocument {
  readonly saleId: string;
  readonly model: 55 | 65;
  /** The sale was made then; milliseconds since 1970. */
  readonly at: number;
  readonly end: DocumentEnd;
  /** What the authority says of it; undefined where it takes it. */
  readonly refusal: { readonly code: string; readonly message: string } | undefined;
}

const BUYER = 'Escola Pequeno Mundo';
/** Has told neither document nor address, without which no company gets a note. */
const UNKNOWN_BUYER = 'Núcleo de Eventos Aurora';

const LATE = { code: '704', message: 'Rejeicao: NFC-e com Data-Hora de emissao atrasada' };
const UNREGISTERED = { code: '232', message: 'Rejeicao: IE do destinatario nao informada' };

/** The last sales to consumers, the oldest first. */
const CONSUMERS: readonly DocumentEnd[] = [
  'authorized',
  'authorized',
  'cancelled',
  'authorized',
  'voided',
  'authorized',
  'replaced',
  'authorized',
  'rejected',
  'authorized',
  'waiting',
];
/** The last sales to the school. */
const COMPANY: readonly DocumentEnd[] = ['authorized', 'cancelled', 'voided', 'authorized', 'rejected'];

/** In the order of the sales; `untouched` are those of which nothing came back. */
export function plannedDocuments(storeId: string, untouched: readonly DemoSale[]): readonly PlannedDocument[] {
  const customer = (name: string): string => uuidV5(storeId, `customer ${name}`);
  const of = (name: string) => untouched.filter(({ sale }) => sale.customerId === customer(name));
  const unnamed = untouched.filter(({ sale }) => sale.customerId === null);
  const planned = [
    ...last(unnamed, CONSUMERS, 65),
    ...last(of(BUYER), COMPANY, 55),
    // A company gets no consumer's note, and who is not known gets no other.
    ...last(of(BUYER).slice(0, -COMPANY.length), ['failed'], 65),
    ...last(of(UNKNOWN_BUYER), ['failed'], 55),
  ];
  return planned.sort((a, b) => a.at - b.at);
}

function last(sales: readonly DemoSale[], ends: readonly DocumentEnd[], model: 55 | 65): readonly PlannedDocument[] {
  const refusal = model === 65 ? LATE : UNREGISTERED;
  return sales.slice(-ends.length).map(({ sale: { saleId, occurredAt } }, index) => {
    const end = ends[index] ?? 'authorized';
    const isRefused = end === 'rejected' || end === 'voided';
    return { saleId, model, at: Date.parse(occurredAt), end, refusal: isRefused ? refusal : undefined };
  });
}
