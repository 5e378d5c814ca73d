import type { Histories } from '../../../kernel/events/history.js';
import { entity } from '../../../kernel/events/history.js';
import type { DrillEvent, DrillStep } from './events.js';

const about = ({ drillId }: { readonly drillId: string }) => [entity('recallDrill', drillId)];

const PORTUGUESE: Readonly<Record<DrillStep, string>> = {
  LOTS_FOUND: 'os lotes foram encontrados',
  STOCK_BLOCKED: 'o estoque foi bloqueado',
  CUSTOMERS_LISTED: 'os clientes foram listados',
  CUSTOMERS_TOLD: 'os clientes foram avisados',
  REPORT_PRINTED: 'o relatório foi impresso',
};
const ENGLISH: Readonly<Record<DrillStep, string>> = {
  LOTS_FOUND: 'the lots were found',
  STOCK_BLOCKED: 'the stock was blocked',
  CUSTOMERS_LISTED: 'the customers were listed',
  CUSTOMERS_TOLD: 'the customers were told',
  REPORT_PRINTED: 'the report was printed',
};

export const drillHistory: Histories<DrillEvent> = {
  RecallDrillStarted: {
    about,
    pt: ({ lotCode }) => `O simulado de recall do lote ${lotCode} começou.`,
    en: ({ lotCode }) => `The recall drill of lot ${lotCode} began.`,
  },
  RecallDrillStepDone: {
    about,
    pt: ({ drillId, step }, say) =>
      `No simulado de recall do lote ${say.name('recallDrill', drillId)}, ${PORTUGUESE[step]}.`,
    en: ({ drillId, step }, say) => `In the recall drill of lot ${say.name('recallDrill', drillId)}, ${ENGLISH[step]}.`,
  },
  RecallDrillFinished: {
    about,
    pt: ({ drillId, shareFoundPercent, notes }, say) =>
      `O simulado de recall do lote ${say.name('recallDrill', drillId)} terminou: ${say.number(shareFoundPercent)} % foi encontrado${notes === null ? '' : `. ${notes}`}.`,
    en: ({ drillId, shareFoundPercent, notes }, say) =>
      `The recall drill of lot ${say.name('recallDrill', drillId)} ended: ${say.number(shareFoundPercent)}% was found${notes === null ? '' : `. ${notes}`}.`,
  },
};
