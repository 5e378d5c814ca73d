import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Outbox } from '../../src/adapters/smtp/outbox.js';
import { SmtpMailer } from '../../src/adapters/smtp/smtp-mailer.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { Mail } from '../../src/ports/mailer.js';
import { MailNotSent } from '../../src/ports/mailer.js';
import { readMail } from '../support/eml.js';
import type { Answers, SmtpServer } from '../support/smtp-server.js';
import { startSmtpServer } from '../support/smtp-server.js';

const mail: Mail = {
  id: '0190-abc',
  to: { name: 'Conceição Leão', address: 'conceicao@padaria.example' },
  subject: 'Redefinição de senha: você pediu uma senha nova para a sua conta na Padaria Pão Quente de São José?',
  text: 'Olá!\n\n.um ponto no começo\nhttps://loja.example/reset-password#token=abc\n',
  html: '<p>Olá!</p>\n',
};
const sender = 'Loja São José <loja@loja.example>';

const inject = (field: 'name' | 'subject'): Mail => {
  const evil = 'Ana\r\nBcc: evil@evil.example\nX-Evil: 1\u2028\0';
  return field === 'name' ? { ...mail, to: { ...mail.to, name: evil } } : { ...mail, subject: evil };
};

const BAD_ADDRESSES = [
  '',
  'nobody',
  'a@b@c.example',
  'a@b.example, evil@evil.example',
  'a@b.example\r\nBcc: evil@evil.example',
  '<evil@evil.example> a@b.example',
  'group: a@b.example;',
];

describe('the outbox', () => {
  let folder: string;
  let outbox: Outbox;

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'outbox-')), 'out', 'box');
    outbox = new Outbox({ folder, sender, clock: systemClock(() => Date.UTC(2026, 0, 2, 3, 4, 5)) });
  });
  afterEach(() => rm(join(folder, '..', '..'), { recursive: true, force: true }));

  const mails = async () => {
    const names = (await readdir(folder)).sort();
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };

  test('gets a whole mail that its receiver can read', async () => {
    await outbox.send(mail);
    const { headers, text, html } = readMail((await mails())[0] ?? '');
    expect(headers.get('from')).toBe('Loja São José <loja@loja.example>');
    expect(headers.get('to')).toBe('Conceição Leão <conceicao@padaria.example>');
    expect(headers.get('subject')).toBe(mail.subject);
    expect(headers.get('message-id')).toBe('<0190-abc@loja.example>');
    expect(headers.get('date')).toBe('Fri, 02 Jan 2026 03:04:05 +0000');
    expect(text.trim()).toBe(mail.text.trim());
    expect(html.trim()).toBe(mail.html.trim());
  });

  test('leaves a token that stands on a line of its own as it is, whatever the encoding', async () => {
    const token = 'Ab-_'.repeat(11).slice(0, 43);
    await outbox.send({ ...mail, text: `Olá! Código:\n\n${token}\n\nAté já` });
    expect((await mails())[0]?.split('\r\n')).toContain(token);
  });

  test('keeps each in a file of its own that nobody else reads', async () => {
    await Promise.all(Array.from({ length: 20 }, () => outbox.send(mail)));
    const names = await readdir(folder);
    expect(names).toHaveLength(20);
    for (const name of names) {
      expect(name).toMatch(/^2026-01-02T03-04-05\.000Z-[0-9a-f]{12}\.eml$/);
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });

  test.each(['name', 'subject'] as const)('lets no %s begin a header', async (field) => {
    await outbox.send(inject(field));
    const { headers } = readMail((await mails())[0] ?? '');
    expect([...headers.keys()].filter((name) => name === 'bcc' || name === 'x-evil')).toEqual([]);
    expect(headers.get(field === 'name' ? 'to' : 'subject')).toContain('Ana Bcc: evil@evil.example X-Evil: 1');
  });

  test.each(BAD_ADDRESSES)('refuses the address %j', async (address) => {
    const sending = outbox.send({ ...mail, to: { name: 'Ana', address } });
    await expect(sending).rejects.toMatchObject({ name: 'MailNotSent', permanent: true });
  });

  test('that cannot be written may be tried again', async () => {
    const blocked = new Outbox({ folder: '/dev/null/outbox', sender, clock: systemClock() });
    await expect(blocked.send(mail)).rejects.toMatchObject({ name: 'MailNotSent', permanent: false });
  });
});

describe('a mail server', () => {
  let server: SmtpServer | undefined;
  let mailer: SmtpMailer | undefined;
  afterEach(async () => {
    await mailer?.close();
    await server?.stop();
  });

  async function start(answers: Answers = {}, patience = 60_000) {
    server = await startSmtpServer(answers);
    mailer = new SmtpMailer({ url: server.url, sender, patience, patienceForAnswers: patience });
    return { server, mailer };
  }

  test('gets a whole mail that its receiver can read', async () => {
    const { server: taken, mailer: sending } = await start();
    await sending.send(mail);
    const [received] = taken.mails;
    expect(received?.from).toMatch(/^MAIL FROM:<loja@loja\.example>/);
    expect(received?.to).toEqual(['RCPT TO:<conceicao@padaria.example>']);
    const { headers, text } = readMail(`${received?.data ?? ''}\r\n`);
    expect(headers.get('subject')).toBe(mail.subject);
    expect(headers.get('message-id')).toBe('<0190-abc@loja.example>');
    expect(text.trim()).toBe(mail.text.trim());
  });

  test('gets many over few connections', async () => {
    const { server: taken, mailer: sending } = await start();
    await Promise.all(Array.from({ length: 20 }, () => sending.send(mail)));
    expect(taken.mails).toHaveLength(20);
    expect(taken.connections).toBeLessThanOrEqual(2);
  });

  test.each(['name', 'subject'] as const)('gets no header or receiver from a %s', async (field) => {
    const { server: taken, mailer: sending } = await start();
    await sending.send(inject(field));
    expect(taken.mails[0]?.to).toEqual(['RCPT TO:<conceicao@padaria.example>']);
    expect(readMail(`${taken.mails[0]?.data ?? ''}\r\n`).headers.has('bcc')).toBe(false);
  });

  test.each(BAD_ADDRESSES)('is not asked about the address %j', async (address) => {
    const { server: taken, mailer: sending } = await start();
    const refused = sending.send({ ...mail, to: { name: 'Ana', address } });
    await expect(refused).rejects.toMatchObject({ name: 'MailNotSent', permanent: true });
    expect(taken.connections).toBe(0);
  });

  test.each<[string, Answers, boolean]>([
    ['refuses the receiver', { RCPT: '550 no such mailbox' }, true],
    ['refuses the content', { 'end of data': '554 looks like spam' }, true],
    ['is busy', { RCPT: '451 later' }, false],
    ['is full', { 'end of data': '452 no space' }, false],
    ['greets with a refusal', { greeting: '554 go away' }, false],
    ['never greets', { greeting: null }, false],
    ['stops answering', { MAIL: null }, false],
  ])('that %s', async (_, answers, permanent) => {
    const isSilent = Object.values(answers).includes(null);
    const { mailer: sending } = await start(answers, isSilent ? 300 : undefined);
    await expect(sending.send(mail)).rejects.toMatchObject({ name: 'MailNotSent', permanent });
  });

  test('that looks at a mail for longer than it may take to be reached has got it all the same', async () => {
    server = await startSmtpServer({}, 600);
    mailer = new SmtpMailer({ url: server.url, sender, patience: 200 });
    await mailer.send(mail);
    expect(server.mails).toHaveLength(1);
  });

  test('that is away', async () => {
    const { server: gone, mailer: sending } = await start();
    await gone.stop();
    const error: unknown = await sending.send(mail).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MailNotSent);
    expect(error).toMatchObject({ permanent: false });
  });
});
