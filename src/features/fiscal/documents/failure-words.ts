import type { FiscalRecord } from '../../../../projections/fiscal/documents.js';
import { asksForPortuguese } from '../../../kernel/routes/language.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Failure } from '../events.js';

/** Why a document failed, in Portuguese for who asks for it; programs read it as it was recorded. */

const SENTENCES: Readonly<Record<string, string>> = {
  TOO_MANY_ITEMS: 'Um documento tem no máximo 990 itens',
  TOO_LARGE: 'O documento passaria dos 500 kB que a SEFAZ aceita: divida a venda',
  COMPANY_NEEDS_55: 'Venda a empresa pede documento do modelo 55 (NF-e)',
  TAX_YEAR_UNKNOWN: 'IBS e CBS são conhecidos até 2026: o regime NORMAL precisa de uma versão mais nova deste programa',
  INTERSTATE_CONSUMER:
    'Nos regimes NORMAL e SIMPLES_EXCESS, o imposto partilhado entre dois estados não é calculado aqui',
};

function inPortuguese({ code, message, missing }: Failure): Failure {
  const lacking = code === 'DATA_MISSING' ? `Faltam dados para o documento: ${missing.join(', ')}` : undefined;
  return { code, message: lacking ?? SENTENCES[code] ?? message, missing };
}

export function told<T extends Pick<FiscalRecord, 'failure'>>({ client }: RequestContext, record: T): T {
  const { failure } = record;
  if (!failure || !asksForPortuguese(client.acceptLanguage)) return record;
  return { ...record, failure: inPortuguese(failure) };
}

/** The same of records that are handed out as they are stored. */
export function allTold(context: RequestContext, bodies: readonly string[]): readonly string[] {
  if (!asksForPortuguese(context.client.acceptLanguage)) return bodies;
  return bodies.map((body) =>
    body.includes('"failure":{') ? JSON.stringify(told(context, JSON.parse(body) as FiscalRecord)) : body,
  );
}
