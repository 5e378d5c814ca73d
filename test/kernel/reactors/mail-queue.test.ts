import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Clock } from '../../../src/kernel/values/clock.js';
import { systemClock } from '../../../src/kernel/values/clock.js';
import { MailQueue } from '../../../src/kernel/reactors/mail-queue.js';
import type { Mail } from '../../../src/ports/mailer.js';
import { MailNotSent } from '../../../src/ports/mailer.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { until } from '../../support/until.js';

const mail = (id: string): Mail => ({
  id,
  to: { name: 'Maria', address: 'maria@casa.example' },
  subject: 'Olá',
  text: 'Olá',
  html: '<p>Olá</p>',
});

let now: number;
let vault: MemoryVault;
let sent: string[];
let errors: unknown[];
let failure: Error | undefined;
const opened: MailQueue[] = [];
let clock: Clock;
const mailer = {
  async send({ id }: Mail) {
    await Promise.resolve();
    if (failure) throw failure;
    sent.push(id);
  },
  close: () => Promise.resolve(),
};
let holders = 0;
const open = (alone = true) => {
  const holder = `process ${String((holders += 1))}`;
  const queue = new MailQueue({ vault, clock, mailer, holder, alone, onError: (error) => errors.push(error) });
  opened.push(queue);
  return queue;
};
const work = async (queue: MailQueue) => {
  queue.wake();
  await queue.idle();
};

beforeEach(() => {
  now = Date.parse('2026-11-21T12:00:00Z');
  clock = systemClock(() => now);
  vault = new MemoryVault(() => now);
  sent = [];
  errors = [];
  failure = undefined;
});

afterEach(() => {
  jest.restoreAllMocks();
  return Promise.all(opened.splice(0).map((queue) => queue.close()));
});

describe('mail', () => {
  test('leaves once', async () => {
    const queue = open();
    await vault.write([queue.row(mail('a')), queue.row(mail('b'))]);
    await work(queue);
    await work(queue);
    expect(sent.sort()).toEqual(['a', 'b']);
    expect(await vault.list('mail', { limit: 10 })).toEqual([]);
  });

  test('leaves after a restart when a crash came before it was sent', async () => {
    await vault.write([open().row(mail('a'))]);
    await work(open());
    expect(sent).toEqual(['a']);
  });

  test('is sent by one of two processes', async () => {
    const queues = [open(false), open(false), open(false)];
    await vault.write([open().row(mail('a'))]);
    await Promise.all(queues.map(work));
    expect(sent).toEqual(['a']);
  });

  test('is left to the process that sends it while its server looks at it', async () => {
    const [sending, other] = [open(false), open(false)];
    const asked = jest.spyOn(mailer, 'send');
    let take: () => void = () => undefined;
    asked.mockReturnValueOnce(
      new Promise((resolve) => {
        take = resolve;
      }),
    );
    await vault.write([sending.row(mail('a'))]);
    sending.wake();
    await until('it is on its way', () => asked.mock.calls.length === 1);
    now += 4 * 60_000;
    await work(other);
    take();
    await sending.idle();
    await work(other);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await vault.list('mail', { limit: 10 })).toEqual([]);
  });

  test('that its server never answers is left for the next start by a stop', async () => {
    const queue = open();
    const asked = jest.spyOn(mailer, 'send').mockReturnValueOnce(new Promise(() => undefined));
    await vault.write([queue.row(mail('a'))]);
    queue.wake();
    await until('it is on its way', () => asked.mock.calls.length === 1);
    await queue.close(0);
    await work(open());
    expect([sent, errors]).toEqual([['a'], []]);
  });

  test('is tried again after a minute when the server was away', async () => {
    const queue = open();
    failure = new MailNotSent('away', false);
    await vault.write([queue.row(mail('a'))]);
    await work(queue);
    failure = undefined;
    await work(queue);
    expect(sent).toEqual([]);
    now += 60_000;
    await work(queue);
    expect(sent).toEqual(['a']);
    expect(errors).toHaveLength(1);
  });

  test('is given up when its address is refused, and after a day', async () => {
    const queue = open();
    failure = new MailNotSent('no such mailbox', true);
    await vault.write([queue.row(mail('a'))]);
    await work(queue);
    expect(await vault.list('mail', { limit: 10 })).toEqual([]);
    failure = new MailNotSent('away', false);
    await vault.write([queue.row(mail('b'))]);
    for (let minute = 0; minute <= 24 * 60; minute += 30) {
      await work(queue);
      now += 30 * 60_000;
    }
    failure = undefined;
    await work(queue);
    expect(sent).toEqual([]);
  });

  test('that waits for nothing else does not stop the rest', async () => {
    const queue = open();
    await vault.write(Array.from({ length: 120 }, (_, index) => queue.row(mail(String(index)))));
    await work(queue);
    expect(sent).toHaveLength(120);
  });
});
