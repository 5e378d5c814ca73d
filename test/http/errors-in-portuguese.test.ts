import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { urlRefusal } from '../../src/adapters/safe-http/url-rules.js';
import { inPortuguese } from '../../src/http/exchange/errors-in-portuguese.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

const SPOKEN_ELSEWHERE = [
  /^A |^Under|^Consta|^The document/, // Documents, deliveries and the authority have sentences of their own.
  /^no provider is configured$|^the provider /, // What an AI was of no help for has sentences of its own.
];

/** What schemas and commands say of single values, as it stands in the sources; what is filled in is made a 7. */
function saidInSources(): readonly string[] {
  const said = new Set<string>();
  for (const folder of ['src/features', 'src/kernel', 'src/http', 'src/brazil']) {
    for (const name of readdirSync(folder, { recursive: true }).map(String)) {
      if (!name.endsWith('.ts')) continue;
      const source = readFileSync(join(folder, name), 'utf8');
      const found = source.matchAll(
        /(?:\b(?:error|message): |complain\((?:'\w+', )?|errorsAt\(\w+, |unfit\(|CertificateRefused\()(?:'([^'\n]+)'|`([^`\n]+)`)/g,
      );
      for (const [, plain, filled] of found) said.add(plain ?? (filled ?? '').replaceAll(/\$\{[^}]*\}/g, '7'));
    }
  }
  return [...said].filter((text) => /^[a-z]/.test(text) && !SPOKEN_ELSEWHERE.some((other) => other.test(text)));
}

test('whatever the service says of a value has its Portuguese', () => {
  const all = saidInSources();
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter((text) => inPortuguese(text) === text)).toEqual([]);
});

test('what is wrong with an address has its Portuguese', () => {
  const addresses = [
    `https://a.example/${'x'.repeat(5000)}`,
    'https://a.example/a b',
    'ftp://a.example',
    'http://a.example',
    'https://me@a.example',
    'https://a%2eexample',
    'https://[',
    'https://a.example:0',
    'https://a.example:22',
    'https://127.0.0.1',
    'https://a!b.example',
    'https://intranet',
    'https://a.internal',
  ];
  const refusals = addresses.map((address) => urlRefusal(address, false));
  expect(refusals.filter((said) => said === undefined || inPortuguese(said) === said)).toEqual([]);
});

test.each([
  ['must have at least 1 character', 'deve ter no mínimo 1 caractere'],
  ['is too small', 'é pequeno demais'],
  ['must have at most 2 decimals', 'deve ter no máximo 2 casas decimais'],
  ['must be more than 0', 'deve ser mais de 0'],
  ['must have at least 10 bytes', 'deve ter no mínimo 10 bytes'],
  ['must be 2 to 14 digits', 'deve ter de 2 a 14 dígitos'],
  ['must be a CPF or CNPJ with right check digits', 'deve ser um CPF ou CNPJ com dígitos verificadores certos'],
  ['sort by due needs an open status', 'sort=due pede um status de ordem em aberto'],
  ['sort by ended needs a status that is not open', 'sort=ended pede um status de ordem encerrada'],
  ['must be at most 99.5', 'deve ser no máximo 99,5'],
  ['must be one of ABSOLUTE, PERCENT', 'deve ser um destes: ABSOLUTE, PERCENT'],
  ['toString', 'toString'],
])('%j becomes %j', (english, portuguese) => {
  expect(inPortuguese(english)).toBe(portuguese);
});

describe('a request that is not in order', () => {
  let world: World;
  let store: StoreClient;
  beforeAll(async () => {
    world = await openWorld();
    store = await world.newStore();
  });
  afterAll(() => world.close());

  const said = async (language?: string): Promise<unknown> => {
    const headers = language === undefined ? {} : { 'Accept-Language': language };
    const answer: Answer = await store.call('POST', '/categories', { name: '', colour: 'red' }, headers);
    expect(answer.status).toBe(400);
    return (answer.body as { errors: readonly { message: string }[] }).errors.map(({ message }) => message);
  };

  test('is explained in English to who asks for nothing, and in Portuguese to who asks for it', async () => {
    const english = ['must not be empty', 'is not known here'];
    const portuguese = ['não pode ficar vazio', 'não é conhecido aqui'];
    expect(await said()).toEqual(english);
    expect(await said('*')).toEqual(english);
    expect(await said('en-US,pt;q=0.5')).toEqual(english);
    expect(await said('pt-BR,pt;q=0.9,en;q=0.8')).toEqual(portuguese);
  });
});
