import { beforeAll, describe, expect, test } from '@jest/globals';
import { DOMParser } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import type { Emission, Note } from '../../../src/features/fiscal/domain/note.js';
import {
  cancellationXml,
  eventDocument,
  voidDocument,
  voidXml,
} from '../../../src/features/fiscal/domain/xml/event-xml.js';
import { writtenNote } from '../../support/fiscal/written-note.js';
import { identityOf, selfSignedCertificate } from '../../../src/features/fiscal/signing/certificates.js';
import type { Identity } from '../../../src/features/fiscal/signing/xml-signature.js';
import { signatureOf } from '../../../src/features/fiscal/signing/xml-signature.js';
import { address, company, emission, issuer, item, note, person, ruleFor, TAX_ID } from '../../support/fiscal/notes.js';
import { keepSample } from '../../support/fiscal/samples.js';

const d = (text: string): Decimal => Decimal.from(text);

let identity: Identity;
let certificatePem: string;
beforeAll(async () => {
  const certificate = await selfSignedCertificate(TAX_ID, 'Padaria', Date.now());
  certificatePem = certificate.chain[0] ?? '';
  identity = identityOf(certificate);
});

/** What another implementation of XML signatures says of it. */
function isSigned(xml: string): boolean {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const signature = [...Array.from(document.getElementsByTagName('Signature'))][0];
  const verifier = new SignedXml({ publicCert: certificatePem });
  verifier.loadSignature(signature as unknown as Parameters<SignedXml['loadSignature']>[0]);
  return verifier.checkSignature(xml);
}

const offline = { since: '2026-11-20T10:15:00-03:00', reason: 'Sem comunicação com a autorizadora' };
const normalItem = item({ rule: ruleFor('NORMAL') });
const reduced = {
  ...ruleFor('NORMAL'),
  icms: { code: '20' as const, rate: d('18'), baseReductionPercent: d('33.33') },
};
const coded = (code: '101' | '500' | '900' | '40' | '60', regime: 'SIMPLES' | 'NORMAL') =>
  item({ cest: '1700100', rule: { ...ruleFor(regime), icms: { code, rate: d('1.25'), baseReductionPercent: null } } });
const withheld = {
  ...ruleFor('NORMAL'),
  icms: { code: '60' as const, rate: null, baseReductionPercent: null },
  withheldIcms: { unitBase: d('6.5'), rate: d('18'), unitOwnTax: d('0.6'), unitTax: d('0.57') },
};
const basket = {
  ...ruleFor('NORMAL'),
  pis: { cst: '06', rate: null },
  cofins: { cst: '06', rate: null },
  ibsCbs: {
    cst: '200',
    classCode: '200003',
    rates: { ibsState: d('0.1'), ibsCity: d('0'), cbs: d('0.9') },
    reductionPercent: d('100'),
  },
};

const industry = { ...ruleFor('NORMAL'), ipi: { cst: '50' as const, legalCode: '999', rate: d('10') } };
const approximateTaxes = { federal: d('13.45'), state: d('18'), city: d('0'), source: 'IBPT 26.2.A' };
const unrated = (cst: string, classCode: string) => ({ ...basket, ibsCbs: { ...basket.ibsCbs, cst, classCode } });

const KINDS: Readonly<Record<string, readonly [Note, Partial<Emission>?]>> = {
  'consumer-unknown': [note()],
  'consumer-person': [note({ recipient: person })],
  'consumer-offline': [note({ recipient: person }), { emissionType: 9, contingency: offline }],
  'consumer-offline-unknown': [note(), { emissionType: 9, contingency: offline }],
  'consumer-production': [note({ environment: 'PRODUCTION' })],
  'consumer-payments': [
    note({
      payments: [
        {
          code: '17',
          description: null,
          amount: d('1.40'),
          later: false,
          card: { brand: null, authorization: 'E00000000202611201015abcdefghijk', acquirerTaxId: null },
        },
        {
          code: '03',
          description: null,
          amount: d('8'),
          later: true,
          card: { brand: '01', authorization: '123456', acquirerTaxId: '01027058000191' },
        },
        { code: '01', description: null, amount: d('12'), later: false, card: null },
        { code: '99', description: 'Vale', amount: d('0.01'), later: false, card: null },
      ],
      change: d('2.01'),
    }),
  ],
  'consumer-lots': [
    note({
      items: [item({ lots: [{ code: 'L-1', quantity: d('2'), madeOn: '2026-11-19', expiresOn: '2026-11-25' }] })],
    }),
  ],
  'consumer-mei': [note({ issuer: issuer('MEI') })],
  'consumer-normal': [note({ issuer: issuer('NORMAL'), items: [normalItem, item({ rule: basket })] })],
  'consumer-excess': [note({ issuer: issuer('SIMPLES_EXCESS'), items: [item({ rule: ruleFor('SIMPLES_EXCESS') })] })],
  'consumer-2027': [note(), { issuedOn: '2027-01-04' }],
  'company-simples': [
    note({
      model: 55,
      recipient: company(),
      items: [item(), coded('101', 'SIMPLES'), coded('500', 'SIMPLES'), coded('900', 'SIMPLES')],
    }),
  ],
  'company-normal': [
    note({
      model: 55,
      issuer: issuer('NORMAL'),
      recipient: company(),
      items: [normalItem, item({ rule: reduced }), coded('40', 'NORMAL'), coded('60', 'NORMAL')],
    }),
  ],
  'company-other-situations': [
    note({
      model: 55,
      issuer: issuer('NORMAL'),
      recipient: company(),
      items: [
        item({ cest: '1700100', rule: { ...withheld, benefitCode: 'SP123456' } }),
        item({ rule: { ...reduced, icms: { ...reduced.icms, code: '90' }, pis: { cst: '99', rate: d('0.65') } } }),
        item({ rule: { ...reduced, icms: { code: '90', rate: null, baseReductionPercent: null } } }),
      ],
    }),
  ],
  'company-simples-other-situations': [
    note({
      model: 55,
      recipient: company(),
      items: [
        item({
          cest: '1700100',
          rule: { ...withheld, ...ruleFor('SIMPLES'), icms: { ...withheld.icms, code: '500' } },
        }),
        item({ rule: { ...ruleFor('SIMPLES'), icms: { ...reduced.icms, code: '900' } } }),
      ],
    }),
  ],
  'company-industry': [
    note({
      model: 55,
      issuer: issuer('NORMAL'),
      recipient: company(),
      items: [
        item({ rule: industry, gross: d('18.22'), unitPrice: d('9.11'), industryTax: d('1.76') }),
        item({ rule: { ...industry, ipi: { cst: '53', legalCode: '999', rate: null } } }),
        item({ rule: { ...industry, ipi: { cst: '99', legalCode: '601', rate: null } } }),
        item({
          taxedUnit: { unit: 'L', quantity: d('12.5'), price: d('1.5984') },
          rule: {
            ...industry,
            ipi: null,
            pis: { cst: '03', rate: null, unitAmount: d('0.0294') },
            cofins: { cst: '03', rate: null, unitAmount: d('0.1376') },
          },
        }),
        item({ rule: unrated('410', '410999') }),
      ],
    }),
  ],
  'consumer-approximate-taxes': [
    note({
      issuer: issuer('NORMAL'),
      items: [item({ rule: { ...ruleFor('NORMAL'), approximateTaxes } }), item({ rule: unrated('400', '400001') })],
    }),
  ],
  'consumer-unrated-alone': [note({ issuer: issuer('NORMAL'), items: [item({ rule: unrated('410', '410999') })] })],
  'company-exempt-other-state': [
    note({ model: 55, recipient: company({ stateRegistration: 'ISENTO', address: address('RJ', '3304557') }) }),
  ],
  'company-person': [note({ model: 55, recipient: { ...person, address: address() } })],
  'company-taxed-unit': [
    note({
      model: 55,
      recipient: company(),
      items: [
        item({
          unit: 'FD',
          quantity: d('4'),
          unitPrice: d('59.94'),
          gross: d('239.76'),
          discount: d('0'),
          taxedUnit: { unit: 'L', quantity: d('48'), price: d('4.995') },
        }),
      ],
      technicalContact: { taxId: TAX_ID, name: 'Suporte', email: 'suporte@example.com', phone: '1133334444' },
    }),
  ],
};

describe('a document of every kind', () => {
  test.each(Object.entries(KINDS))(
    '%s is signed so that others find the signature right',
    async (name, [of, changes]) => {
      const made = emission(of, changes);
      const settings = { qrCode: { code: undefined } };
      const { xml } = await writtenNote(of, made, settings, identity);
      keepSample(`note-${name}`, xml);
      expect(isSigned(xml)).toBe(true);
      expect(isSigned(xml.replace('<natOp>VENDA', '<natOp>Venda'))).toBe(false);
    },
  );

  test('an event of cancellation and a voided number are signed as well', async () => {
    const key = emission({ model: 65 }).accessKey;
    const reason = 'Cliente desistiu da compra';
    const at = '2026-11-20T10:20:30-03:00';
    const cancelled = cancellationXml({
      environment: 'HOMOLOGATION',
      taxId: TAX_ID,
      accessKey: key,
      protocol: '135260000000001',
      reason,
      at,
    });
    const event = eventDocument(cancelled.sent, await signatureOf(cancelled, identity));
    keepSample('event-cancellation', event);
    expect(isSigned(event)).toBe(true);
    const voided = voidXml({
      environment: 'HOMOLOGATION',
      stateCode: '35',
      year: '26',
      taxId: TAX_ID,
      model: 65,
      series: 1,
      number: 7,
      reason,
    });
    const request = voidDocument(voided.sent, await signatureOf(voided, identity));
    keepSample('void', request);
    expect(isSigned(request)).toBe(true);
  });
});
