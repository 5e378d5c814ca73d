import { expect, test } from '@jest/globals';
import { MongoExpiredSessionError, MongoServerError } from 'mongodb';
import { translated } from '../../src/adapters/mongodb/away.js';
import { StoreUnavailable } from '../../src/ports/event-store.js';

const ASKED = { writes: false, started: true };
const said = (code: number, message: string): unknown => translated(new MongoServerError({ code, message }), ASKED);

test.each([
  ['a wrong password', 18, 'Authentication failed.'],
  ['no user name at all', 13, 'command find requires authentication'],
  ['what the hosted server says of either', 8000, 'bad auth : authentication failed'],
])('%s is said in a line that names the setting', (_, code, message) => {
  const error = said(code, message);
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect((error as Error).message).toBe(
    'wrong setting: MONGODB_URL: MongoDB does not accept its user name and password',
  );
});

test('an address whose name nobody knows leads to a server that is away', () => {
  const unknown = Object.assign(new Error('querySrv ENOTFOUND _mongodb._tcp.data'), { syscall: 'querySrv' });
  expect(translated(unknown, ASKED)).toBeInstanceOf(StoreUnavailable);
});

test('what else a server says of its own state is that it is away', () => {
  expect((said(11_600, 'interrupted at shutdown') as Error).message).toBe('MongoDB is away: interrupted at shutdown');
});

test.each([
  ['its session has ended', new MongoExpiredSessionError()],
  ['its connections are closed', Object.assign(new Error('closed connection pool'), { name: 'MongoPoolClosedError' })],
])('what is asked of a client that gives way to a new one may be asked again: %s', (_, error) => {
  expect(translated(error, ASKED)).toMatchObject({ name: 'StoreUnavailable', unknown: false });
  expect(translated(error, { writes: true, started: true })).toMatchObject({ name: 'StoreUnavailable', unknown: true });
});
