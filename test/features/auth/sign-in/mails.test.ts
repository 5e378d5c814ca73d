import { describe, expect, test } from '@jest/globals';
import { invitationMail, passwordResetMail } from '../../../../src/features/auth/sign-in/mails.js';

const order = {
  id: 'mail-1',
  to: { name: 'Zé', address: 'ze@padaria.example' },
  pagesUrl: 'https://loja.example/console/',
  token: 'Ab-_9',
};

test('the mail for a new password says how, how long, and what if nobody asked', () => {
  const mail = passwordResetMail(order);
  expect(mail).toMatchObject({ id: 'mail-1', to: order.to, subject: 'Redefinição de senha' });
  for (const body of [mail.text, mail.html]) {
    expect(body).toContain('Zé');
    expect(body).toContain('https://loja.example/console/reset-password#token=Ab-_9');
    expect(body).toContain('1 hora');
    expect(body).toContain('ignore esta mensagem');
  }
});

test('an invitation says who invites whereto', () => {
  const mail = invitationMail({ ...order, storeName: 'Pão & Cia', inviterName: 'Ana' });
  expect(mail.subject).toBe('Convite para a loja Pão & Cia');
  expect(mail.text).toContain('Ana convidou você para participar da loja Pão & Cia.');
  expect(mail.text).toContain('https://loja.example/console/accept-invitation#token=Ab-_9');
  expect(mail.text).toContain('7 dias');
  expect(mail.html).toContain('loja Pão &amp; Cia');
});

test('without pages for people no link leads nowhere, and the code says where it belongs', () => {
  for (const body of Object.values(passwordResetMail({ ...order, pagesUrl: undefined })).map(String)) {
    expect(body).not.toMatch(/https?:|<a /);
  }
  expect(passwordResetMail({ ...order, pagesUrl: undefined }).text).toContain(
    'Informe este código no programa que a sua loja usa:\nAb-_9',
  );
});

describe('the token', () => {
  test('stands on a line of its own as well, for programs that break links', () => {
    expect(passwordResetMail(order).text.split('\n')).toContain('Ab-_9');
  });
});

test('names are text, never markup', () => {
  const name = `<img src=x onerror="alert('1')">`;
  const mail = invitationMail({ ...order, to: { ...order.to, name }, storeName: name, inviterName: name });
  expect(mail.html).not.toContain('<img');
  expect(mail.html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;');
  expect(mail.text).toContain(name);
});

test('what somebody chose as a name is no message of theirs: one line, few letters, no link', () => {
  const name = `Sua conta foi bloqueada\r\n\r\nAcesse https://golpe.example/entrar ou www.golpe.example${' agora'.repeat(30)}`;
  const mail = invitationMail({ ...order, to: { ...order.to, name }, storeName: name, inviterName: name });
  const own = mail.text.replaceAll('https://loja.example/', '');
  for (const text of [own, mail.subject, mail.html]) expect(text).not.toMatch(/golpe\.example|https:\/\/golpe/);
  for (const line of mail.text.split('\n')) expect(line.length).toBeLessThan(300);
  expect(mail.subject).not.toMatch(/\n/);
  expect(mail.text).toMatch(/^Olá, Sua conta foi bloqueada Acesse [^\n]+…!\n\nSua conta/);
});

test('a name that looks like an address is read as it was typed', () => {
  const { text } = invitationMail({ ...order, storeName: 'Pão.com 24h', inviterName: 'J. R. Sá' });
  expect(text.replaceAll('\u200b', '')).toContain('J. R. Sá convidou você para participar da loja Pão.com 24h.');
});
