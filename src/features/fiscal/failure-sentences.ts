import type { Failure } from './events.js';

/** What failures say in Portuguese; in events they stand in English, as programs read them. */

const SENTENCES: Readonly<Record<string, string>> = {
  TOO_MANY_ITEMS: 'Um documento tem no máximo 990 itens',
  TOO_LARGE: 'O documento passaria dos 500 kB que a SEFAZ aceita: divida a venda',
  COMPANY_NEEDS_55: 'Venda a empresa pede documento do modelo 55 (NF-e)',
  TAX_YEAR_UNKNOWN: 'IBS e CBS são conhecidos até 2026: o regime NORMAL precisa de uma versão mais nova deste programa',
  INTERSTATE_CONSUMER:
    'Nos regimes NORMAL e SIMPLES_EXCESS, o imposto partilhado entre dois estados não é calculado aqui',
};

export function inPortuguese({ code, message, missing }: Failure): Failure {
  const lacking = code === 'DATA_MISSING' ? `Faltam dados para o documento: ${missing.join(', ')}` : undefined;
  return { code, message: lacking ?? SENTENCES[code] ?? message, missing };
}
