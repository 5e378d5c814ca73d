import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { SheetCell } from '../../../src/kernel/files/xlsx.js';
import { workbook } from '../../../src/kernel/files/xlsx.js';
import { zipped } from '../../../src/kernel/files/zip.js';
import { localTime } from '../../../src/kernel/values/days.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { until } from '../../support/until.js';
import { sheetsOf, unzipped } from '../../support/unzipped.js';

const options = { localTime: (moment: string) => localTime(Date.parse(moment), 'America/Sao_Paulo') };

async function* inPieces(...pieces: readonly (readonly (readonly SheetCell[])[])[]) {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

test('long numbers, formulas and markup stay the texts that they are', async () => {
  const texts = ['35261104252011000110550010000000461234567890', '=1+1', '<b> & "x"', ' 0123\n', 'a\u0000\uD800b'];
  const columns = [{ title: 'Chave', kind: 'text' as const }];
  const rows = inPieces(texts.map((text) => [text]));
  const made = sheetsOf(await buffer(workbook([{ name: 'Notas', columns, rows }], options)));
  expect(made).toEqual({ Notas: [['Chave'], ...texts.slice(0, 4).map((text) => [text]), ['ab']] });
});

test('a text that reads like the number of a sign is no sign', async () => {
  const texts = ['LOTE_x0041_', '_x003D_1+1', '_x005F_x0041_', '_x00_ _xyz12_'];
  const columns = [{ title: 'Lote', kind: 'text' as const }];
  const made = sheetsOf(
    await buffer(workbook([{ name: 'Lotes', columns, rows: inPieces(texts.map((text) => [text])) }], options)),
  );
  expect(made['Lotes']?.slice(1)).toEqual(texts.map((text) => [text]));
});

test('amounts are numbers, and moments and days those of the store’s clocks', async () => {
  const columns = (['number', 'money', 'moment', 'day'] as const).map((kind) => ({ title: kind, kind }));
  const rows = inPieces([
    [Decimal.from('0.000001'), 1234.5, '2026-01-02T01:30:00.000Z', '2026-01-02'],
    [null, null],
  ]);
  const made = sheetsOf(await buffer(workbook([{ name: 'A', columns, rows }], options)));
  // 45658 is the first of January 2025; three hours before midnight UTC it is still the day before in São Paulo.
  expect(made['A']?.slice(1)).toEqual([
    [0.000001, 1234.5, 46023.9375, 46024],
    [null, null, null, null],
  ]);
});

test('a moment among texts is one all the same', async () => {
  const columns = [{ title: 'o quê', kind: 'text' as const }];
  const rows = inPieces([['Emitido em'], [{ moment: '2026-01-02T01:30:00.000Z' }]]);
  const made = sheetsOf(await buffer(workbook([{ name: 'A', columns, rows }], options)));
  expect(made['A']?.slice(1)).toEqual([['Emitido em'], [46023.9375]]);
});

test('a moment shows its own minute, never the one before', async () => {
  const columns = [{ title: 'quando', kind: 'moment' as const }];
  const moments = Array.from({ length: 1_440 }, (_, minute) =>
    new Date(Date.UTC(2026, 8, 23, 3, minute)).toISOString(),
  );
  const made = sheetsOf(
    await buffer(workbook([{ name: 'A', columns, rows: inPieces(moments.map((at) => [at])) }], options)),
  );
  const minutes = made['A']?.slice(1).map(([serial]) => Math.floor((Number(serial) % 1) * 1_440 + 1e-6));
  expect(minutes).toEqual(moments.map((_, minute) => minute));
});

test('what does not fit into one sheet goes on in another', async () => {
  const columns = [{ title: 'n', kind: 'number' as const }];
  const sheet = (name: string, count: number) => ({
    name,
    columns,
    rows: inPieces(...Array.from({ length: count }, (_, index) => [[index + 1]])),
  });
  const sheets = [sheet('Muitas', 5), sheet('Nenhuma', 0), sheet('Cheia', 2)];
  const made = sheetsOf(await buffer(workbook(sheets, { ...options, mostRows: 3 })));
  expect(made).toEqual({
    Muitas: [['n'], [1], [2]],
    'Muitas 2': [['n'], [3], [4]],
    'Muitas 3': [['n'], [5]],
    Nenhuma: [['n']],
    Cheia: [['n'], [1], [2]],
  });
});

test('who stops reading ends what was being written', async () => {
  let ended = false;
  const endless = async function* () {
    try {
      for (;;) yield await Promise.resolve('x'.repeat(10_000));
    } finally {
      ended = true;
    }
  };
  const pieces = zipped(inFiles({ name: 'a', content: endless() }));
  await pieces.next();
  await pieces.next();
  await pieces.return(undefined);
  await until('its source is ended', () => ended);
});

test('a failure on the way fails the file', async () => {
  const failing = async function* () {
    yield await Promise.resolve('x');
    throw new Error('away');
  };
  await expect(buffer(zipped(inFiles({ name: 'a', content: failing() })))).rejects.toThrow('away');
});

test('whole files and files in pieces stand side by side', async () => {
  const pieces = async function* () {
    yield* await Promise.resolve(['é', '', 'z']);
  };
  const files = inFiles({ name: 'a', content: Buffer.from('whole') }, { name: 'b/c', content: pieces() });
  expect([...unzipped(await buffer(zipped(files)))]).toEqual([
    ['a', 'whole'],
    ['b/c', 'éz'],
  ]);
});

async function* inFiles<T>(...files: readonly T[]) {
  for (const file of files) yield await Promise.resolve(file);
}
