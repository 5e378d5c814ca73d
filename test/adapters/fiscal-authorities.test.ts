import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayTransport } from '../../src/adapters/fiscal-gateway/gateway-transport.js';
import { NetworkAuthority } from '../../src/adapters/fiscal-services/network-authority.js';
import type { NetworkOptions } from '../../src/adapters/fiscal-services/network-authority.js';
import { FiscalSimulator } from '../../src/adapters/fiscal-simulator/simulator.js';
import type { Fault as SimulatedFault } from '../../src/adapters/fiscal-simulator/simulator.js';
import { openSefaz } from '../../src/adapters/sefaz/open-sefaz.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { AuthorityUnderTest } from '../contract/fiscal-authority.js';
import { awayOf, describeFiscalAuthority, signedNote, testClient } from '../contract/fiscal-authority.js';
import { AuthorityAway } from '../../src/ports/fiscal-authority.js';
import { MemoryVault } from '../support/memory-vault.js';
import { until } from '../support/until.js';
import type { StandIn } from '../support/tax-authority/servers.js';
import { FAULTS, IMPATIENCE, SHAPES, startGatewayStandIn, startSoapStandIn } from '../support/tax-authority/servers.js';

const TOKEN = 'a-token-for-the-gateway';
const clock = systemClock();

interface OverNetwork {
  readonly standIn: StandIn;
  open(options?: Partial<NetworkOptions>, patience?: 'little'): Promise<NetworkAuthority>;
}

async function soap(): Promise<OverNetwork> {
  const standIn = await startSoapStandIn();
  return {
    standIn,
    open(options = {}, patience) {
      const addresses = patience ? standIn.impatientFile : standIn.addressFile;
      const settings = { addresses, authorities: standIn.caFile };
      return openSefaz(settings, { vault: new MemoryVault(), clock, ...options });
    },
  };
}

async function gateway(): Promise<OverNetwork> {
  const standIn = await startGatewayStandIn();
  return {
    standIn,
    open: (options = {}, patience) => {
      const settings = { url: standIn.url, token: TOKEN, authorities: [] };
      const transport = new GatewayTransport(patience ? { ...settings, answerWithin: IMPATIENCE * 1_000 } : settings);
      return Promise.resolve(new NetworkAuthority('http', transport, { vault: new MemoryVault(), clock, ...options }));
    },
  };
}

const underTest = (start: () => Promise<OverNetwork>) => async (): Promise<AuthorityUnderTest> => {
  const { standIn, open } = await start();
  const authority = await open();
  let isClosed = false;
  const closeOnce = async () => {
    if (!isClosed) await standIn.close();
    isClosed = true;
  };
  return {
    authority,
    async fail(how) {
      if (how === 'away') await closeOnce();
      standIn.faultAt = () => (how === 'answer-lost' ? 'break-after' : undefined);
    },
    async close() {
      expect(standIn.authority.complaints).toEqual([]);
      await authority.close();
      await closeOnce();
    },
  };
};

describeFiscalAuthority('the simulator', () => {
  let fault: SimulatedFault;
  const authority = new FiscalSimulator({ vault: new MemoryVault(), clock, faultAt: () => fault });
  return Promise.resolve({
    authority,
    fail(how) {
      fault = how;
      return Promise.resolve();
    },
    close: () => authority.close(),
  });
});
describeFiscalAuthority('its own services', underTest(soap));
describeFiscalAuthority('a transmitter', underTest(gateway));

describe.each([
  ['its own services', soap],
  ['a transmitter', gateway],
])('an authority over the network, by %s', (_name, start) => {
  let network: OverNetwork;
  let standIn: StandIn;
  const client = testClient();
  beforeAll(async () => {
    network = await start();
    ({ standIn } = network);
  });
  beforeEach(() => {
    standIn.faultAt = () => undefined;
    standIn.authority.closedWith = undefined;
    standIn.authority.pilesUp = false;
  });
  afterAll(async () => {
    expect(standIn.authority.complaints).toEqual([]);
    await standIn.close();
  });

  test('is not taken for away by a service that stops while it waits for an answer', async () => {
    const authority = await network.open();
    let isAsked = false;
    standIn.faultAt = () => {
      isAsked = true;
      return 'hang';
    };
    const asking = authority.authorize(client, await signedNote(client));
    const outcome = asking.then(
      () => 'an answer',
      (error: unknown) => (error instanceof AuthorityAway ? 'away' : String(error)),
    );
    await until('it was asked', () => isAsked);
    await authority.close();
    expect(await outcome).toMatch(/the service stops/);
  });

  test.each(FAULTS.filter((fault) => fault !== 'late'))(
    'whose answer is of the kind %s is not believed, and ends with one document',
    async (fault) => {
      const authority = await network.open({}, fault === 'hang' ? 'little' : undefined);
      const document = await signedNote(client);
      standIn.faultAt = (service) => (service === 'authorization' ? fault : undefined);
      const away = await awayOf(authority.authorize(client, document));
      expect(away).toMatchObject({ mayHaveArrived: true, stage: 'answer' });
      standIn.faultAt = (service) => (service === 'query' ? fault : undefined);
      // Whether it is this very document is the judgement of who asks.
      if (fault !== 'other-digest') await awayOf(authority.query(client, document.accessKey));
      standIn.faultAt = () => undefined;
      const patient = await network.open();
      const found = await patient.query(client, document.accessKey);
      expect(found.kind).toBe(fault === 'break-before' ? 'unknown' : 'authorized');
      await Promise.all([authority.close(), patient.close()]);
    },
  );

  test.each(['late', ...SHAPES] as const)('that answers in the manner %s is understood', async (shape) => {
    const authority = await network.open();
    const document = await signedNote(client);
    standIn.faultAt = () => shape;
    expect(await authority.authorize(client, document)).toMatchObject({ kind: 'authorized' });
    expect(await authority.query(client, document.accessKey)).toMatchObject({ kind: 'authorized' });
    await authority.close();
  });

  test('that takes its time is asked for the receipt', async () => {
    const authority = await network.open();
    standIn.authority.pilesUp = true;
    const document = await signedNote(client);
    expect(await authority.authorize(client, document)).toMatchObject({ kind: 'authorized' });
    expect(standIn.authority.asked.authorizationResult).toBe(2);
    await authority.close();
  });

  test.each(['108', '656'])('that says %s when it is asked for the receipt has the document', async (code) => {
    const authority = await network.open();
    standIn.authority.pilesUp = true;
    standIn.faultAt = (service) => {
      standIn.authority.closedWith = service === 'authorizationResult' ? code : undefined;
      return undefined;
    };
    const document = await signedNote(client);
    expect(await awayOf(authority.authorize(client, document))).toMatchObject({ mayHaveArrived: true });
    expect(standIn.authority.taken.has(document.accessKey)).toBe(true);
    await authority.close();
  });

  test('that stands still is left alone until a probe finds it back: one for everybody', async () => {
    let now = Date.now();
    const authority = await network.open({ clock: { now: () => now } });
    standIn.authority.closedWith = '108';
    const document = await signedNote(client);
    expect(await awayOf(authority.authorize(client, document))).toMatchObject({ mayHaveArrived: false });
    const before = { ...standIn.authority.asked };
    const others = Array.from({ length: 20 }, (_, index) => testClient({ storeId: `store ${String(index)}` }));
    for (const other of others) {
      expect(await awayOf(authority.authorize(other, document))).toMatchObject({ stage: 'not-asked' });
    }
    expect(standIn.authority.asked).toEqual(before);
    now += 180_001;
    await Promise.all(others.slice(0, 10).map((other) => awayOf(authority.query(other, document.accessKey))));
    expect(standIn.authority.asked).toEqual({ ...before, status: before.status + 1 });
    standIn.authority.closedWith = undefined;
    now += 180_001;
    expect(await authority.authorize(client, document)).toMatchObject({ kind: 'authorized' });
    expect(standIn.authority.asked).toMatchObject({
      status: before.status + 2,
      authorization: before.authorization + 1,
    });
    await authority.close();
  });

  test('that does not answer five times is asked by one probe alone', async () => {
    const authority = await network.open();
    standIn.faultAt = () => 'http-502';
    for (let time = 0; time < 5; time++) await awayOf(authority.authorize(client, await signedNote(client)));
    const { authorization, status } = standIn.authority.asked;
    for (let time = 0; time < 5; time++) await awayOf(authority.authorize(client, await signedNote(client)));
    expect(standIn.authority.asked).toMatchObject({ authorization, status: status + 1 });
    await authority.close();
  });

  test('that was asked too often is not asked for an hour, not even after a restart', async () => {
    let now = Date.now();
    const vault = new MemoryVault();
    const options = { vault, clock: { now: () => now } };
    const first = await network.open(options);
    standIn.authority.closedWith = '656';
    const document = await signedNote(client);
    expect(await awayOf(first.authorize(client, document))).toMatchObject({ mayHaveArrived: false });
    standIn.authority.closedWith = undefined;
    const { handedIn } = standIn.authority;
    const before = handedIn.length;
    await first.close();
    const second = await network.open(options);
    now += 59 * 60_000;
    const away = await awayOf(second.authorize(client, document));
    expect(away.message).toMatch(/656.*nothing is asked until/);
    expect(handedIn).toHaveLength(before);
    now += 7 * 60_000;
    expect(await second.authorize(client, document)).toMatchObject({ kind: 'authorized' });
    await second.close();
  });

  test('is asked about one key ten times an hour at most', async () => {
    const authority = await network.open();
    const { accessKey } = await signedNote(client);
    for (let time = 0; time < 10; time++) await authority.query(client, accessKey);
    expect(await awayOf(authority.query(client, accessKey))).toMatchObject({ stage: 'not-asked' });
    await authority.close();
  });
});
