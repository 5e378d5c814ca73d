import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import type { TaxRegime } from '../../../src/features/contracts/fiscal-settings.js';
import type { Emission, Note } from '../../../src/features/fiscal/domain/note.js';
import { cancellationXml, voidXml } from '../../../src/features/fiscal/domain/xml/event-xml.js';
import { noteXml } from '../../../src/features/fiscal/domain/xml/note-xml.js';
import { address, company, emission, issuer, item, note, person, ruleFor, TAX_ID } from '../../support/fiscal/notes.js';

const d = (text: string): Decimal => Decimal.from(text);

const reduced = {
  ...ruleFor('NORMAL'),
  icms: { code: '20' as const, rate: d('18'), baseReductionPercent: d('33.33') },
  ibsCbs: {
    cst: '200',
    classCode: '200034',
    rates: { ibsState: d('0.1'), ibsCity: d('0.05'), cbs: d('0.9') },
    reductionPercent: d('60'),
  },
};

/** Together they have every group that a note of a shop may have, and the rules of the layout that differ between models. */
const NOTES: Readonly<Record<string, readonly [Note, Partial<Emission>?]>> = {
  'consumer-offline': [
    note({
      issuer: issuer('NORMAL'),
      recipient: { ...person, stateRegistration: '123456789012', email: 'maria@example.com' },
      items: [
        item({
          rule: ruleFor('NORMAL'),
          lots: [{ code: 'L-1', quantity: d('2'), madeOn: '2026-11-19', expiresOn: '2026-11-25' }],
        }),
        item({ gtin: null, ncm: null, discount: d('0'), rule: reduced }),
      ],
      payments: [
        {
          code: '03',
          description: null,
          amount: d('30'),
          later: true,
          card: { brand: '01', authorization: '123456', acquirerTaxId: '01027058000191' },
        },
        { code: '99', description: 'V', amount: d('10'), later: false, card: null },
      ],
      change: d('0.62'),
    }),
    { emissionType: 9, contingency: { since: '2026-11-20T10:15:00-03:00', reason: 'Sem comunicação' } },
  ],
  'company-of-another-state': [
    note({
      model: 55,
      environment: 'PRODUCTION',
      recipient: company({ address: { ...address('RJ', '3304557'), number: '', complement: null, phone: null } }),
      items: [
        item({ cest: '1700100', tareKg: d('0.0125') }),
        item({
          discount: d('0'),
          quantity: d('1.5'),
          gross: d('14.99'),
          taxedUnit: { unit: 'L', quantity: d('18'), price: d('0.8327777778') },
        }),
      ],
      technicalContact: { taxId: TAX_ID, name: 'Suporte', email: 'suporte@example.com', phone: '1133334444' },
    }),
  ],
};

const { accessKey } = emission({ model: 65 });
const told = { environment: 'HOMOLOGATION', taxId: TAX_ID, reason: 'Cliente desistiu da compra' } as const;
const cancelled = { ...told, accessKey, protocol: '135260000000001', at: '2026-11-20T10:20:30-03:00' };

const WRITTEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(NOTES).map(([name, [of, changes]]) => [name, noteXml(of, emission(of, changes)).sent]),
  ),
  cancellation: cancellationXml(cancelled).sent,
  substitution: cancellationXml({ ...cancelled, substitutedBy: emission({ model: 65 }, { number: 102 }).accessKey })
    .sent,
  void: voidXml({ ...told, stateCode: '35', year: '26', model: 65, series: 1, number: 7 }).sent,
};

test.each(Object.entries(WRITTEN))('the whole text of %s is known', (name, sent) => {
  const known = readFileSync(`test/fixtures/fiscal/${name}.xml`, 'utf8');
  expect(sent.replaceAll('><', '>\n<')).toBe(known.trimEnd());
});

test.each<[TaxRegime, string]>([
  ['SIMPLES', '1'],
  ['SIMPLES_EXCESS', '2'],
  ['NORMAL', '3'],
  ['MEI', '4'],
])('a store under %s says so with %s', (regime, code) => {
  const of = note({ issuer: issuer(regime), items: [item({ rule: ruleFor(regime) })] });
  expect(noteXml(of, emission(of)).sent).toContain(`<CRT>${code}</CRT></emit>`);
});

test('a state that takes no accents in the texts of events gets none', () => {
  const reason = 'Não houve negócio à vista';
  const said = (stateCode: string) =>
    /<xJust>(.*?)</.exec(
      cancellationXml({ ...cancelled, reason, accessKey: stateCode + accessKey.slice(2) }).sent,
    )?.[1];
  expect([said('51'), said('35')]).toEqual(['Nao houve negocio a vista', reason]);
});
