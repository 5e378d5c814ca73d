import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { taxesOf } from '../../../src/features/fiscal/domain/item-taxes.js';
import { isPastTrial, missingInItem, missingInRule } from '../../../src/features/fiscal/domain/missing.js';
import type { TaxRegime } from '../../../src/features/contracts/fiscal-settings.js';
import type { IcmsCode, TaxRule } from '../../../src/features/fiscal/domain/tax-rules.js';
import { pricedItem } from '../../../src/features/fiscal/domain/taxed-sale.js';
import { noteXml } from '../../../src/features/fiscal/domain/xml/note-xml.js';
import { interstateIcmsRate } from '../../../src/brazil/icms-rates.js';
import type { State } from '../../../src/brazil/states.js';
import { address, company, emission, issuer, item, note, ruleFor } from '../../support/fiscal/notes.js';

const d = (text: string): Decimal => Decimal.from(text);
const withIcms = (
  regime: TaxRegime,
  code: IcmsCode,
  rate: string | null,
  reduction: string | null = null,
): TaxRule => ({
  ...ruleFor(regime),
  icms: { code, rate: rate === null ? null : d(rate), baseReductionPercent: reduction === null ? null : d(reduction) },
});
const xmlOf = (regime: TaxRegime, rule: TaxRule): string =>
  noteXml(note({ model: 55, issuer: issuer(regime), items: [item({ rule })] }), emission({ model: 55 })).sent;

/** Four packs of twelve litres. */
const pack = {
  variantId: 'v',
  code: 'F',
  description: 'Fardo',
  isService: false,
  gtin: null,
  ncm: '22021000',
  cest: null,
  unit: 'FD',
  taxRuleId: null,
  ownProduction: false,
  netWeightKg: null,
  tareKg: null,
  volumeSpecies: null,
  tribUnit: 'L' as string | null,
  tribUnitFactor: d('12') as Decimal | null,
};

const sale = { model: 65, regime: 'NORMAL', toConsumer: true, issuedOn: '2026-11-20' } as const;

describe('what the facts compute by hand', () => {
  test('18 % of ICMS, then the contributions without it, then IBS and CBS without all of them', () => {
    const { icms, pis, cofins, reform } = taxesOf(item({ rule: ruleFor('NORMAL') }), sale);
    const { base, state, cbs } = reform?.computed ?? {};
    const amounts = [icms.amount, pis.base, pis.amount, cofins.amount, base, state?.amount];
    expect([...amounts, cbs?.amount].map(String)).toEqual(['3.49', '15.91', '0.26', '1.21', '14.44', '0.01', '0.13']);
  });
});

describe('ICMS', () => {
  test('under 90 and 900 is taxed where the rule has a rate, and only there', () => {
    expect(xmlOf('NORMAL', withIcms('NORMAL', '90', '18', '50'))).toContain(
      '<ICMS90><orig>0</orig><CST>90</CST><modBC>3</modBC><vBC>9.70</vBC><pRedBC>50.0000</pRedBC>' +
        '<pICMS>18.0000</pICMS><vICMS>1.75</vICMS></ICMS90>',
    );
    expect(xmlOf('SIMPLES', withIcms('SIMPLES', '900', '18'))).toContain(
      '<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN><modBC>3</modBC><vBC>19.40</vBC><pICMS>18.0000</pICMS><vICMS>3.49</vICMS></ICMSSN900>',
    );
    expect(xmlOf('SIMPLES', withIcms('SIMPLES', '900', '18'))).toContain('<vBC>19.40</vBC><vICMS>3.49</vICMS>');
    expect(xmlOf('SIMPLES', withIcms('SIMPLES', '900', null))).toContain(
      '<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN></ICMSSN900>',
    );
  });

  test.each<[IcmsCode, string | null, string | null, string, string]>([
    ['00', '18', null, '19.4', '3.49'],
    ['00', '18', '50', '19.4', '3.49'],
    ['20', '18', '50', '9.7', '1.75'],
    ['40', '18', null, '0', '0'],
    ['41', '18', null, '0', '0'],
    ['60', '18', '50', '0', '0'],
    ['90', null, null, '0', '0'],
  ])('under %s at %p, lowered by %p, has the base %s and comes to %s', (code, rate, reduction, base, amount) => {
    const { icms } = taxesOf(item({ rule: withIcms('NORMAL', code, rate, reduction) }), sale);
    expect([icms.base, icms.amount].map(String)).toEqual([base, amount]);
  });

  test('that was kept back before is told by unit, and is no part of the totals', () => {
    const withheldIcms = { unitBase: d('6.5'), rate: d('18'), unitOwnTax: d('0.6'), unitTax: d('0.57') };
    const told =
      '<vBCSTRet>13.00</vBCSTRet><pST>18.0000</pST><vICMSSubstituto>1.20</vICMSSubstituto><vICMSSTRet>1.14</vICMSSTRet>';
    const normal = xmlOf('NORMAL', { ...withIcms('NORMAL', '60', null), withheldIcms });
    expect(normal).toContain(`<ICMS60><orig>0</orig><CST>60</CST>${told}</ICMS60>`);
    expect(normal).toContain('<vBCST>0.00</vBCST><vST>0.00</vST>');
    const simples = xmlOf('SIMPLES', {
      ...withIcms('SIMPLES', '500', null),
      withheldIcms: { ...withheldIcms, unitOwnTax: null },
    });
    expect(simples).toContain('<pST>18.0000</pST><vICMSSTRet>1.14</vICMSSTRet></ICMSSN500>');
    expect(xmlOf('NORMAL', { ...withIcms('NORMAL', '00', '18'), withheldIcms })).not.toContain('vBCSTRet');
  });

  test('under a benefit names its code', () => {
    const rule = { ...withIcms('NORMAL', '41', null), benefitCode: 'PR810001' };
    expect(xmlOf('NORMAL', rule)).toMatch(/<NCM>19059090<\/NCM><cBenef>PR810001<\/cBenef><CFOP>/);
  });
});

describe('ICMS between states', () => {
  const rateTo = (state: State, cityCode: string, changes: Partial<TaxRule> = {}) => {
    const recipient = company({ address: address(state, cityCode) });
    const of = note({
      model: 55,
      issuer: issuer('NORMAL'),
      recipient,
      items: [item({ rule: { ...ruleFor('NORMAL'), ...changes } })],
    });
    return /<pICMS>([^<]*)/.exec(noteXml(of, emission({ model: 55 })).sent)?.[1];
  };

  test('has the rate between the two where a taxpayer buys, unless the rule has a lower one', () => {
    expect([rateTo('SP', '3550308'), rateTo('RJ', '3304557'), rateTo('BA', '2927408')]).toEqual([
      '18.0000',
      '12.0000',
      '7.0000',
    ]);
    expect(rateTo('RJ', '3304557', { origin: 1 })).toBe('4.0000');
    expect(rateTo('RJ', '3304557', withIcms('NORMAL', '00', '7'))).toBe('7.0000');
    expect(rateTo('RJ', '3304557', withIcms('NORMAL', '40', null))).toBeUndefined();
    expect(interstateIcmsRate('BA', 'SP', 0)).toBe('12');
  });
});

test.each([
  ['01', '1.65', '19.4', '0.32'],
  ['02', '0.65', '19.4', '0.13'],
  ['02', null, '19.4', '0'],
  ['04', '1.65', '0', '0'],
  ['06', '1.65', '0', '0'],
  ['49', '1.65', '19.4', '0.32'],
  ['49', null, '0', '0'],
  ['99', '1.65', '19.4', '0.32'],
])('contributions under %s at %p have the base %s and come to %s', (cst, rate, base, amount) => {
  const pis = { cst, rate: rate === null ? null : d(rate), unitAmount: d('5') };
  const taxes = taxesOf(item({ rule: { ...ruleFor('SIMPLES'), pis } }), sale);
  expect([taxes.pis.base, taxes.pis.amount].map(String)).toEqual([base, amount]);
});

test('contributions under 99 with a rate are computed from it', () => {
  const rule = { ...ruleFor('SIMPLES'), pis: { cst: '99', rate: d('0.65') } };
  expect(xmlOf('SIMPLES', rule)).toContain(
    '<PISOutr><CST>99</CST><vBC>19.40</vBC><pPIS>0.6500</pPIS><vPIS>0.13</vPIS></PISOutr>',
  );
});

describe('IPI', () => {
  const rule: TaxRule = { ...ruleFor('NORMAL'), ipi: { cst: '50', legalCode: '999', rate: d('10') } };
  const sold = (model: 55 | 65) =>
    pricedItem({ goods: pack, quantity: d('4'), unitPrice: d('59.94'), total: d('239.76'), lots: [] }, rule, model);
  const noteOf = (changes: Parameters<typeof note>[0]) =>
    noteXml(note({ issuer: issuer('NORMAL'), recipient: company(), ...changes }), emission({ model: 55 })).sent;

  test('is taken out of the price, and no part of the base of ICMS for who sells further', () => {
    const xml = noteOf({ model: 55, items: [sold(55)] });
    expect(xml).toContain('<vUnCom>54.49</vUnCom><vProd>217.96</vProd>');
    expect(xml).toContain(
      '</ICMS><IPI><cEnq>999</cEnq><IPITrib><CST>50</CST><vBC>217.96</vBC><pIPI>10.0000</pIPI><vIPI>21.80</vIPI></IPITrib></IPI><PIS>',
    );
    expect(xml).toContain('<vBC>217.96</vBC><pICMS>18.0000</pICMS><vICMS>39.23</vICMS>');
    expect(xml).toContain('<vII>0.00</vII><vIPI>21.80</vIPI><vIPIDevol>0.00</vIPIDevol>');
    expect(xml).toContain('<vNF>239.76</vNF>');
    expect(xml).toContain('<vItem>239.76</vItem>');
  });

  test('is part of the base of ICMS for a consumer', () => {
    const xml = noteOf({ model: 55, items: [sold(55)], recipient: company({ stateRegistration: null }) });
    expect(xml).toContain('<vBC>239.76</vBC><pICMS>18.0000</pICMS><vICMS>43.16</vICMS>');
    // Without IPI, and without the ICMS on both.
    expect(xml).toContain('<PISAliq><CST>01</CST><vBC>174.80</vBC>');
  });

  test('that is not due has its code alone', () => {
    const free = { ...rule, ipi: { cst: '51' as const, legalCode: '999', rate: null } };
    expect(xmlOf('NORMAL', free)).toContain('<IPI><cEnq>999</cEnq><IPINT><CST>51</CST></IPINT></IPI>');
    const other = { ...rule, ipi: { cst: '99' as const, legalCode: '999', rate: null } };
    expect(xmlOf('NORMAL', other)).toContain(
      '<IPITrib><CST>99</CST><vBC>0.00</vBC><pIPI>0.0000</pIPI><vIPI>0.00</vIPI></IPITrib>',
    );
  });

  test('stands in no consumer’s note', () => {
    const xml = noteXml(note({ items: [sold(65)], recipient: null }), emission({ model: 65 })).sent;
    expect(xml).toContain('<vProd>239.76</vProd>');
    expect(xml).not.toContain('<IPI>');
  });
});

describe('contributions by quantity', () => {
  const rule: TaxRule = {
    ...ruleFor('NORMAL'),
    pis: { cst: '03', rate: null, unitAmount: d('0.0294') },
    cofins: { cst: '03', rate: null, unitAmount: d('0.1376') },
  };

  test('count the taxable units, and lower the base of IBS and CBS', () => {
    const sold = { goods: pack, quantity: d('4'), unitPrice: d('59.94'), total: d('239.76'), lots: [] };
    const of = note({ model: 55, issuer: issuer('NORMAL'), items: [pricedItem(sold, rule, 55)] });
    const { sent } = noteXml(of, emission({ model: 55 }));
    expect(sent).toContain(
      '<PIS><PISQtde><CST>03</CST><qBCProd>48.0000</qBCProd><vAliqProd>0.0294</vAliqProd><vPIS>1.41</vPIS></PISQtde></PIS>',
    );
    expect(sent).toContain('<vAliqProd>0.1376</vAliqProd><vCOFINS>6.60</vCOFINS>');
    expect(sent).toContain('<vPIS>1.41</vPIS><vCOFINS>6.60</vCOFINS><vOutro>');
    // 239.76 − 43.16 − 1.41 − 6.60
    expect(sent).toContain('<gIBSCBS><vBC>188.59</vBC>');
  });

  test('that come to more than was paid leave no base of IBS and CBS below zero', () => {
    const given = { goods: pack, quantity: d('4'), unitPrice: d('0'), total: d('0'), lots: [] };
    const of = note({ model: 55, issuer: issuer('NORMAL'), items: [pricedItem(given, rule, 55)] });
    const { sent } = noteXml(of, emission({ model: 55 }));
    expect(sent).toContain('<vPIS>1.41</vPIS><vCOFINS>6.60</vCOFINS><vOutro>');
    expect(sent).toContain('<gIBSCBS><vBC>0.00</vBC>');
    expect(sent).not.toContain('>-');
  });

  test('count what is sold where there is no other unit', () => {
    expect(xmlOf('NORMAL', rule)).toContain('<qBCProd>2.0000</qBCProd><vAliqProd>0.0294</vAliqProd><vPIS>0.06</vPIS>');
  });
});

describe('classes of IBS and CBS under which nothing is computed', () => {
  test.each(['400', '410', '820'])('have their code %s alone, and no part in the totals', (cst) => {
    const rates = { ibsState: d('0.1'), ibsCity: d('0'), cbs: d('0.9') };
    const ibsCbs = { cst, classCode: `${cst}999`, rates, reductionPercent: null };
    const xml = xmlOf('NORMAL', { ...ruleFor('NORMAL'), ibsCbs });
    expect(xml).toContain(`<IBSCBS><CST>${cst}</CST><cClassTrib>${cst}999</cClassTrib></IBSCBS>`);
    expect(xml).toContain('<IBSCBSTot><vBCIBSCBS>0.00</vBCIBSCBS>');
  });
});

describe('what a consumer is told of taxes (law 12,741)', () => {
  const approximateTaxes = { federal: d('13.45'), state: d('18'), city: d('0'), source: 'IBPT' };
  const rule: TaxRule = { ...ruleFor('SIMPLES'), approximateTaxes };

  test('stands at the item, in the totals and in words with its source', () => {
    const { sent } = noteXml(note({ items: [item({ rule }), item()] }), emission({ model: 65 }));
    expect(sent).toContain('<imposto><vTotTrib>6.10</vTotTrib><ICMS>');
    expect(sent).toContain('<vNF>38.80</vNF><vTotTrib>6.10</vTotTrib></ICMSTot>');
    expect(sent).toContain(
      'SIMPLES NACIONAL. Tributos aproximados (Lei 12.741/2012): R$ 2,61 federais, R$ 3,49 estaduais. Fonte: IBPT</infCpl>',
    );
  });

  test('names the city’s part where there is one, and each source once', () => {
    const taxes = { ...approximateTaxes, city: d('2.5') };
    const items = ['IBPT', 'FECOMERCIO', 'IBPT'].map((source) =>
      item({ rule: { ...rule, approximateTaxes: { ...taxes, source } } }),
    );
    expect(noteXml(note({ items }), emission({ model: 65 })).sent).toContain(
      'R$ 7,83 federais, R$ 10,47 estaduais, R$ 1,47 municipais. Fonte: IBPT, FECOMERCIO</infCpl>',
    );
  });

  test('is not told to who sells further', () => {
    const of = note({ model: 55, recipient: company(), items: [item({ rule })] });
    expect(noteXml(of, emission({ model: 55 })).sent).not.toContain('Tributos');
  });
});

test('the credit that a buyer takes of a small company’s tax is told in words', () => {
  const xml = xmlOf('SIMPLES', withIcms('SIMPLES', '101', '1.25'));
  expect(xml).toContain('<pCredSN>1.2500</pCredSN><vCredICMSSN>0.24</vCredICMSSN>');
  expect(xml).toContain('NO VALOR DE R$ 0,24, CORRESPONDENTE A ALIQUOTA DE 1,25%');
});

describe('the taxable unit', () => {
  const goods = pack;
  const taxed = (changes: Partial<typeof goods>) => {
    const sold = { quantity: d('4'), unitPrice: d('59.94'), total: d('239.76'), lots: [] };
    const { taxedUnit } = pricedItem({ ...sold, goods: { ...goods, ...changes } }, ruleFor('SIMPLES'), 65);
    return taxedUnit && [taxedUnit.unit, String(taxedUnit.quantity), String(taxedUnit.price)];
  };

  test('counts by the factor, in the unit of the sale where there is no other', () => {
    expect(taxed({})).toEqual(['L', '48', '4.995']);
    expect(taxed({ tribUnit: null })).toEqual(['FD', '48', '4.995']);
  });

  test('is the unit of the sale without a factor', () => {
    expect(taxed({ tribUnitFactor: null })).toBeNull();
  });
});

describe('a rule that does not fit is named before a number is taken', () => {
  const use = { regime: 'NORMAL', model: 65, environment: 'PRODUCTION', issuedOn: '2026-11-20' } as const;
  const lacks = (rule: TaxRule, changes: Partial<Parameters<typeof missingInRule>[1]> = {}) =>
    missingInRule(rule, { ...use, ...changes });

  test('codes that a consumer’s note does not take', () => {
    expect(lacks(withIcms('NORMAL', '50', null))).toEqual(['taxRules.own.icms.code']);
    expect(lacks(withIcms('NORMAL', '50', null), { model: 55 })).toEqual([]);
    expect(lacks(withIcms('SIMPLES', '101', '2'), { regime: 'SIMPLES' })).toEqual(['taxRules.own.icms.code']);
  });

  test('a rate that a code needs, and by how much it lowers the base', () => {
    const needed = (rule: TaxRule) => lacks(rule).map((path) => path.replace('taxRules.own.icms.', ''));
    expect(needed(withIcms('NORMAL', '00', null))).toEqual(['rate']);
    expect(needed(withIcms('NORMAL', '20', '18'))).toEqual(['baseReductionPercent']);
    expect(needed(withIcms('NORMAL', '20', '18', '50'))).toEqual([]);
    expect(needed(withIcms('NORMAL', '90', null))).toEqual([]);
  });

  test('goods whose tax was paid before have a CEST, and no goods are without a rule', () => {
    const sold = { quantity: d('1'), unitPrice: d('1'), total: d('1'), lots: [] };
    const wanting = (code: IcmsCode, cest: string | null) =>
      missingInItem({ ...sold, goods: { ...pack, cest } }, withIcms('NORMAL', code, '18'));
    expect([wanting('60', null), wanting('60', '170'), wanting('500', '')]).toEqual(Array(3).fill(['products.v.cest']));
    expect([wanting('60', '1700100'), wanting('00', null)]).toEqual([[], []]);
    expect(missingInItem({ ...sold, goods: pack }, undefined)).toEqual(['products.v.taxRuleId']);
  });

  test('an operation that contradicts the tax', () => {
    expect(lacks(withIcms('NORMAL', '60', null))).toEqual(['taxRules.own.cfopInState']);
    expect(lacks({ ...withIcms('NORMAL', '60', null), cfopInState: '5405' })).toEqual([]);
    expect(lacks({ ...withIcms('NORMAL', '00', '18'), cfopInState: '5405' })).toEqual(['taxRules.own.cfopInState']);
    expect(lacks(withIcms('NORMAL', '60', null), { model: 55 })).toEqual([]);
  });

  test('a contribution may have the codes of what leaves, and of what the layout calls other', () => {
    const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'));
    const taken = codes.filter((cst) => {
      const pis = { cst, rate: d('1'), unitAmount: d('1') };
      return lacks({ ...ruleFor('NORMAL'), pis }).length === 0;
    });
    expect(taken.join(' ')).toBe(
      '01 02 03 04 05 06 07 08 09 49 50 51 52 53 54 55 56 60 61 62 63 64 65 66 67 70 71 72 73 74 75 98 99',
    );
  });

  test('codes of contributions that a sale does not have, and what a code needs', () => {
    const rule = { ...ruleFor('NORMAL'), pis: { cst: '03', rate: null }, cofins: { cst: '10', rate: null } };
    expect(lacks(rule)).toEqual(['taxRules.own.pis.unitAmount', 'taxRules.own.cofins.cst']);
    expect(lacks({ ...ruleFor('NORMAL'), pis: { cst: '03', rate: null, unitAmount: d('0.5') } })).toEqual([]);
  });

  test('IPI with a rate in a consumer’s note, or of a small company, and without one where it is due', () => {
    const ipi = (cst: '50' | '51', rate: string | null) => ({
      ...ruleFor('NORMAL'),
      ipi: { cst, legalCode: '999', rate: rate === null ? null : d(rate) },
    });
    expect(lacks(ipi('50', '10'))).toEqual(['taxRules.own.ipi.rate']);
    expect(lacks(ipi('50', '10'), { model: 55 })).toEqual([]);
    expect(lacks(ipi('50', null), { model: 55 })).toEqual(['taxRules.own.ipi.rate']);
    expect(lacks(ipi('51', '10'), { model: 55 })).toEqual(['taxRules.own.ipi.rate']);
    expect(lacks(ipi('51', null))).toEqual([]);
    const simples = { ...ipi('50', '10'), ...withIcms('SIMPLES', '102', null), ipi: ipi('50', '10').ipi };
    expect(lacks(simples, { model: 55, regime: 'SIMPLES' })).toEqual(['taxRules.own.ipi.rate']);
  });

  test('a class of IBS and CBS that is not of its code', () => {
    const ibsCbs = {
      cst: '000',
      classCode: '200003',
      rates: { ibsState: d('0.1'), ibsCity: d('0'), cbs: d('0.9') },
      reductionPercent: null,
    };
    expect(lacks({ ...ruleFor('NORMAL'), ibsCbs })).toEqual(['taxRules.own.ibsCbs.classCode']);
    // Deferred: the layout has a part for it that is not written here.
    const deferred = { ...ibsCbs, cst: '510', classCode: '510001' };
    expect(lacks({ ...ruleFor('NORMAL'), ibsCbs: deferred })).toEqual(['taxRules.own.ibsCbs.cst']);
    // Nothing is computed, so that no rates are needed either.
    const immune = { ...ibsCbs, cst: '410', classCode: '410999' };
    const later = { regime: 'SIMPLES', issuedOn: '2027-01-04' } as const;
    expect(lacks({ ...ruleFor('SIMPLES'), ibsCbs: immune }, later)).toEqual([]);
  });

  test('rates of 2026 in a later year, but for trials', () => {
    const simples = { regime: 'SIMPLES', issuedOn: '2027-01-04' } as const;
    expect(lacks(ruleFor('SIMPLES'), simples)).toEqual(['taxRules.own.ibsCbs.rates']);
    expect(lacks(ruleFor('SIMPLES'), { ...simples, issuedOn: '2027-01-03' })).toEqual([]);
    expect(lacks(ruleFor('SIMPLES'), { ...simples, environment: 'HOMOLOGATION' })).toEqual([]);
    const trial = { ibsState: d('0.1'), ibsCity: d('0'), cbs: d('0.9') };
    const rates = { ibsState: d('0.05'), ibsCity: d('0.05'), cbs: d('8.7') };
    const told = (own: Partial<typeof rates>) => {
      const ibsCbs = { cst: '000', classCode: '000001', rates: { ...trial, ...own }, reductionPercent: null };
      return lacks({ ...ruleFor('SIMPLES'), ibsCbs }, simples);
    };
    expect(told({})).toEqual(['taxRules.own.ibsCbs.rates']);
    expect([told({ ibsState: rates.ibsState }), told({ ibsCity: rates.ibsCity }), told({ cbs: rates.cbs })]).toEqual([
      [],
      [],
      [],
    ]);
    expect(isPastTrial({ environment: 'PRODUCTION', issuedOn: '2026-12-31' })).toBe(false);
    expect(isPastTrial({ environment: 'PRODUCTION', issuedOn: '2027-01-01' })).toBe(true);
  });
});
