import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { setFiscal, soldSale } from '../support/fiscal/store.js';
import { expectOk } from '../support/people.js';
import type { Processes } from '../support/processes.js';
import { openProcesses } from '../support/processes.js';
import { onServers } from '../support/on-servers.js';
import { until } from '../support/until.js';

const SALES = 8;
const LONGER_THAN_A_LEASE = 151_000;

await onServers('documents on servers', (servers) => {
  let processes: Processes;
  let later = 0;

  beforeEach(async () => {
    later = 0;
    const clock = { now: () => Date.now() + later };
    // What is due is done by the second of them.
    processes = await openProcesses(servers.freshEnv(), 2, { clock, rolesOfFirst: 'api,projections' });
  });
  afterEach(() => processes.close());
  describe.each([
    ['with keys', () => ({ 'idempotency-key': randomUUID() })],
    ['without keys', () => ({})],
  ])('two processes that issue at the same time %s', (_how, headers) => {
    test('give every sale its document, under numbers of its own', async () => {
      await setFiscal(processes.store);
      const sales: string[] = [];
      for (let count = 0; count < SALES; count++) sales.push((await soldSale(processes.client(count))).saleId);
      const answers = await Promise.all(
        sales.map((saleId, index) =>
          processes.client(index).call('POST', '/fiscal/documents', { saleId, model: 65 }, headers()),
        ),
      );
      const issued = answers.map(({ status, body }) => [status, (body as { status?: string }).status]);
      expect(issued).toEqual(sales.map(() => [201, 'AUTHORIZED']));
      const numbers = answers.map(({ body }) => (body as { number: number }).number);
      expect(numbers.sort((a, b) => a - b)).toEqual(sales.map((_, index) => index + 1));
    });
  });

  test('what two processes transmit at the same time neither shows as it was before', async () => {
    const documents: string[] = [];
    for (let count = 0; count < SALES; count++) {
      const { saleId } = await soldSale(processes.store);
      documents.push(
        (await processes.store.call('POST', '/fiscal/documents', { saleId, model: 65 })).body.id as string,
      );
    }
    await setFiscal(processes.store);
    for (const id of documents) {
      const answers = await Promise.all(
        processes.clients.map((client) => client.call('POST', `/fiscal/documents/${id}/transmit`)),
      );
      const told = answers.map(({ status, body }) => (status === 200 ? (body as { status: string }).status : status));
      expect(told).toContain('AUTHORIZED');
      // Who comes when it is over is told so.
      expect(told.filter((one) => !['AUTHORIZED', 'PENDING', 409].includes(one))).toEqual([]);
    }
  });

  /** The first process stands still with the answer in its hand, until it is released. */
  function holdFirstAnswer(): { isHeld(): boolean; release(): void } {
    const { lanes } = processes.first.service.core;
    const execute = lanes.execute.bind(lanes);
    let release: (() => void) | undefined;
    jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      const isAnswer = (command as { readonly type: string }).type === 'recordAnswer';
      if (isAnswer && !release) await new Promise<void>((resolve) => (release = resolve));
      return execute(type, stream, command, envelope);
    });
    return { isHeld: () => release !== undefined, release: () => release?.() };
  }

  test('who comes late with an answer that is known leaves alone what the document waits for since', async () => {
    await setFiscal(processes.store);
    const [first, second] = [processes.client(0), processes.client(1)];
    const held = holdFirstAnswer();
    const { saleId } = await soldSale(first);
    const late = first.call('POST', '/fiscal/documents', { saleId, model: 65 });
    await until('the answer is there', () => held.isHeld());
    const documents = async () =>
      ((await expectOk(second.call('GET', '/fiscal/documents'))) as { items: FiscalRecord[] }).items;
    later += LONGER_THAN_A_LEASE;
    await until('the other process has asked for it', async () => (await documents())[0]?.status === 'AUTHORIZED');
    const id = (await documents())[0]?.id ?? '';
    const outage = (simulatorOutage: boolean) =>
      expectOk(second.call('PATCH', '/store', { fiscal: { simulatorOutage } }));
    await outage(true);
    const reason = 'O cliente desistiu da compra';
    expect((await second.call('POST', `/fiscal/documents/${id}/cancel`, { reason })).body).toMatchObject({
      status: 'AUTHORIZED',
      cancellation: { reason },
    });
    held.release();
    await late;
    await outage(false);
    later += LONGER_THAN_A_LEASE;
    await until('it is cancelled', async () => (await documents())[0]?.status === 'CANCELLED');
  });
});
