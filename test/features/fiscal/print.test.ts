import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import type { Note } from '../../../src/features/fiscal/domain/note.js';
import { code128 } from '../../../src/features/fiscal/print/code-128.js';
import { DocumentPrinter } from '../../../src/features/fiscal/print/printer.js';
import { readXml } from '../../../src/features/fiscal/print/xml-tree.js';
import { identityOf, selfSignedCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import { writtenNote } from '../../support/fiscal/written-note.js';
import { company, emission, item, note, person, TAX_ID } from '../../support/fiscal/notes.js';
import { drawnIn, pagesOf } from '../../support/pdf.js';

const SAMPLES = process.env['FISCAL_SAMPLES'];
const printer = new DocumentPrinter();

async function printed(name: string, of: Note, status: string, offline = false): Promise<string> {
  const identity = identityOf(await selfSignedCertificate(TAX_ID, 'Padaria', Date.now()));
  const contingency = { since: '2026-11-20T10:15:00-03:00', reason: 'Sem comunicação com a autorizadora' };
  const made = emission(of, offline ? { emissionType: 9, contingency } : {});
  const { xml } = await writtenNote(of, made, { qrCode: { code: undefined } }, identity);
  const protocol = offline ? null : '135260000000001';
  const authorizedAt = offline ? null : '2026-11-20T13:15:31.000Z';
  const pdf = await printer.print('a store', { xml, status, protocol, authorizedAt, timeZone: 'America/Sao_Paulo' });
  if (SAMPLES) writeFileSync(`${SAMPLES}/${name}.pdf`, pdf);
  return Buffer.from(pdf).toString('latin1');
}

test('a consumer’s note is printed on one strip, as long as it needs', async () => {
  const few = await printed('danfce', note({ recipient: person }), 'AUTHORIZED');
  expect(few.startsWith('%PDF-')).toBe(true);
  expect(pagesOf(few)).toBe(1);
  expect(few).toMatch(/MediaBox \[0 0 226\.77 \d+/);
  const offline = await printed('danfce-offline', note(), 'CONTINGENCY', true);
  expect(pagesOf(offline)).toBe(1);
  expect(pagesOf(await printed('danfce-cancelled', note(), 'CANCELLED'))).toBe(1);
});

test('prints look the same wherever they are read: all their letters are in them', async () => {
  for (const [name, of] of [
    ['danfce', note()],
    ['danfe', note({ model: 55, recipient: company() })],
  ] as const) {
    const pdf = await printed(name, of, 'AUTHORIZED');
    const named = [...pdf.matchAll(/\/Type \/FontDescriptor\n\/FontName \/[A-Z]{6}\+(\S+)/g)].map(([, font]) => font);
    expect([name, ...named.sort()]).toEqual([name, 'Arimo-Bold', 'Arimo-Regular']);
    expect(pdf.match(/\/FontFile2 /g)).toHaveLength(2);
    expect(pdf).not.toMatch(/\/BaseFont \/Helvetica/);
  }
});

test('a company’s note goes on over as many pages as its items need', async () => {
  const items = Array.from({ length: 120 }, (_, index) => item({ code: `P-${String(index)}`, discount: Decimal.zero }));
  const many = note({ model: 55, recipient: company(), items });
  expect(pagesOf(await printed('danfe-long', many, 'AUTHORIZED'))).toBeGreaterThan(1);
  expect(pagesOf(await printed('danfe', note({ model: 55, recipient: company() }), 'CANCELLED'))).toBe(1);
});

/** Pages that have a bar code: of the rectangles there, most are bars. */
function pagesWithHead(pdf: string): number {
  return drawnIn(pdf).filter((page) => (page.match(/ re$/gm)?.length ?? 0) > 50).length;
}

test('every page of a company’s note has the head with its key, also where an item has hundreds of lots', async () => {
  const lots = Array.from({ length: 300 }, (_, index) => ({
    code: `LOTE-${String(index)}`,
    quantity: Decimal.from('0.01'),
    madeOn: '2026-11-01',
    expiresOn: '2026-12-01',
  }));
  const pdf = await printed(
    'danfe-lots',
    note({ model: 55, recipient: company(), items: [item({ lots })] }),
    'AUTHORIZED',
  );
  expect(pagesOf(pdf)).toBeGreaterThan(3);
  expect(pagesWithHead(pdf)).toBe(pagesOf(pdf));
});

test('a bar code has its checksum, its stop, and bars of the right widths', () => {
  // Start C, 12, 34, checksum (105 + 12 + 2 × 34) mod 103 = 82, stop.
  expect(code128('1234').join('')).toBe('211232' + '112232' + '131123' + '121241' + '2331112');
  const withLetters = code128('35261112ABC34501DE35650010000001081009035236');
  expect(withLetters.slice(-7).join('')).toBe('2331112');
  expect((withLetters.length - 7) % 6).toBe(0);
});

test('XML is read as it was written', () => {
  const tree = readXml('<a x="1"><b>1 &lt; 2 &amp; 3</b><b>4</b></a>');
  expect(tree.get('a/b')).toBe('1 < 2 & 3');
  expect(
    tree
      .find('a')
      ?.all('b')
      .map(({ text }) => text),
  ).toEqual(['1 < 2 & 3', '4']);
});

test('a store does not wait for all that another prints', async () => {
  const identity = identityOf(await selfSignedCertificate(TAX_ID, 'Padaria', Date.now()));
  const { xml } = await writtenNote(note(), emission(note(), {}), { qrCode: { code: undefined } }, identity);
  const job = { xml, status: 'AUTHORIZED', protocol: null, authorizedAt: null, timeZone: 'America/Sao_Paulo' };
  let done = 0;
  const flood = Array.from({ length: 6 }, () => printer.print('a store', job).then(() => done++));
  await printer.print('another store', job);
  expect(done).toBe(2);
  await Promise.all(flood);
});
