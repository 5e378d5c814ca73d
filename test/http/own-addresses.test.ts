import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { hostname } from 'node:os';
import { expect, jest, test } from '@jest/globals';
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

test('an address that came meanwhile is its own a minute later, also where the clock was set back', () => {
  let address = '10.1.2.3';
  const interfaces = () => ({ eth0: [{ address }] }) as unknown as ReturnType<typeof networkInterfaces>;
  const addresses = new OwnAddresses({ listensOn: undefined, interfaces });
  addresses.refuseOthers(asked('10.1.2.3'));
  address = '10.9.8.7';
  const [wall, passed] = [Date.now() - 3_600_000, performance.now() + 60_001];
  const clocks = [
    jest.spyOn(Date, 'now').mockReturnValue(wall),
    jest.spyOn(performance, 'now').mockReturnValue(passed),
  ];
  try {
    addresses.refuseOthers(asked('10.9.8.7'));
  } finally {
    for (const clock of clocks) clock.mockRestore();
  }
});
