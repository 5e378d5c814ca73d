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

const LONGEST_NAME = 80;
/** Takes no room, and mail programs make no link of what it parts. */
const SEAM = '\u200b';

/**
 * What somebody else may have typed, within the words of the service: on one line, in few letters, and nothing in it becomes a link. A mail that
 * goes to strangers is not to carry a message of whoever chose the name.
 */
function named(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const letters = Array.from(line);
  const short = letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : line;
  return short.replaceAll(/(?<=\S)[.:/@](?=\S)/g, (sign) => sign + SEAM);
}

const greetingOf = ({ name }: Receiver): string => `Olá, ${named(name)}!`;

interface Letter {
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** Undefined where the service serves no pages for people. */
  readonly link: { readonly label: string; readonly url: string } | undefined;
  readonly token: string;
  readonly closing: readonly string[];
}

const WITH_LINK = 'Se o link não abrir, informe este código:';
const WITHOUT_LINK = 'Informe este código no programa que a sua loja usa:';

function plain({ greeting, paragraphs, link, token, closing }: Letter): string {
  const ways = link ? [`${link.label}:\n${link.url}`, `${WITH_LINK}\n${token}`] : [`${WITHOUT_LINK}\n${token}`];
  return [greeting, ...paragraphs, ...ways, ...closing].join('\n\n') + '\n';
}

function html({ greeting, paragraphs, link, token, closing }: Letter): string {
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`;
  const body = [
    ...[greeting, ...paragraphs].map(paragraph),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`] : []),
    `<p>${escaped(link ? WITH_LINK : WITHOUT_LINK)}</p>\n<p><code>${escaped(token)}</code></p>`,
    ...closing.map(paragraph),
  ];
  return `<!DOCTYPE html>\n<html lang="pt-BR">\n<head><meta charset="utf-8"></head>\n<body>\n${body.join('\n')}\n</body>\n</html>\n`;
}

/** The token sits in the fragment, which no server, proxy or log on the way gets to see. */
function linkTo({ pagesUrl, token }: Order, page: string, label: string): Letter['link'] {
  if (pagesUrl === undefined) return undefined;
  return { label, url: `${pagesUrl.replace(/\/+$/, '')}/${page}#token=${encodeURIComponent(token)}` };
}

interface Receiver {
  readonly name: string;
  readonly address: string;
}

interface Order {
  readonly id: string;
  readonly to: Receiver;
  /** Where the pages for people are; undefined where there are none. */
  readonly pagesUrl: string | undefined;
  readonly token: string;
}

export function passwordResetMail(order: Order): Mail {
  const { id, to, token } = order;
  const letter: Letter = {
    greeting: greetingOf(to),
    paragraphs: ['Recebemos um pedido para redefinir a senha da sua conta.'],
    link: linkTo(order, 'reset-password', 'Redefinir a senha'),
    token,
    closing: [
      'O link vale por 1 hora e só pode ser usado uma vez.',
      'Se você não fez este pedido, ignore esta mensagem: a sua senha continua a mesma.',
    ],
  };
  return { id, to, subject: 'Redefinição de senha', text: plain(letter), html: html(letter) };
}

export function addressMail(order: Order): Mail {
  const { id, to, token } = order;
  const letter: Letter = {
    greeting: greetingOf(to),
    paragraphs: ['Este endereço foi informado como o e-mail de uma conta. Confirme somente se a conta é sua.'],
    link: linkTo(order, 'confirm-email', 'Confirmar o e-mail'),
    token,
    closing: [
      'O link vale por 24 horas e só pode ser usado uma vez.',
      'Se você não reconhece esta conta, ignore esta mensagem: sem a confirmação o endereço não abre nada.',
    ],
  };
  return { id, to, subject: 'Confirme o seu e-mail', text: plain(letter), html: html(letter) };
}

export function invitationMail(order: Order & { readonly storeName: string; readonly inviterName: string }): Mail {
  const { id, to, token } = order;
  const storeName = named(order.storeName);
  const letter: Letter = {
    greeting: greetingOf(to),
    paragraphs: [`${named(order.inviterName)} convidou você para participar da loja ${storeName}.`],
    link: linkTo(order, 'accept-invitation', 'Aceitar o convite'),
    token,
    closing: [
      'O convite vale por 7 dias e só pode ser usado uma vez.',
      'Se você não conhece esta loja, ignore esta mensagem: nada muda na sua conta.',
    ],
  };
  return { id, to, subject: `Convite para a loja ${storeName}`, text: plain(letter), html: html(letter) };
}
