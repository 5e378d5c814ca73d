import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { taxesOf } from '../../../src/features/fiscal/domain/item-taxes.js';
import { isPastTrial, missingInRule } from '../../../src/features/fiscal/domain/missing.js';
import type { IcmsCode, TaxRegime, TaxRule } from '../../../src/features/fiscal/domain/tax-rules.js';
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

describe('what the facts compute by hand', () => {
  test('18 % of ICMS, then the contributions without it, then IBS and CBS without all of them', () => {
    const { icms, pis, cofins, reform } = taxesOf(item({ rule: ruleFor('NORMAL') }), {
      regime: 'NORMAL',
      issuedOn: '2026-11-20',
    });
    const amounts = [icms.amount, pis.base, pis.amount, cofins.amount, reform?.base, reform?.state.amount];
    expect([...amounts, reform?.cbs.amount].map(String)).toEqual([
      '3.49',
      '15.91',
      '0.26',
      '1.21',
      '14.44',
      '0.01',
      '0.13',
    ]);
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
    expect(interstateIcmsRate('BA', 'SP', 0)).toBe('12');
  });
});

test('contributions under 99 with a rate are computed from it', () => {
  const rule = { ...ruleFor('SIMPLES'), pis: { cst: '99', rate: d('0.65') } };
  expect(xmlOf('SIMPLES', rule)).toContain(
    '<PISOutr><CST>99</CST><vBC>19.40</vBC><pPIS>0.6500</pPIS><vPIS>0.13</vPIS></PISOutr>',
  );
});

describe('the taxable unit', () => {
  const goods = {
    variantId: 'v',
    code: 'F',
    description: 'Fardo',
    isService: false,
    gtin: null,
    ncm: '22021000',
    cest: null,
    unit: 'FD',
    priceCash: d('59.94'),
    taxRuleId: null,
    ownProduction: false,
    netWeightKg: null,
    tareKg: null,
    volumeSpecies: null,
    tribUnit: 'L' as string | null,
    tribUnitFactor: d('12') as Decimal | null,
    parts: undefined,
  };
  const taxed = (changes: Partial<typeof goods>) => {
    const sold = { quantity: d('4'), unitPrice: d('59.94'), total: d('239.76'), lots: [] };
    const { taxedUnit } = pricedItem({ ...sold, goods: { ...goods, ...changes } }, ruleFor('SIMPLES'));
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

  test('an operation that contradicts the tax', () => {
    expect(lacks(withIcms('NORMAL', '60', null))).toEqual(['taxRules.own.cfopInState']);
    expect(lacks({ ...withIcms('NORMAL', '60', null), cfopInState: '5405' })).toEqual([]);
    expect(lacks({ ...withIcms('NORMAL', '00', '18'), cfopInState: '5405' })).toEqual(['taxRules.own.cfopInState']);
    expect(lacks(withIcms('NORMAL', '60', null), { model: 55 })).toEqual([]);
  });

  test('codes of contributions that a sale does not have', () => {
    const rule = { ...ruleFor('NORMAL'), pis: { cst: '03', rate: null }, cofins: { cst: '10', rate: null } };
    expect(lacks(rule)).toEqual(['taxRules.own.pis.cst', 'taxRules.own.cofins.cst']);
  });

  test('a class of IBS and CBS that is not of its code', () => {
    const ibsCbs = {
      cst: '000',
      classCode: '200003',
      rates: { ibsState: d('0.1'), ibsCity: d('0'), cbs: d('0.9') },
      reductionPercent: null,
    };
    expect(lacks({ ...ruleFor('NORMAL'), ibsCbs })).toEqual(['taxRules.own.ibsCbs.classCode']);
  });

  test('rates of 2026 in a later year, but for trials', () => {
    const simples = { regime: 'SIMPLES', issuedOn: '2027-01-04' } as const;
    expect(lacks(ruleFor('SIMPLES'), simples)).toEqual(['taxRules.own.ibsCbs.rates']);
    expect(lacks(ruleFor('SIMPLES'), { ...simples, issuedOn: '2027-01-03' })).toEqual([]);
    expect(lacks(ruleFor('SIMPLES'), { ...simples, environment: 'HOMOLOGATION' })).toEqual([]);
    const rates = { ibsState: d('0.05'), ibsCity: d('0.05'), cbs: d('8.7') };
    const ibsCbs = { cst: '000', classCode: '000001', rates, reductionPercent: null };
    expect(lacks({ ...ruleFor('SIMPLES'), ibsCbs }, simples)).toEqual([]);
    expect(isPastTrial({ environment: 'PRODUCTION', issuedOn: '2026-12-31' })).toBe(false);
    expect(isPastTrial({ environment: 'PRODUCTION', issuedOn: '2027-01-01' })).toBe(true);
  });
});
