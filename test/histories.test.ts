import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { TOLD, toldType } from '../projections/audit/parts/histories.js';
import { accountEvents, nameEvents } from '../src/features/auth/accounts/events.js';
import { features } from '../src/features/index.js';
import type { AuditedRecord } from '../src/features/contracts/audited-record.js';
import { installationEvents } from '../src/features/installation/events.js';
import type { DomainEvent, Recorded } from '../src/kernel/events/event.js';
import type { Entity, Voice } from '../src/kernel/events/history.js';
import { LANGUAGES } from '../src/kernel/events/history.js';
import { writtenMoney, writtenNumber } from '../src/kernel/values/written-numbers.js';

/** No event without its sentence, and no record that an event is about without its past. */

const FOLDER = 'test/fixtures/events';
const told = new Set(TOLD.map(({ codec }) => codec));
const records = new Set(features.flatMap(({ records: own = [] }) => own.map(({ kind }) => kind)));

test('every event of a store is told; those of accounts and of the installation belong to none', () => {
  const silent = features.flatMap(({ events }) => events).filter((codec) => !told.has(codec));
  expect(new Set(silent)).toEqual(new Set([installationEvents, accountEvents, nameEvents.codec]));
  for (const { codec, histories } of TOLD) {
    expect([...histories.keys()].sort()).toEqual([...codec.definitions.keys()].sort());
  }
});

const samples = readdirSync(FOLDER).flatMap((file) => {
  const [type = '', version = 'v1'] = file.split('.');
  const known = toldType(type);
  if (!known) return [];
  const stored = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as unknown;
  const { data } = known.codec.decode(type, Number(version.slice(1)), stored);
  return [{ file, data, ...known }];
});

describe.each(LANGUAGES)('in the language %s', (language) => {
  const say: Voice = {
    name: (kind) => `«${kind}»`,
    number: (value) => writtenNumber(language, value),
    quantity: (value) => `${writtenNumber(language, value)} kg`,
    goods: (value) => `${writtenNumber(language, value)} kg de «variant»`,
    money: (value) => writtenMoney(language, value),
    flag: String,
    list: (items) => items.join(', '),
  };

  test.each(samples)('$file is a sentence', ({ data, history }) => {
    const sentence = history[language](data, say);
    expect(sentence).toMatch(/^\S.{8,}\.$/s);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object|: \.|\s\s/);
  });
});

/** Under these names an event holds what its record is called. */
const CALLED: ReadonlySet<string> = new Set(['name', 'tradeName', 'description', 'lotCode', 'url', 'month', 'number']);
/** A store has one of each. */
const ONLY_ONE = [
  'CardFeeSettingsChanged',
  'CardFeesOpened',
  'AutoAdjustConfigured',
  'NumberingAdvanced',
  'StoreFiscalSettingsChanged',
];

const calledIn = (data: unknown): readonly string[] =>
  Object.entries(typeof data === 'object' && data !== null ? data : {}).flatMap(([key, value]: [string, unknown]) =>
    CALLED.has(key) ? [String(value)] : calledIn(value),
  );

test.each(samples.filter(({ file }) => !ONLY_ONE.includes(file.split('.')[0] ?? '')))(
  'who reads of $file knows which record it was',
  ({ data, history }) => {
    const asked: string[] = [];
    const say: Voice = {
      name: (kind) => (asked.push(kind), kind),
      number: String,
      quantity: String,
      goods(value, of) {
        if (typeof of !== 'string') return `${String(value)} ${of.description}`;
        asked.push('variant');
        return `${String(value)} variant`;
      },
      money: String,
      flag: String,
      list: (items) => items.join(', '),
    };
    for (const language of LANGUAGES) {
      asked.length = 0;
      const sentence = history[language](data, say);
      const written = calledIn(data).filter((name) => sentence.includes(name.split('-').reverse().join('/')));
      expect([...asked, ...written, ...calledIn(data).filter((name) => sentence.includes(name))]).not.toEqual([]);
    }
  },
);

test.each(samples)('what $file is about can be looked at as it was', ({ data, history }) => {
  expect(history.about(data).filter(({ kind }) => !records.has(kind))).toEqual([]);
});

const meta = { at: '2026-01-02T03:04:05.000Z', actor: { kind: 'system', id: 'a', name: 'A' } };
const auditedRecords = new Map<string, AuditedRecord>(
  features.flatMap(({ records: own = [] }) => own.map((record) => [record.kind, record] as const)),
);
const partly = samples.filter(({ history }) => history.changes !== undefined);

test.each(partly)('what $file leaves as it was is shown as before', ({ file, data, history }) => {
  const [type = ''] = file.split('.');
  const known = (list: readonly Entity[]) => new Set(list.map(({ kind, id }) => `${kind}:${id}`));
  const about = history.about(data);
  const changed = history.changes?.(data) ?? about;
  expect([...known(changed)].filter((key) => !known(about).has(key))).toEqual([]);
  for (const { kind, id } of about.filter((one) => !known(changed).has(`${one.kind}:${one.id}`))) {
    const record = auditedRecords.get(kind);
    const before = kind === 'lot' ? lotBefore(id) : { id, name: 'Ana' };
    const event = { type, data, meta, id: 'e', stream: 's', revision: 7, position: '0000000000000007' };
    const after = record?.evolve(before, event as unknown as Recorded<DomainEvent>, id);
    expect(record?.show(after, id)).toEqual(record?.show(before, id));
  }
});

const lotBefore = (lotId: string) => ({
  lotId,
  status: 'AVAILABLE',
  marks: [],
  totalsByCause: {},
  movedAt: '2026-01-01T00:00:00.000Z',
  seen: '0000000000000001',
  revision: 1,
});

test('what changes a record beside its own events stands in the same stream, where the order of time is that of the log', () => {
  const changed = features.flatMap(({ records: own = [] }) => own.flatMap(({ changedBy = [] }) => [changedBy]));
  for (const kinds of changed.filter(({ length }) => length > 1)) {
    const telling = samples.filter(({ data, history }) => history.about(data).some(({ kind }) => kinds.includes(kind)));
    expect(new Set(telling.map(({ codec }) => codec)).size).toBe(1);
  }
  expect(changed).toContainEqual(['cardAccount', 'cardBrand']);
});
