import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { hostname } from 'node:os';
import { expect, test } from '@jest/globals';
import { OwnAddresses } from '../../src/http/exchange/own-addresses.js';

const asked = (host: string) => Object.assign(new IncomingMessage(new Socket()), { url: '/', headers: { host } });

test('where the system does not tell the addresses of this machine, it answers for its names and refuses other hosts', () => {
  const addresses = new OwnAddresses({
    listensOn: 'caixa.local',
    interfaces: () => {
      throw new Error('uv_interface_addresses returned Unknown system error 97');
    },
  });
  for (const host of ['localhost:3000', 'caixa.local:3000', hostname()]) addresses.refuseOthers(asked(host));
  expect(() => {
    addresses.refuseOthers(asked('10.1.2.3:3000'));
  }).toThrow('This service does not answer for this host');
});
