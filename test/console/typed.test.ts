import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { consoleModule } from '../support/console-module.js';

type Language = 'pt-BR' | 'en';

type Write = (value: number | string | null | undefined, unit?: unknown) => string;

interface Formats {
  isoDay(daysAhead: number, from: number): string;
  readNumber(text: string, spoken?: Language): number | undefined;
  money: Write;
  unitCost: Write;
  quantity: Write;
  percent: Write;
  oneDecimal: Write;
  whole: Write;
  plainPrice: Write;
  plainNumber: Write;
  day(value: string | null): string;
}
interface Days {
  endOfDay(day: string): string;
}
interface Digits {
  withoutMarks(text: string): string;
}
interface Cart {
  readScan(typed: string): { readonly factor: number; readonly code: string };
  shortageOf(line: { stockQty: number | null; quantity: string }): object | undefined;
  meantBy(text: string, products: readonly object[]): 'several' | { readonly variantId: string } | undefined;
}
interface RecallAnswer {
  ownCode(answer: { lotCode: string; lots: readonly { kind: string; lotCode: string }[] }): string;
  lotFacts(left: { status: string | null; expiresAt: string | null; expiresOn: string | null }): object;
}
interface Troubles {
  troublesOf(health: object): readonly { name: string; n: number; names: string }[];
}
interface FieldNames {
  fieldName(path: string, say: (text: readonly [string, string]) => string): string | undefined;
}

/** What the modules read when they are loaded, which no page is there to give. */
beforeAll(() => {
  Object.assign(globalThis, {
    location: { search: '?lang=pt-BR' },
    localStorage: { getItem: () => null },
    document: { documentElement: {} },
  });
});

describe('what people type', () => {
  test.each<readonly [string, number | undefined, number | undefined]>([
    ['1.234,56', 1234.56, 1234.56],
    ['1,234.56', 1234.56, 1234.56],
    ['R$ 1.234.567,8', 1_234_567.8, 1_234_567.8],
    ['8,5', 8.5, 8.5],
    ['8.5', 8.5, 8.5],
    ['1.234', 1234, 1.234],
    ['1,234', 1.234, 1234],
    ['0.125', 0.125, 0.125],
    ['0,125', 0.125, 0.125],
    ['-3,2', -3.2, -3.2],
    ['+3', 3, 3],
    ['12,', 12, 12],
    ['-12.', -12, -12],
    [',5', 0.5, 0.5],
    ['-1.234,5', -1234.5, -1234.5],
    ['-12,345.5', -12_345.5, -12_345.5],
    ['10.234', 10_234, 10.234],
    ['-10,234', -10.234, -10_234],
    ['123.456', 123_456, 123.456],
    ['123,456', 123.456, 123_456],
    ['1.234.567', 1_234_567, undefined],
    ['1,234,567', undefined, 1_234_567],
    ['-0.125', -0.125, -0.125],
    ['1.234.5', undefined, undefined],
    ['1234.567,8', undefined, undefined],
    ['1.2345,6', undefined, undefined],
    ['1,23.4', undefined, undefined],
    ['x1.234,5', undefined, undefined],
    ['1.234x,5', undefined, undefined],
    ['x12.', undefined, undefined],
    ['12 %', 12, 12],
    ['1.23,45', undefined, undefined],
    ['1,2,3', undefined, undefined],
    ['dois', undefined, undefined],
    ['', undefined, undefined],
  ])('%j is %j in Portuguese and %j in English', async (typed, portuguese, english) => {
    const { readNumber } = await consoleModule<Formats>('values/formats.ts');
    expect([readNumber(typed, 'pt-BR'), readNumber(typed, 'en')]).toEqual([portuguese, english]);
  });

  test.each([
    [0.000001, '0,000001'],
    [-0.0004, '-0,0004'],
    [-1.2346, '-1,235'],
    [123.456789, '123,457'],
    [0, '0'],
    [-0, '0'],
  ])('a quantity of %d is written %s: what is there is never written as nothing', async (value, written) => {
    const { quantity } = await consoleModule<Formats>('values/formats.ts');
    expect(quantity(value)).toBe(written);
  });

  test('what is not known is written as a dash, and never as nothing; nothing is written with its unit', async () => {
    const formats = await consoleModule<Formats>('values/formats.ts');
    const { money, unitCost, quantity, percent, oneDecimal, whole, plainPrice, plainNumber } = formats;
    for (const unknown of [null, undefined]) {
      for (const write of [money, unitCost, quantity, percent, oneDecimal, whole])
        expect(write(unknown, 'kg')).toBe('–');
      for (const write of [plainPrice, plainNumber]) expect(write(unknown)).toBe('');
    }
    expect([money(''), plainPrice('')]).toEqual(['–', '']);
    expect([quantity(0, 'kg'), money(0), percent(0)]).toEqual(['0\u00a0kg', 'R$\u00a00,00', '0\u00a0%']);
  });

  test('a day is written as it is, and that of a moment as it was in the store', async () => {
    const { day } = await consoleModule<Formats>('values/formats.ts');
    const written = ['2026-11-30', '2026-12-01T02:59:00Z', '2026-12-01T03:00:00Z', null].map(day);
    expect(written).toEqual(['30/11/2026', '30/11/2026', '01/12/2026', '–']);
  });

  test('pages speak Portuguese until somebody switches, whatever the browser speaks', async () => {
    const { location } = globalThis;
    Object.assign(globalThis, { location: { search: '' }, navigator: { language: 'en-US' } });
    const { language } = await consoleModule<{ language(): string }>('words/language.ts');
    Object.assign(globalThis, { location });
    expect(language()).toBe('pt-BR');
  });

  test('a day ends when it does in the store, wherever the browser is', async () => {
    const { endOfDay } = await consoleModule<Days>('values/end-of-day.ts');
    expect(endOfDay('2026-11-30')).toBe('2026-12-01T02:59:59.000Z');
    // Summer time began there on that midnight.
    expect(endOfDay('2018-11-03')).toBe('2018-11-04T02:59:59.000Z');
    expect(endOfDay('2018-11-04')).toBe('2018-11-05T01:59:59.000Z');
  });

  test('a day is sent as the service reads it, also by a browser that writes it otherwise in Canada', async () => {
    const { isoDay } = await consoleModule<Formats>('values/formats.ts');
    const lateEvening = Date.parse('2026-11-27T02:59:59Z');
    const own = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format') ?? {};
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', { ...own, get: () => () => '11/26/2026' });
    const days = [isoDay(0, lateEvening), isoDay(0, lateEvening + 1_000), isoDay(-26, lateEvening)];
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', own);
    expect(days).toEqual(['2026-11-26', '2026-11-27', '2026-10-31']);
  });

  test('days before and after this one are counted by the calendar, also where one of them is shorter or longer', async () => {
    const { isoDay } = await consoleModule<Formats>('values/formats.ts');
    // In São Paulo the 4th of November of 2018 had 23 hours, and the 16th of February of 2019 had 25.
    const afterShort = Date.parse('2018-11-05T02:30:00Z');
    const afterLong = Date.parse('2019-02-19T02:30:00Z');
    const around = (moment: number) => [-3, -2, -1, 0].map((days) => isoDay(days, moment));
    expect(around(afterShort)).toEqual(['2018-11-02', '2018-11-03', '2018-11-04', '2018-11-05']);
    expect(around(afterLong)).toEqual(['2019-02-15', '2019-02-16', '2019-02-17', '2019-02-18']);
  });

  test('a code of digits is sent without the marks that people write in it', async () => {
    const { withoutMarks } = await consoleModule<Digits>('values/digits.ts');
    const written = ['1905.90.90', '17.044.00', '47.21-1/02', '789 1234 567895', '19x'];
    expect(written.map(withoutMarks)).toEqual(['19059090', '1704400', '4721102', '7891234567895', '19x']);
  });

  test('a quantity before a star is how many of it, also where that is none', async () => {
    const { readScan } = await consoleModule<Cart>('screens/till/cart.ts');
    expect(readScan('3*789')).toEqual({ factor: 3, code: '789' });
    expect(readScan('0,5 x pao')).toEqual({ factor: 0.5, code: 'pao' });
    expect(readScan('0*789')).toEqual({ factor: 0, code: '789' });
    expect(readScan('789')).toEqual({ factor: 1, code: '789' });
  });

  test.each([
    ['5*', 5],
    ['0,5 *', 0.5],
    ['5x ', 5],
  ])('%j is a quantity of what is read next', async (typed, factor) => {
    const { readScan } = await consoleModule<Cart>('screens/till/cart.ts');
    expect(readScan(typed)).toEqual({ factor, code: '' });
  });

  test.each([
    [3, '2', undefined],
    [3, '4', { said: 'beyondStock', of: 3 }],
    [0, '1', { said: 'noStock', of: 0 }],
    [-2, '1', { said: 'owed', of: 2 }],
    [null, '1', undefined],
  ])('of %j in stock, selling %s is short by %j', async (stockQty, quantity, shortage) => {
    const { shortageOf } = await consoleModule<Cart>('screens/till/cart.ts');
    expect(shortageOf({ stockQty, quantity })).toEqual(shortage);
  });

  test('a name that several bear is asked about, and a number is no name', async () => {
    const { meantBy } = await consoleModule<Cart>('screens/till/cart.ts');
    const product = (id: string, sku: string) => ({ id, variants: [{ id, sku, gtin: null }] });
    const [water, bread] = [product('water', '5001'), product('bread', 'PAO')];
    expect(meantBy('p', [water, bread])).toBe('several');
    expect(meantBy('água', [water])).toMatchObject({ variantId: 'water' });
    expect(meantBy('pao', [water, bread])).toMatchObject({ variantId: 'bread' });
    expect(meantBy('5001', [water, bread])).toMatchObject({ variantId: 'water' });
    expect(meantBy('5', [water])).toBeUndefined();
    expect(meantBy('x', [])).toBeUndefined();
  });
});

describe('what a recall says of goods', () => {
  test('it is headed by the code that the lot bears, not by what was typed', async () => {
    const { ownCode } = await consoleModule<RecallAnswer>('screens/recall/recall-answer.ts');
    const reached = { kind: 'REACHED', lotCode: 'P-9' };
    const matched = (lotCode: string) => ({ kind: 'MATCHED', lotCode });
    expect(ownCode({ lotCode: 'l-1', lots: [matched('L-1'), reached, matched('L-1')] })).toBe('L-1');
    expect(ownCode({ lotCode: 'l-1', lots: [matched('L-1'), matched('l-1')] })).toBe('l-1');
    expect(ownCode({ lotCode: 'l-1', lots: [] })).toBe('l-1');
  });

  test.each([
    ['2020-01-02T00:00:00.000Z', true],
    ['2999-01-02T00:00:00.000Z', false],
    [null, false],
  ])('what expires at %j has expired: %j', async (expiresAt, expired) => {
    const { lotFacts } = await consoleModule<RecallAnswer>('screens/recall/recall-answer.ts');
    const left = { status: 'AVAILABLE', expiresAt, expiresOn: expiresAt?.slice(0, 10) ?? null };
    expect(lotFacts(left)).toMatchObject({ status: 'AVAILABLE', expired });
  });
});

describe('what is not in order with the service', () => {
  const well = {
    status: 'ok',
    shortenedStreams: 0,
    backup: { ok: true },
    audit: { ok: true },
    fiscal: { ok: true, certificatesExpiring: 0, documentsOverdue: 0 },
    projections: [{ name: 'products', state: 'live' }],
    reactors: [{ name: 'mail', state: 'live' }],
  };

  test.each<readonly [object, readonly string[]]>([
    [{}, []],
    [{ backup: null }, []],
    [{ backup: { ok: false } }, ['troubleBackup 1 ']],
    [{ disk: { ok: false } }, ['troubleDisk 1 ']],
    [{ audit: { ok: false }, shortenedStreams: 2 }, ['troubleAudit 1 ', 'troubleStreams 2 ']],
    [
      { fiscal: { ok: false, certificatesExpiring: 1, documentsOverdue: 3 } },
      ['troubleCertificates 1 ', 'troubleDocuments 3 '],
    ],
    [{ projections: [{ name: 'products', state: 'stopped' }] }, ['troubleProjections 1 products']],
    [{ reactors: [{ name: 'mail', state: 'stopped' }] }, ['troubleReactors 1 mail']],
    [{ clock: { ok: false } }, ['troubleOther 1 clock']],
  ])('of %j it is %j', async (change, said) => {
    const { troublesOf } = await consoleModule<Troubles>('screens/settings/troubles.ts');
    expect(troublesOf({ ...well, ...change }).map(({ name, n, names }) => `${name} ${String(n)} ${names}`)).toEqual(
      said,
    );
  });
});

describe('what fields are called', () => {
  const portuguese = ([text]: readonly [string, string]): string => text;

  test.each([
    ['actualOutputQty', 'Quantidade obtida'],
    ['payments[0].amount', 'Pagamento 1, Valor'],
    ['items[2].quantity', 'Item 3, Quantidade'],
    ['fiscal.address.postalCode', 'Dados fiscais, Endereço, CEP'],
    ['nobodyKnows', undefined],
    ['[0]', undefined],
    ['', undefined],
  ])('%j is %j', async (path, name) => {
    const { fieldName } = await consoleModule<FieldNames>('words/field-names.ts');
    expect(fieldName(path, portuguese)).toBe(name);
  });

  test('every field of a command has a name', async () => {
    const { fieldName } = await consoleModule<FieldNames>('words/field-names.ts');
    expect([...fieldsOfCommands()].filter((name) => fieldName(name, portuguese) === undefined)).toEqual([]);
  });
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly requestBody?: { content: { 'application/json'?: { readonly schema: Schema } } } }>
      >
    >
  >;
}

/** Names of all members of all bodies, however deep. */
function fieldsOfCommands(): ReadonlySet<string> {
  const { components, paths } = JSON.parse(readFileSync('dist/openapi.json', 'utf8')) as Document;
  const names = new Set<string>();
  const seen = new Set<string>();
  const visit = ({ $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] }: Schema): void => {
    const name = $ref?.split('/').pop();
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      visit(components.schemas[name] ?? {});
    }
    for (const [member, schema] of Object.entries(properties)) {
      names.add(member);
      visit(schema);
    }
    for (const schema of [...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf]) visit(schema);
  };
  for (const operations of Object.values(paths)) {
    for (const { requestBody } of Object.values(operations)) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema) visit(schema);
    }
  }
  return names;
}
