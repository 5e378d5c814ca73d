import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../support/people.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

type Settings = Readonly<Record<string, string>>;

/** A CPF that nobody else in the tests has. */
export function freshCpf(): string {
  const digits = Array.from({ length: 9 }, () => randomInt(10));
  for (const _ of ['first', 'second']) {
    const sum = digits.reduce((total, digit, index) => total + digit * (digits.length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

/** What customers must do on every engine; `settings` choose it. */
export function customersContract(settings: () => Settings): void {
  let world: World;
  let store: StoreClient;
  beforeAll(async () => {
    world = await openWorld({ env: settings() });
    store = await world.newStore();
  });
  afterAll(() => world.close());

  const register = async (body: object, client = store): Promise<Answer> => {
    const answer = await client.call('POST', '/customers', body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer;
  };
  const pathOf = ({ body }: Answer): string => `/customers/${(body as { id: string }).id}`;
  const found = async (query: string, client = store): Promise<string[]> => {
    const { status, body } = await client.call('GET', `/customers?${query}`);
    expect(status).toBe(200);
    return (body as { items: { name: string }[] }).items.map(({ name }) => name);
  };
  const byWords = (text: string) => found(`q=${encodeURIComponent(text)}`);

  test('a customer is registered, read, changed and found', async () => {
    const cpf = freshCpf();
    const made = await register({
      name: ' Ana Conceição ',
      document: cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4'),
      email: 'ana@casa.example',
      phone: '(11) 98765-4321',
    });
    expect(made.body).toMatchObject({
      name: 'Ana Conceição',
      document: cpf,
      email: 'ana@casa.example',
      phone: '11987654321',
      erasedAt: null,
    });
    const read = await store.call('GET', pathOf(made));
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, made.body, made.headers.get('etag')]);
    for (const query of ['conc', 'ana conceicao', cpf, '98765-4321', 'ana@casa.example']) {
      expect([query, await byWords(query)]).toEqual([query, ['Ana Conceição']]);
    }
    expect(await found(`document=${cpf}`)).toEqual(['Ana Conceição']);
    const etag = made.headers.get('etag') ?? '';
    const changed = await store.call('PATCH', pathOf(made), { name: 'Ana Lima', phone: null }, { 'if-match': etag });
    expect(changed.body).toEqual({
      ...(made.body as object),
      name: 'Ana Lima',
      phone: null,
      updatedAt: changed.body.updatedAt as string,
    });
    expect((await store.call('PATCH', pathOf(made), { name: 'x' }, { 'if-match': etag })).status).toBe(412);
    expect(await byWords('conceicao')).toEqual([]);
    expect(await byWords('lima')).toEqual(['Ana Lima']);
    const same = await store.call('PATCH', pathOf(made), { name: 'Ana Lima', document: cpf });
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  test('fields that are left out are null', async () => {
    const { body } = await register({ name: 'Só o Nome' });
    expect(body).toMatchObject({ document: null, email: null, phone: null });
  });

  test('the list comes newest first, in pages', async () => {
    const fresh = await world.newStore();
    const names = Array.from({ length: 7 }, (_, index) => `Cliente ${String(index)}`);
    for (const name of names) await register({ name }, fresh);
    const pages: string[] = [];
    let cursor: string | null = null;
    do {
      const suffix: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await fresh.call('GET', `/customers?limit=3&q=cliente${suffix}`);
      const page = body as { items: { name: string }[]; nextCursor: string | null };
      pages.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual(names.toReversed());
    expect(await found('to=2020-01-01', fresh)).toEqual([]);
    expect(await found('from=2020-01-01', fresh)).toHaveLength(7);
    expect(await found('q=', fresh)).toHaveLength(7);
    expect(await found('q=%20', fresh)).toHaveLength(7);
    expect(await found('q=!%20-', fresh)).toEqual([]);
    for (const query of ['limit=0', 'limit=201', 'cursor=x', 'document=123', `q=${'x'.repeat(101)}`, 'name=x']) {
      expect([query, (await fresh.call('GET', `/customers?${query}`)).status]).toEqual([query, 400]);
    }
  });

  test('a document is taken once, and is free again when its customer gives it up', async () => {
    const [first, second] = [freshCpf(), freshCpf()];
    const ana = await register({ name: 'Ana', document: first });
    const taken = await store.call('POST', '/customers', { name: 'Outra', document: first });
    expect(refusal(taken)).toEqual([409, 'DOCUMENT_TAKEN']);
    const bia = await register({ name: 'Bia', document: second });
    expect(refusal(await store.call('PATCH', pathOf(bia), { document: first }))).toEqual([409, 'DOCUMENT_TAKEN']);
    expect((await store.call('PATCH', pathOf(ana), { document: null })).status).toBe(200);
    expect((await store.call('PATCH', pathOf(bia), { document: first })).body).toMatchObject({ document: first });
    expect(await found(`document=${second}`)).toEqual([]);
    await register({ name: 'Carla', document: second });
  });

  test('a refused change gives back the document that it wanted', async () => {
    const cpf = freshCpf();
    const ana = await register({ name: 'Ana' });
    const stale = await store.call('PATCH', pathOf(ana), { document: cpf }, { 'if-match': '"7"' });
    expect(stale.status).toBe(412);
    await register({ name: 'Bia', document: cpf });
  });

  test('another store may have the same document', async () => {
    const cpf = freshCpf();
    const other = await world.newStore();
    await register({ name: 'Ana', document: cpf });
    await register({ name: 'Ana', document: cpf }, other);
    expect(await found(`document=${cpf}`, other)).toEqual(['Ana']);
  });

  test('20 parallel creations with one document leave one customer', async () => {
    const document = freshCpf();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.call('POST', '/customers', { name: `Cópia ${String(index)}`, document }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refusals = answers.filter(({ status }) => status !== 201).map((answer) => String(refusal(answer)));
    expect(new Set(refusals)).toEqual(new Set(['409,DOCUMENT_TAKEN']));
    expect(await found(`document=${document}`)).toHaveLength(1);
  });

  test('parallel changes of different fields all stay', async () => {
    const ana = await register({ name: 'Ana' });
    const changes = [{ name: 'Ana Lima' }, { email: 'ana@casa.example' }, { phone: '11987654321' }];
    await Promise.all(changes.map((change) => store.call('PATCH', pathOf(ana), change)));
    expect((await store.call('GET', pathOf(ana))).body).toMatchObject(Object.assign({}, ...changes) as object);
  });

  test('a repeat with its idempotency key is the same customer', async () => {
    const body = { name: 'Uma vez', document: freshCpf() };
    const first = await store.call('POST', '/customers', body, { 'idempotency-key': 'customer-1' });
    const again = await store.call('POST', '/customers', body, { 'idempotency-key': 'customer-1' });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  describe('an erased customer', () => {
    const cpf = freshCpf();
    let path: string;
    let made: Answer;
    beforeAll(async () => {
      made = await register({ name: 'Quem Some', document: cpf, email: 'some@casa.example', phone: '11912345678' });
      path = pathOf(made);
      expect((await store.call('POST', `${path}/erase`)).status).toBe(200);
    });

    test('is there without a name', async () => {
      const { body, headers } = await store.call('GET', path);
      expect(body).toEqual({
        ...(made.body as object),
        name: null,
        document: null,
        email: null,
        phone: null,
        updatedAt: body.erasedAt as string,
        erasedAt: body.erasedAt as string,
      });
      expect(Date.parse(body.erasedAt as string)).not.toBeNaN();
      expect(headers.get('etag')).not.toBe(made.headers.get('etag'));
    });
    test('is found by nothing', async () => {
      for (const query of ['quem some', cpf, '11912345678', 'some@casa.example']) {
        expect(await byWords(query)).toEqual([]);
      }
      expect(await found(`document=${cpf}`)).toEqual([]);
    });
    test('is not changed any more', async () => {
      expect(refusal(await store.call('PATCH', path, { name: 'De novo' }))).toEqual([409, 'CUSTOMER_ERASED']);
    });
    test('can be erased again, which changes nothing', async () => {
      const before = await store.call('GET', path);
      expect((await store.call('POST', `${path}/erase`)).status).toBe(200);
      expect((await store.call('GET', path)).text).toBe(before.text);
    });
    test('leaves the document to whoever comes', async () => {
      await register({ name: 'Quem Vem', document: cpf });
    });
    test('is nobody after a rebuild of the read models either', async () => {
      const before = await store.call('GET', path);
      await world.service.projections.rebuild('customers');
      expect((await store.call('GET', path)).text).toBe(before.text);
      expect(await byWords('vem quem')).toEqual(['Quem Vem']);
    });
  });

  test('a change that changed nothing does nothing when it is repeated either, whatever somebody else has changed since', async () => {
    const path = pathOf(await register({ name: 'Dora' }));
    const clear = () => store.call('PATCH', path, { phone: null }, { 'idempotency-key': path });
    expect((await clear()).status).toBe(200);
    const { text } = await store.call('PATCH', path, { phone: '11911110003' });
    for (const repeat of [await clear(), await clear()]) {
      expect([repeat.status, repeat.text, repeat.headers.get('idempotency-replayed')]).toEqual([200, text, 'true']);
    }
    expect((await store.call('GET', path)).text).toBe(text);
  });

  test.each(['GET', 'PATCH', 'POST'])('%s with an id that is none finds nothing', async (method) => {
    const path = `/customers/not-an-id${method === 'POST' ? '/erase' : ''}`;
    const body = method === 'PATCH' ? { name: 'x' } : undefined;
    expect(refusal(await store.call(method, path, body))).toEqual([404, 'NOT_FOUND']);
  });
}
