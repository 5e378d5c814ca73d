import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setFiscal, soldSale } from '../support/fiscal/store.js';
import type { Processes } from '../support/processes.js';
import { openProcesses } from '../support/processes.js';
import type { Servers } from '../support/servers.js';
import { startServers } from '../support/servers.js';

const SALES = 8;

const started = await startServers();
if (typeof started === 'string') test.skip(`documents on servers (left out: ${started})`, () => undefined);
else onServers(started);

function onServers(servers: Servers): void {
  let processes: Processes;

  beforeEach(async () => {
    processes = await openProcesses(servers.freshEnv(), 2);
  });
  afterEach(() => processes.close());
  afterAll(() => servers.dispose());

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
      expect(told.every((one) => ['AUTHORIZED', 'PENDING', 409].includes(one))).toBe(true);
    }
  });
}
