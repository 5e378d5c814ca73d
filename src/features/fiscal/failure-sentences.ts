import type { Fault, Lack } from './domain/missing.js';
import type { Failure } from './events.js';

/** What failures say in Portuguese; in events they stand in English, as programs read them. */

const SENTENCES: Readonly<Record<string, string>> = {
  TOO_MANY_ITEMS: 'Um documento tem no máximo 990 itens',
  TOO_LARGE: 'O documento passaria dos 500 kB que a SEFAZ aceita: divida a venda',
  COMPANY_NEEDS_55: 'Venda a empresa pede documento do modelo 55 (NF-e)',
  TAX_YEAR_UNKNOWN: 'IBS e CBS são conhecidos até 2026: o regime NORMAL precisa de uma versão mais nova deste programa',
  NOTHING_TO_TAX: 'Tudo da venda foi devolvido antes de o documento ser autorizado: o número dele pode ser inutilizado',
  INTERSTATE_CONSUMER:
    'Nos regimes NORMAL e SIMPLES_EXCESS, o imposto partilhado entre dois estados não é calculado aqui',
};

interface LackWords {
  readonly isAbsent: string;
  readonly isUnfit: string;
  readonly faults: Readonly<Record<Fault, string>>;
}

const ENGLISH: LackWords = {
  isAbsent: 'The document needs what is not there',
  isUnfit: 'The document does not take what is there',
  faults: {
    short: 'has fewer than 2 characters that it can hold',
    elsewhere: 'is of another state',
    noPhone: 'must have 6 to 14 digits',
  },
};
const PORTUGUESE: LackWords = {
  isAbsent: 'Faltam dados para o documento',
  isUnfit: 'O documento não aceita o que foi informado',
  faults: {
    short: 'tem menos de 2 caracteres que ele comporta',
    elsewhere: 'é de outro estado',
    noPhone: 'deve ter de 6 a 14 dígitos',
  },
};
const FAULTS = Object.keys(ENGLISH.faults) as readonly Fault[];

const unfit = (path: string, fault: Fault, { faults }: LackWords): string => `${path} (${faults[fault]})`;

function sentence(lacks: readonly Lack[], words: LackWords): string {
  const absent = lacks.flatMap(({ path, fault }) => (fault ? [] : [path]));
  const others = lacks.flatMap(({ path, fault }) => (fault ? [unfit(path, fault, words)] : []));
  return [
    ...(absent.length > 0 ? [`${words.isAbsent}: ${absent.join(', ')}`] : []),
    ...(others.length > 0 ? [`${words.isUnfit}: ${others.join(', ')}`] : []),
  ].join('. ');
}

/** Each path once, however many items lack the same. */
export function lacking(found: readonly Lack[]): Failure {
  const lacks = [...new Map(found.map((lack) => [lack.path, lack])).values()];
  return { code: 'DATA_MISSING', message: sentence(lacks, ENGLISH), missing: lacks.map(({ path }) => path) };
}

/** What is wrong stands in the sentence alone: programs need no more than the paths. */
const lacksIn = ({ message, missing }: Failure): readonly Lack[] =>
  missing.map((path) => ({
    path,
    fault: FAULTS.find((fault) => message.includes(unfit(path, fault, ENGLISH))) ?? null,
  }));

export function inPortuguese(failure: Failure): Failure {
  const { code, message, missing } = failure;
  const lacks = code === 'DATA_MISSING' ? sentence(lacksIn(failure), PORTUGUESE) : undefined;
  return { code, message: lacks ?? SENTENCES[code] ?? message, missing };
}
