import type { Mail } from '../../../ports/mailer.js';

/** What the service writes to people. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

interface Letter {
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  readonly token: string;
  readonly closing: readonly string[];
}

const WITHOUT_LINK = 'Se o link não abrir, informe este código:';

function plain({ greeting, paragraphs, link, token, closing }: Letter): string {
  const ways = [`${link.label}:\n${link.url}`, `${WITHOUT_LINK}\n${token}`];
  return [greeting, ...paragraphs, ...ways, ...closing].join('\n\n') + '\n';
}

function html({ greeting, paragraphs, link, token, closing }: Letter): string {
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`;
  const body = [
    ...[greeting, ...paragraphs].map(paragraph),
    `<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`,
    `<p>${escaped(WITHOUT_LINK)}</p>\n<p><code>${escaped(token)}</code></p>`,
    ...closing.map(paragraph),
  ];
  return `<!DOCTYPE html>\n<html lang="pt-BR">\n<head><meta charset="utf-8"></head>\n<body>\n${body.join('\n')}\n</body>\n</html>\n`;
}

/** The token sits in the fragment, which no server, proxy or log on the way gets to see. */
function linkTo(baseUrl: string, page: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/console/${page}#token=${encodeURIComponent(token)}`;
}

export interface Receiver {
  readonly name: string;
  readonly address: string;
}

interface Order {
  readonly id: string;
  readonly to: Receiver;
  /** The service's own address. */
  readonly baseUrl: string;
  readonly token: string;
}

export function passwordResetMail({ id, to, baseUrl, token }: Order): Mail {
  const letter: Letter = {
    greeting: `Olá, ${to.name}!`,
    paragraphs: ['Recebemos um pedido para redefinir a senha da sua conta.'],
    link: { label: 'Redefinir a senha', url: linkTo(baseUrl, 'reset-password', token) },
    token,
    closing: [
      'O link vale por 1 hora e só pode ser usado uma vez.',
      'Se você não fez este pedido, ignore esta mensagem: a sua senha continua a mesma.',
    ],
  };
  return { id, to, subject: 'Redefinição de senha', text: plain(letter), html: html(letter) };
}

export function addressMail({ id, to, baseUrl, token }: Order): Mail {
  const letter: Letter = {
    greeting: `Olá, ${to.name}!`,
    paragraphs: ['Este endereço foi informado como o e-mail de uma conta. Confirme somente se a conta é sua.'],
    link: { label: 'Confirmar o e-mail', url: linkTo(baseUrl, 'confirm-email', token) },
    token,
    closing: [
      'O link vale por 24 horas e só pode ser usado uma vez.',
      'Se você não reconhece esta conta, ignore esta mensagem: sem a confirmação o endereço não abre nada.',
    ],
  };
  return { id, to, subject: 'Confirme o seu e-mail', text: plain(letter), html: html(letter) };
}

export function invitationMail({
  id,
  to,
  baseUrl,
  token,
  storeName,
  inviterName,
}: Order & { readonly storeName: string; readonly inviterName: string }): Mail {
  const letter: Letter = {
    greeting: `Olá, ${to.name}!`,
    paragraphs: [`${inviterName} convidou você para participar da loja ${storeName}.`],
    link: { label: 'Aceitar o convite', url: linkTo(baseUrl, 'accept-invitation', token) },
    token,
    closing: [
      'O convite vale por 7 dias e só pode ser usado uma vez.',
      'Se você não conhece esta loja, ignore esta mensagem: nada muda na sua conta.',
    ],
  };
  return { id, to, subject: `Convite para a loja ${storeName}`, text: plain(letter), html: html(letter) };
}
