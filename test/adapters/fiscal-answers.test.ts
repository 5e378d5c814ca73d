import { describe, expect, test } from '@jest/globals';
import {
  answerElement,
  authorizationAnswer,
  eventAnswer,
  keyAnswer,
} from '../../src/adapters/fiscal-services/answers.js';
import { AuthorityAway } from '../../src/ports/fiscal-authority.js';
import { testClient } from '../contract/fiscal-authority.js';

/** Answers that say two things at once, or nothing that can be relied on. */

const KEY = '35261111222333000181650010000000011123456780';
const asked = { client: testClient(), accessKey: KEY, digestValue: 'b3Vycw==' };
const AT = '2026-11-20T11:00:00-03:00';

const said = (code: string, message = 'Em palavras') =>
  `<tpAmb>2</tpAmb><cStat>${code}</cStat><xMotivo>${message}</xMotivo>`;

interface ProtocolParts {
  readonly at?: string;
  readonly number?: string;
  readonly message?: string;
  readonly more?: string;
}

function protocol(code: string, { at = AT, number = '135260000000001', message, more = '' }: ProtocolParts = {}) {
  const facts = `<chNFe>${KEY}</chNFe><dhRecbto>${at}</dhRecbto><nProt>${number}</nProt><digVal>b3Vycw==</digVal>`;
  return `<protNFe versao="4.00"><infProt>${said(code, message)}${facts}${more}</infProt></protNFe>`;
}

const handedIn = (code: string, content: string) =>
  authorizationAnswer(asked, answerElement(`<retEnviNFe>${said(code)}${content}</retEnviNFe>`, 'retEnviNFe'));

const underKey = (code: string, content: string) =>
  keyAnswer(asked, answerElement(`<retConsSitNFe>${said(code)}${content}</retConsSitNFe>`, 'retConsSitNFe'));

function registered(code: string, number: string) {
  const facts = `${said(code)}<chNFe>${KEY}</chNFe><dhRegEvento>${AT}</dhRegEvento><nProt>${number}</nProt>`;
  const answer = `<retEvento><infEvento>${facts}</infEvento></retEvento>`;
  return eventAnswer(asked, answerElement(`<retEnvEvento>${said('128')}${answer}</retEnvEvento>`, 'retEnvEvento'));
}

function expectNoAnswer(read: () => unknown): void {
  let thrown: unknown;
  try {
    thrown = read();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(AuthorityAway);
  // It may have the document: the authority is asked by key later, and no other is written in its place under its number.
  expect((thrown as AuthorityAway).mayHaveArrived).toBe(true);
}

describe('no answer is', () => {
  test.each(['101', '103', '104', '105', '106', '107', '108', '109', '128', '135', '155'])(
    'a document of which %s is said: that refuses nothing',
    (code) => {
      expectNoAnswer(() => handedIn('104', protocol(code)));
    },
  );

  test.each([
    ['215', '100'],
    ['105', '100'],
    ['103', '100'],
    ['110', '100'],
    ['100', '539'],
  ])('%s of the request with %s of its document', (outer, inner) => {
    expectNoAnswer(() => handedIn(outer, protocol(inner)));
  });

  test.each([
    ['100', '539'],
    ['100', '110'],
    ['110', '100'],
    ['217', '100'],
  ])('%s of a key with %s of its document', (outer, inner) => {
    expectNoAnswer(() => underKey(outer, protocol(inner)));
  });

  test.each(['1', '2026', 'em 2026 1', '+275760-09-12T00:00:00Z', '0001-01-01T00:00:00Z', '2026-13-40T00:00:00Z'])(
    'an authorization at %s',
    (at) => {
      expectNoAnswer(() => handedIn('104', protocol('100', { at })));
    },
  );

  test('an authorization with more than can be kept', () => {
    expectNoAnswer(() => handedIn('104', protocol('100', { more: `<xMsg>${'"'.repeat(100_000)}</xMsg>` })));
  });

  test.each(['x'.repeat(1_000), '1352'])('an event under a number that is none: %.20s', (number) => {
    expectNoAnswer(() => registered('135', number));
  });

  test.each(['128', '105'])('an event of which %s is said', (code) => {
    expectNoAnswer(() => registered(code, '135260000000001'));
  });

  test.each(['&#1;', '&#xd800;', '&#xfffe;', '\u0001'])('one with %j, which is no character of XML', (message) => {
    expectNoAnswer(() => handedIn('104', protocol('539', { message })));
  });
});

test('the result of a document may be said twice', () => {
  expect(handedIn('100', protocol('100'))).toMatchObject({
    kind: 'authorized',
    receivedAt: '2026-11-20T14:00:00.000Z',
  });
  expect(underKey('110', protocol('301'))).toMatchObject({ kind: 'refused', protocol: '135260000000001' });
});

test('a refusal keeps as many of its words as the layout allows', () => {
  const refused = handedIn('104', protocol('539', { message: 'palavra '.repeat(10_000) }));
  expect(refused).toMatchObject({ kind: 'refused', code: '539' });
  expect('message' in refused && refused.message).toHaveLength(255);
  const cut = handedIn('104', protocol('539', { message: `${'a'.repeat(254)}🍞` }));
  expect(cut).toMatchObject({ message: 'a'.repeat(254) });
});

test.each(['', '0'])('a refusal needs no protocol, and none that it names counts: %j', (number) => {
  expect(handedIn('104', protocol('539', { number }))).toMatchObject({ kind: 'refused', code: '539', protocol: null });
});

test('an event may be registered without a number', () => {
  expect(registered('135', '')).toMatchObject({ kind: 'registered', protocol: null });
});
