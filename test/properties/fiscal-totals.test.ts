import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { KitPart, TaxedLine, TaxedPayment } from '../../src/features/contracts/sales-to-tax.js';
import { accessKey } from '../../src/features/fiscal/domain/access-key.js';
import { paidOf } from '../../src/features/fiscal/domain/taxed-payments.js';
import type { GoodsFacts } from '../../src/features/fiscal/domain/taxed-sale.js';
import { pricedItem, soldItems } from '../../src/features/fiscal/domain/taxed-sale.js';
import { noteXml } from '../../src/features/fiscal/domain/xml/note-xml.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { TaxRule } from '../../src/features/fiscal/domain/tax-rules.js';
import { company, emission, goodsOf, issuer, note, paymentOf, ruleFor, TAX_ID } from '../support/fiscal/notes.js';

/** `FISCAL_SALES=10000` for a thorough run. */
const RUNS = Number(process.env['FISCAL_SALES'] ?? 400);

const cents = (value: number): Decimal => Decimal.from((value / 100).toFixed(2));
const micro = (value: number): Decimal => Decimal.from((value / 1_000_000).toFixed(6));

interface Line {
  readonly quantity: Decimal;
  readonly price: Decimal;
  /** Parts in a hundred of what the line costs: given as a discount, and of what is left returned before. */
  readonly discount: number;
  readonly returned: number;
  readonly parts: readonly { readonly quantity: Decimal; readonly price: Decimal }[];
  readonly factor: number | null;
}

const line: fc.Arbitrary<Line> = fc.record({
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 500 }).map((units) => Decimal.from(units)),
    fc.integer({ min: 1, max: 20_000_000 }).map(micro),
  ),
  price: fc.integer({ min: 1, max: 200_000 }).map(cents),
  discount: fc.constantFrom(0, 0, 3, 33, 99),
  returned: fc.constantFrom(0, 0, 10, 50),
  parts: fc.oneof(
    fc.constant([]),
    fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 12 }).map((units) => Decimal.from(units)),
        price: fc.integer({ min: 0, max: 5_000 }).map(cents),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  ),
  factor: fc.constantFrom(null, null, 12, 3),
});

function saleOf(lines: readonly Line[]) {
  const goods = new Map<string, GoodsFacts>();
  const kits = new Map<string, readonly KitPart[]>();
  const taxed = lines.map(({ quantity, price, discount, returned, parts, factor }, index): TaxedLine => {
    const variantId = `v${String(index)}`;
    const components = parts.map((part, at) => {
      const id = `${variantId}p${String(at)}`;
      goods.set(id, goodsOf(id));
      return { variantId: id, quantity: part.quantity, priceCash: part.price };
    });
    const isKit = components.length > 0;
    if (isKit) kits.set(variantId, components);
    const taxedUnit = factor === null ? {} : { tribUnit: 'KG', tribUnitFactor: Decimal.from(factor) };
    goods.set(variantId, goodsOf(variantId, isKit ? { ncm: null } : taxedUnit));
    const gross = quantity.times(price).round(2);
    const paid = gross.minus(gross.times(Decimal.from(discount)).dividedBy(Decimal.hundred).round(2));
    const kept = Decimal.from(100 - returned).dividedBy(Decimal.hundred);
    return {
      variantId,
      description: 'Pão',
      unit: 'UN',
      unitPrice: price,
      lots: [],
      quantity: quantity.times(kept).round(6).max(micro(1)),
      total: paid.times(kept).round(2),
    };
  });
  return { taxed, goods, kits, paid: Decimal.sum(lines.map(({ quantity, price }) => quantity.times(price).round(2))) };
}

/** What was paid before anything came back: a card, PIX, and cash with change. */
function paymentsOf(total: Decimal, change: number): readonly TaxedPayment[] {
  const third = total.dividedBy(Decimal.from(3)).round(2);
  const rest = total.minus(third).minus(third);
  const all: readonly TaxedPayment[] = [
    paymentOf('CREDIT', third, { installments: 2 }),
    paymentOf('PIX', third),
    paymentOf('CASH', rest, { tendered: rest.plus(cents(change)) }),
  ];
  return all.filter(({ amount }) => amount.isPositive);
}

const valuesOf = (xml: string, name: string): readonly Decimal[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => Decimal.from(text ?? ''));
const sumOf = (xml: string, name: string): Decimal => Decimal.sum(valuesOf(xml, name));
const within = (xml: string, name: string): string => new RegExp(`<${name}>.*?</${name}>`, 's').exec(xml)?.[0] ?? '';

test('the totals of a document are those of its sale, to the cent', () => {
  const sales = fc.array(line, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(sales, fc.integer({ min: 0, max: 5_000 }), (lines, change) => {
      const { taxed, goods, kits, paid } = saleOf(lines);
      const total = Decimal.sum(taxed.map((one) => one.total));
      const items = soldItems(taxed, goods, kits).map((item) => pricedItem(item, ruleFor('SIMPLES'), 65));
      const { payments, change: given } = paidOf(paymentsOf(paid, change), total, () => ({
        brandCode: null,
        acquirerTaxId: null,
      }));
      const { sent } = noteXml(note({ items, payments, change: given }), emission({ model: 65 }));

      const totals = within(sent, 'ICMSTot');
      expect(within(totals, 'vNF')).toBe(`<vNF>${total.toNumber().toFixed(2)}</vNF>`);
      const details = [...sent.matchAll(/<det .*?<\/det>/gs)].map(([text]) => text);
      const all = details.join('');
      for (const name of ['vProd', 'vDesc']) {
        expect(sumOf(totals, name).toString()).toBe(sumOf(all, name).toString());
      }
      expect(sumOf(all, 'vProd').minus(sumOf(all, 'vDesc')).toString()).toBe(total.toString());
      const paidIn = within(sent, 'pag');
      expect(sumOf(paidIn, 'vPag').minus(sumOf(paidIn, 'vTroco')).toString()).toBe(total.toString());
      const tolerance = cents(1);
      for (const detail of details) {
        const [value = Decimal.zero] = valuesOf(detail, 'vProd');
        for (const [quantity, price] of [
          ['qCom', 'vUnCom'],
          ['qTrib', 'vUnTrib'],
        ] as const) {
          const product = sumOf(detail, quantity).times(sumOf(detail, price));
          expect(product.round(2).minus(value).abs().greaterThan(tolerance)).toBe(false);
        }
        expect(sumOf(detail, 'vDesc').greaterThan(value)).toBe(false);
      }
    }),
    { numRuns: RUNS },
  );
});

test('IPI is taken out of what was paid, and comes to its rate within a cent', () => {
  const rate = fc.integer({ min: 1, max: 600_000 }).map((parts) => Decimal.from((parts / 10_000).toFixed(4)));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), rate, (lines, percent) => {
      const { taxed, goods, kits } = saleOf(lines);
      const rule: TaxRule = { ...ruleFor('NORMAL'), ipi: { cst: '50', legalCode: '999', rate: percent } };
      const items = soldItems(taxed, goods, kits).map((item) => pricedItem(item, rule, 55));
      const of = note({ model: 55, issuer: issuer('NORMAL'), items, recipient: company() });
      const { sent } = noteXml(of, emission({ model: 55 }));
      const totals = within(sent, 'ICMSTot');
      const total = Decimal.sum(taxed.map((one) => one.total));
      expect(sumOf(totals, 'vNF').toString()).toBe(total.toString());
      const parts = sumOf(totals, 'vProd').minus(sumOf(totals, 'vDesc')).plus(sumOf(totals, 'vIPI'));
      expect(parts.toString()).toBe(total.toString());
      for (const [detail] of sent.matchAll(/<det .*?<\/det>/gs)) {
        const group = within(detail, 'IPITrib');
        const due = sumOf(group, 'vBC').timesRatio(percent, Decimal.hundred, 2);
        expect(due.minus(sumOf(group, 'vIPI')).abs().greaterThan(cents(1))).toBe(false);
        const product = sumOf(detail, 'qCom').times(sumOf(detail, 'vUnCom'));
        expect(product.round(2).minus(sumOf(detail, 'vProd')).abs().greaterThan(cents(1))).toBe(false);
        expect(sumOf(detail, 'vDesc').greaterThan(sumOf(detail, 'vProd'))).toBe(false);
      }
    }),
    { numRuns: RUNS },
  );
});

test('the last digit of every key is the sum of its others, modulo 11', () => {
  const part = (max: number) => fc.integer({ min: 1, max });
  fc.assert(
    fc.property(
      part(999),
      part(999_999_999),
      part(99_999_999),
      fc.constantFrom('11222333000181', '12ABC34501DE35'),
      (series, number, code, taxId) => {
        const key = accessKey({
          stateCode: '35',
          issuedOn: '2026-11-20',
          taxId,
          model: 65,
          series,
          number,
          emissionType: 1,
          randomCode: String(code).padStart(8, '0'),
        });
        expect(key).toHaveLength(44);
        const values = Array.from(key, (character) => character.charCodeAt(0) - 48);
        const weights = Array.from('4329876543298765432987654329876543298765432', Number);
        const sum = weights.reduce((before, weight, at) => before + weight * (values[at] ?? 0), 0);
        const rest = sum % 11;
        expect(values[43]).toBe(rest < 2 ? 0 : 11 - rest);
      },
    ),
    { numRuns: RUNS },
  );
  expect(TAX_ID).toHaveLength(14);
});
