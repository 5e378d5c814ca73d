import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  authorizationMessage,
  eventMessage,
  queryMessage,
  receiptMessage,
  statusMessage,
} from '../../src/adapters/fiscal-services/messages.js';
import { AuthorityBook } from '../../src/adapters/sefaz/addresses.js';
import { parseXml, XmlRefused, xmlOf } from '../../src/adapters/fiscal-services/xml.js';
import { FiscalSimulator } from '../../src/adapters/fiscal-simulator/simulator.js';
import { AUTHORIZERS, authorizerOf, FISCAL_SERVICES } from '../../src/brazil/tax-authorities.js';
import { STATES } from '../../src/brazil/states.js';
import {
  authorizedDocument,
  cancellationXml,
  registeredEvent,
  registeredVoid,
} from '../../src/features/fiscal/domain/xml/event-xml.js';
import type { SignedDocument, SignedEvent, SignedVoid } from '../../src/ports/fiscal-authority.js';
import { signedCancellation, signedNote, signedVoid, testClient } from '../contract/fiscal-authority.js';
import { keepSample } from '../support/fiscal/samples.js';
import { MemoryVault } from '../support/memory-vault.js';

const client = testClient();
let note: SignedDocument;
let event: SignedEvent;
let voided: SignedVoid;
beforeAll(async () => {
  note = await signedNote(client);
  event = await signedCancellation(client, note.accessKey, '135260000000001');
  voided = await signedVoid(client, 5);
});

test('messages hold signed parts as they are, in one line', () => {
  const messages = {
    authorization: authorizationMessage(note.xml),
    receipt: receiptMessage(client, '351000000000001'),
    query: queryMessage(client, note.accessKey),
    status: statusMessage(client),
    event: eventMessage(event.xml),
    void: voided.xml,
  };
  for (const [name, xml] of Object.entries(messages)) {
    expect(xml).not.toMatch(/[\n\r]/);
    expect(() => parseXml(xml)).not.toThrow();
    keepSample(`message-${name}`, xml);
  }
  expect(messages.authorization).toContain(note.xml);
  expect(messages.event).toContain(event.xml);
});

test('texts of events have no accents where the state takes none', () => {
  const asked = {
    environment: 'HOMOLOGATION',
    taxId: '11222333000181',
    protocol: '135260000000001',
    reason: 'Devolução à mão, 1½ «maçã»',
    at: '2026-11-20T11:00:00-03:00',
  } as const;
  const reasonIn = (state: string) =>
    /<xJust>(.*)<\/xJust>/.exec(cancellationXml({ ...asked, accessKey: state + note.accessKey.slice(2) }).sent)?.[1];
  expect(reasonIn('51')).toBe('Devolucao a mao, 1½ «maca»');
  expect(reasonIn('35')).toBe(asked.reason);
});

test('an operator’s file says who stands in, and where consumers look', () => {
  const book = new AuthorityBook({
    fallbacks: { CE: 'SVC-RS' },
    consumers: { RN: { production: { qrCode: 'https://nfce.rn.example/qr' } } },
  });
  expect([book.fallbackOf('CE'), book.fallbackOf('SP')]).toEqual(['SVC-RS', 'SVC-AN']);
  expect(book.consumerAddresses({ state: 'RN', environment: 'PRODUCTION' })).toEqual({
    qrCode: 'https://nfce.rn.example/qr',
  });
  expect(book.consumerAddresses({ state: 'RN', environment: 'HOMOLOGATION' })).toEqual({});
});

test('what is kept has the authority’s answer beside what was sent', async () => {
  const authority = new FiscalSimulator({ vault: new MemoryVault(), clock: { now: Date.now } });
  const authorized = await authority.authorize(client, note);
  const cancelled = await authority.cancel(client, event);
  const givenUp = await authority.voidNumbers(client, voided);
  if (authorized.kind !== 'authorized' || cancelled.kind !== 'registered' || givenUp.kind !== 'registered') {
    throw new Error('the simulator refused');
  }
  keepSample('kept-note', authorizedDocument(note.xml, authorized.protocolXml));
  keepSample('kept-event', registeredEvent(event.xml, cancelled.answerXml ?? ''));
  keepSample('kept-void', registeredVoid(voided.xml, givenUp.answerXml ?? ''));
  expect(authorized.protocolXml).toContain(note.digestValue);
});

test.each(STATES)('%s has every service for both models and environments', (state) => {
  for (const model of [55, 65] as const) {
    const authorizer = AUTHORIZERS[model][authorizerOf(model, state)];
    for (const addresses of [authorizer?.production, authorizer?.homologation]) {
      const named = FISCAL_SERVICES.map((service) => addresses?.[service] ?? '');
      expect(
        named.filter((address) => !/^https:\/\/[a-z0-9.]+\.gov\.br\/\S+$/i.test(address.replaceAll('-', ''))),
      ).toEqual([]);
      expect(new Set(named).size).toBe(FISCAL_SERVICES.length);
    }
  }
});

describe('XML of strangers', () => {
  test('is read whatever its prefixes, and written without them', () => {
    const read = parseXml(
      '\ufeff<?xml version="1.0"?><!-- a --><s:E xmlns:s="soap" xmlns:n="nfe"><n:a b="1 &lt; 2"><n:c>x &amp; <![CDATA[<y>]]> &#xe3;</n:c> <n:d/></n:a></s:E>',
    );
    expect(xmlOf(read.anywhere('a') ?? read)).toBe('<a xmlns="nfe" b="1 &lt; 2"><c>x &amp; &lt;y&gt; ã</c><d></d></a>');
    const nested = parseXml('<a xmlns="one" xmlns:p="two"><b xmlns:p="three"><p:c/><d xmlns=""/></b><p:e/></a>');
    const namespaces = ['b', 'c', 'd', 'e'].map((name) => nested.anywhere(name)?.namespace);
    expect(namespaces).toEqual(['one', 'three', '', 'two']);
  });

  test.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a><b></a></b>',
    '<a/><b/>',
    '<a b=c/>',
    '<a b="<"/>',
    '<!DOCTYPE a><a/>',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    '<a>&b;</a>',
    '<a>&#xffffff;</a>',
    '<a>&amp</a>',
    '<a><![CDATA[</a>',
    '<1/>',
    '<a '.repeat(1_000),
    '<a>'.repeat(1_000),
  ])('that is none is refused: %.40s', (text) => {
    expect(() => parseXml(text)).toThrow(XmlRefused);
  });

  test('takes no longer than it is long', () => {
    const began = process.cpuUsage();
    expect(() => parseXml(`<a ${'b '.repeat(500_000)}`)).toThrow(XmlRefused);
    expect(() => parseXml(`<a>${'&'.repeat(500_000)}</a>`)).toThrow(XmlRefused);
    expect(() => parseXml(`<a>${'<b>x</b>'.repeat(100_000)}`)).toThrow(XmlRefused);
    const declared = Array.from({ length: 15_000 }, (_, index) => ` xmlns:n${String(index)}="u"`);
    expect(parseXml(`<a${declared.join('')}>${'<b xmlns:c="v"/>'.repeat(8_000)}</a>`).children).toHaveLength(8_000);
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  });
});
