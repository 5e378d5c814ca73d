import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { ChatCategoryAdviser } from '../../src/adapters/openai/category-adviser.js';

test('a provider that never answers is not waited for', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const { port } = silent.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${String(port)}/v1`;
  const adviser = new ChatCategoryAdviser({ baseUrl, apiKey: undefined, model: 'm', patience: 50 });
  const request = { businessDescription: '', profileLabel: 'Padaria', usual: [], maximum: 60 };
  await expect(adviser.suggest(request)).rejects.toThrow('the provider took too long');
  silent.closeAllConnections();
  await new Promise((done) => silent.close(done));
});
