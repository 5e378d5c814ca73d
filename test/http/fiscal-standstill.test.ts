import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { FISCAL_WORK } from '../../src/features/fiscal/issuing/work-rows.js';
import { FiscalSimulator } from '../../src/adapters/fiscal-simulator/simulator.js';
import type { AuthorizationAnswer, FiscalAuthority } from '../../src/ports/fiscal-authority.js';
import { AuthorityAway } from '../../src/ports/fiscal-authority.js';
import type { Vault, VaultWrite } from '../../src/ports/vault.js';
import { transmittedElsewhere } from '../support/fiscal/elsewhere.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A process that stands still, or is gone, between two steps of a document: its sale is neither taxed twice nor held for ever. */

const STEP = 10_000;
/** So long a request waits for the authority. */
const PATIENCE = 1_000;
/** Longer than others leave alone what a process is at. */
const LEASE = 151_000;
/** Longer than a consumer's note may be sent as it was written. */
const LONG = 301_000;
let later = 0;
const clock = { now: () => Date.now() + later };
let world: World;
let store: StoreClient;
beforeAll(async () => {
  world = await openWorld({ clock, authorityPatience: PATIENCE });
  store = await fiscalStore(world);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => world.close());

const refused = { kind: 'refused', code: '778', message: 'NCM inexistente', protocol: null } as const;
const authorizing = () => jest.spyOn(world.service.features.authority, 'authorize');
const issue = (saleId: string) => store.call('POST', '/fiscal/documents', { saleId, model: 65 });
const cancel = (saleId: string) => store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Desistiu' });
const documentOf = async (saleId: string) =>
  (await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body[0] as FiscalRecord;

const noNetwork = new AuthorityAway({ pt: 'sem rede', en: 'no network' }, false);
const noAnswer = new AuthorityAway({ pt: 'sem resposta', en: 'no answer' }, true);

const isAs = async (status: FiscalRecord['status'], saleId: string): Promise<boolean> =>
  (await documentOf(saleId)).status === status;

test('a refusal that is heard after another process had the document authorized leaves it its sale', async () => {
  const { saleId } = await soldSale(store);
  let isAuthorized = false;
  const asked = authorizing().mockImplementationOnce(async () => {
    await until('another process had it authorized', () => isAuthorized);
    return refused;
  });
  const issuing = issue(saleId);
  await until('it is on its way', () => asked.mock.calls.length === 1);
  const { id } = await documentOf(saleId);
  await transmittedElsewhere(world, store.storeId, id);
  expect(await documentOf(saleId)).toMatchObject({ status: 'AUTHORIZED' });
  isAuthorized = true;
  await issuing;
  expect(await cancel(saleId)).toMatchObject({ status: 409, body: { code: 'DOCUMENT_AUTHORIZED', documentId: id } });
});

test('a sale is let go whose document was to be signed once more by a process that is gone, and was rejected since', async () => {
  const { saleId } = await soldSale(store);
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let isGone = false;
  jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    const { prepared } = command as { readonly prepared?: { readonly attempt: number } };
    if (prepared?.attempt === 2 && !isGone) {
      isGone = true;
      throw new Error('the process is gone');
    }
    return execute(type, stream, command, envelope);
  });
  authorizing().mockRejectedValueOnce(noNetwork).mockResolvedValue(refused);
  await issue(saleId);
  await until('its process is gone', () => isGone);
  later += LEASE;
  await until('it is rejected', () => isAs('REJECTED', saleId));
  await until('its sale is let go', async () => {
    later += STEP;
    return (await cancel(saleId)).status === 200;
  });
});

test('a document that never arrived comes to its end where all of its sale was returned since', async () => {
  const { saleId, variantId } = await soldSale(store);
  const asked = authorizing().mockRejectedValueOnce(new Error('the process is gone'));
  await issue(saleId);
  expect(asked).toHaveBeenCalledTimes(1);
  const items = [{ variantId, quantity: 2 }];
  expect(await store.call('POST', `/sales/${saleId}/returns`, { items })).toMatchObject({ status: 201 });
  later += LONG;
  await until('it has failed', () => {
    later += STEP;
    return isAs('FAILED', saleId);
  });
  const { id, failure } = await documentOf(saleId);
  expect(failure).toMatchObject({ code: 'NOTHING_TO_TAX', missing: [] });
  const reason = 'Tudo foi devolvido pelo cliente';
  const given = await store.call('POST', `/fiscal/documents/${id}/void`, { reason });
  expect(given).toMatchObject({ status: 200, body: { status: 'VOIDED' } });
});

test('a cancellation that is asked for before the row of the authorization is gone, where rows go after facts, comes to its end', async () => {
  const { saleId } = await soldSale(store);
  authorizing().mockRejectedValueOnce(new Error('the process is gone'));
  await issue(saleId);
  const { id } = await documentOf(saleId);
  const { vault, eventStore, authority } = world.service.features;
  jest.spyOn(authority, 'cancel').mockRejectedValueOnce(noNetwork);
  let isAsked = false;
  const write = async (rows: readonly VaultWrite[]) => {
    if (!isAsked && rows.some(({ kind, value }) => kind === FISCAL_WORK && value === undefined)) {
      isAsked = true;
      await store.call('POST', `/fiscal/documents/${id}/cancel`, { reason: 'Cliente desistiu da compra' });
    }
    return vault.write(rows);
  };
  await transmittedElsewhere(world, store.storeId, id, {
    eventStore: Object.create(eventStore, { storesRows: { value: false } }) as typeof eventStore,
    vault: Object.assign(Object.create(vault) as Vault, { write }),
  });
  expect(isAsked).toBe(true);
  await until('it is cancelled', () => {
    later += STEP;
    return isAs('CANCELLED', saleId);
  });
});

/** Another process, of which `authorize` is what its authority does with what it hands in. */
function elsewhere(authorize: FiscalAuthority['authorize']) {
  const { authority } = world.service.features;
  return (id: string) =>
    transmittedElsewhere(world, store.storeId, id, {
      authority: Object.assign(Object.create(authority) as FiscalAuthority, { authorize }),
    });
}

const documentsOf = async (saleId: string) =>
  (await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body as FiscalRecord[];
const handedIn: FiscalAuthority['authorize'] = (client, signed) =>
  FiscalSimulator.prototype.authorize.call(world.service.features.authority, client, signed);

/** Nothing arrives of a document, which is then signed as one that goes offline once another process hands in its first text. */
async function offlineMeanwhile(saleId: string, afterwards: (answer: AuthorizationAnswer) => AuthorizationAnswer) {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let isGoingOffline = false;
  let isHandedIn = false;
  jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    const { prepared } = command as { readonly prepared?: { readonly attempt: number } };
    if (prepared?.attempt === 2) {
      isGoingOffline = true;
      await until('another process is at its first text', () => isHandedIn);
    }
    return execute(type, stream, command, envelope);
  });
  authorizing().mockRejectedValueOnce(noNetwork);
  const issuing = issue(saleId);
  await until('it is to go offline', () => isGoingOffline);
  const { id, accessKey } = await documentOf(saleId);
  const transmitting = elsewhere(async (client, signed) => {
    isHandedIn = true;
    await until('it is offline', () => isAs('CONTINGENCY', saleId));
    return afterwards(await handedIn(client, signed));
  })(id);
  await Promise.allSettled([issuing, transmitting]);
  expect((await documentOf(saleId)).id).toBe(id);
  return accessKey;
}

test('a document that goes offline while another process has its first text authorized is that one', async () => {
  const { saleId } = await soldSale(store);
  const accessKey = await offlineMeanwhile(saleId, (answer) => answer);
  const [document, ...others] = await documentsOf(saleId);
  expect(document).toMatchObject({ status: 'AUTHORIZED', accessKey, contingency: null });
  expect(others).toEqual([]);
  const xml = await store.call('GET', `/fiscal/documents/${document?.id ?? ''}/xml`);
  expect(xml.text).toContain(`Id="NFe${accessKey ?? ''}"`);
});

test('a document whose number is used is asked about under its former key: who had that authorized is gone', async () => {
  const { saleId } = await soldSale(store);
  const accessKey = await offlineMeanwhile(saleId, () => {
    throw new Error('the process is gone');
  });
  expect(await isAs('CONTINGENCY', saleId)).toBe(true);
  const used = { kind: 'refused', code: '539', message: 'Duplicidade de NF-e com diferenca na chave', protocol: null };
  authorizing().mockResolvedValue(used as AuthorizationAnswer);
  await until('it is handed in', async () => {
    later += STEP;
    return !(await isAs('CONTINGENCY', saleId));
  });
  expect(await documentOf(saleId)).toMatchObject({ status: 'AUTHORIZED', accessKey, numberTaken: false });
});

/** A document that is refused here while another process waits with its text, and authorized there after `meanwhile`. */
async function authorizedLate(saleId: string, meanwhile: () => Promise<unknown>) {
  let isTransmitting = false;
  let isOver = false;
  const asked = authorizing().mockImplementationOnce(async () => {
    await until('another process is at it', () => isTransmitting);
    return refused;
  });
  const issuing = issue(saleId);
  await until('it is on its way', () => asked.mock.calls.length === 1);
  const { id } = await documentOf(saleId);
  const transmitting = elsewhere(async (client, signed) => {
    isTransmitting = true;
    await until('what happens meanwhile is over', () => isOver);
    return handedIn(client, signed);
  })(id);
  await issuing;
  await until('it is rejected', () => isAs('REJECTED', saleId));
  await meanwhile();
  isOver = true;
  await transmitting;
  return id;
}

test('a document that another process has authorized after its refusal was recorded is authorized, and has its sale', async () => {
  const { saleId } = await soldSale(store);
  const documentId = await authorizedLate(saleId, () => Promise.resolve());
  expect(await documentOf(saleId)).toMatchObject({ status: 'AUTHORIZED', rejection: null });
  const path = `/sales/${saleId}/cancel`;
  await until('its sale is its own', async () => {
    later += STEP;
    return (await store.call('POST', path, { reason: 'Desistiu' }, { Prefer: 'dry-run' })).status === 409;
  });
  expect(await cancel(saleId)).toMatchObject({ status: 409, body: { code: 'DOCUMENT_AUTHORIZED', documentId } });
});

test('a document that is authorized after its refusal, and after its sale was cancelled, is cancelled as well', async () => {
  const { saleId } = await soldSale(store);
  await authorizedLate(saleId, async () => {
    expect(await cancel(saleId)).toMatchObject({ status: 200 });
  });
  await until('it is cancelled', () => {
    later += STEP;
    return isAs('CANCELLED', saleId);
  });
});

test('a document that is authorized after another took its place is cancelled, and the other takes a number of its own', async () => {
  const { saleId } = await soldSale(store);
  let isHandedIn = false;
  const before = await authorizedLate(saleId, async () => {
    authorizing().mockImplementationOnce(async (client, signed) => {
      await until('the first is handed in', () => isHandedIn);
      return handedIn(client, signed);
    });
    await issue(saleId);
  });
  isHandedIn = true;
  await until('one of them lives', async () => {
    later += STEP;
    const documents = await documentsOf(saleId);
    const first = documents.find(({ id }) => id === before);
    const second = documents.find(({ id }) => id !== before);
    if (second?.status === 'REJECTED' && second.numberTaken)
      await store.call('POST', `/fiscal/documents/${second.id}/transmit`);
    return first?.status === 'CANCELLED' && documents.filter(({ status }) => status === 'AUTHORIZED').length === 1;
  });
});

/** A document that the authority took without anybody's hearing of it, so that its customer got another one. */
async function replacedUnheard(saleId: string): Promise<FiscalRecord> {
  const { authority } = world.service.features;
  authorizing().mockImplementationOnce(async (client, signed) => {
    await handedIn(client, signed);
    throw noAnswer;
  });
  jest.spyOn(authority, 'query').mockRejectedValueOnce(noNetwork);
  await issue(saleId);
  await until('another is in its place', async () => (await documentsOf(saleId)).length === 2);
  const [, first] = await documentsOf(saleId);
  if (!first) throw new Error('there is no first document');
  return first;
}

test('a replaced document of which its row says that it never left is asked about where its number is used', async () => {
  const { saleId } = await soldSale(store);
  const used = { kind: 'refused', code: '241', message: 'Numero da faixa ja utilizado', protocol: null } as const;
  const { authority, vault } = world.service.features;
  const givingUp = jest.spyOn(authority, 'voidNumbers').mockResolvedValue(used);
  const { id: documentId } = await replacedUnheard(saleId);
  const value = { storeId: store.storeId, documentId, saleId, unsent: true };
  const row = { kind: FISCAL_WORK, id: `${store.storeId}/${documentId}`, value, dueAt: clock.now() };
  await vault.write([{ ...row, expected: 'any' }]);
  await until('it is taken back', async () => {
    later += STEP;
    return (await documentsOf(saleId)).some(({ id, status }) => id === documentId && status === 'CANCELLED');
  });
  expect(givingUp).toHaveBeenCalled();
});

test('that somebody cancels a document while its work is about to do so is no error', async () => {
  const { saleId } = await soldSale(store);
  const { id } = await replacedUnheard(saleId);
  const logged = jest.spyOn(world.service.features, 'onError');
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let isAsked = false;
  jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    const isCancellation = (command as { readonly type: string }).type === 'requestCancellation';
    if (!isCancellation || isAsked) return execute(type, stream, command, envelope);
    isAsked = true;
    const asked = await store.call('POST', `/fiscal/documents/${id}/cancel`, { reason: 'Cliente desistiu da compra' });
    expect(asked).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
    return execute(type, stream, command, envelope);
  });
  await until('its work is about to cancel it', () => {
    later += STEP;
    return isAsked;
  });
  await until('nothing is left to do of it', async () => {
    later += STEP;
    return (await world.service.features.vault.get(FISCAL_WORK, `${store.storeId}/${id}`)) === undefined;
  });
  expect(logged).not.toHaveBeenCalled();
});

test('a refused document that another process has handed in without hearing of it is asked about before it is forgotten', async () => {
  const { saleId } = await soldSale(store);
  const { authority } = world.service.features;
  const asked = authorizing().mockImplementationOnce(async (client, signed) => {
    await until('it is rejected', () => isAs('REJECTED', saleId));
    await handedIn(client, signed);
    jest.spyOn(authority, 'query').mockRejectedValueOnce(noNetwork);
    throw noAnswer;
  });
  const issuing = issue(saleId);
  await until('it is on its way', () => asked.mock.calls.length === 1);
  const { id: first } = await documentOf(saleId);
  await elsewhere(() => Promise.resolve(refused))(first);
  await issuing;
  await until('it is taken back, as another is in its place', async () => {
    later += STEP;
    return (await documentsOf(saleId)).some(({ id, status }) => id === first && status === 'CANCELLED');
  });
});

const formerCertificate = { kind: 'refused', code: '280', message: 'Certificado invalido', protocol: null } as const;

test('a cancellation whose answer was lost is asked for anew where the certificate that signed it counts no more', async () => {
  const { saleId } = await soldSale(store);
  await issue(saleId);
  await until('it is authorized', () => isAs('AUTHORIZED', saleId));
  const { authority } = world.service.features;
  const cancelled = authority.cancel.bind(authority);
  jest
    .spyOn(authority, 'cancel')
    .mockImplementationOnce(async (client, event) => {
      await cancelled(client, event);
      throw noAnswer;
    })
    .mockResolvedValueOnce(formerCertificate);
  const { id } = await documentOf(saleId);
  const reason = 'Cliente desistiu da compra';
  await store.call('POST', `/fiscal/documents/${id}/cancel`, { reason });
  await until('it is cancelled', () => {
    later += STEP;
    return isAs('CANCELLED', saleId);
  });
  expect(await documentOf(saleId)).toMatchObject({ cancellation: { reason } });
});

test('so is what gives a number up', async () => {
  const { saleId } = await soldSale(store);
  authorizing().mockResolvedValueOnce(refused);
  await issue(saleId);
  await until('it is rejected', () => isAs('REJECTED', saleId));
  const given = { ...formerCertificate, code: '563' };
  jest
    .spyOn(world.service.features.authority, 'voidNumbers')
    .mockRejectedValueOnce(noAnswer)
    .mockResolvedValueOnce(formerCertificate)
    .mockResolvedValue(given);
  const { id } = await documentOf(saleId);
  const reason = 'Numero pulado por engano';
  await store.call('POST', `/fiscal/documents/${id}/void`, { reason });
  await until('its number is given up', () => {
    later += STEP;
    return isAs('VOIDED', saleId);
  });
  expect(await documentOf(saleId)).toMatchObject({ voided: { reason } });
});
