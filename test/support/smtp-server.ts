import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface SmtpServer {
  readonly url: string;
  readonly connections: number;
  /** Envelopes and bodies of the mails that were taken. */
  readonly mails: readonly { readonly from: string; readonly to: readonly string[]; readonly data: string }[];
  stop(): Promise<void>;
}

/** Answers instead of the usual ones, by the command's first word; `null` says nothing at all. */
export type Answers = Readonly<Record<string, string | null>>;

/** A mail server that takes what it gets, in plain text, on 127.0.0.1. It may look at each mail for some milliseconds before it says so. */
export async function startSmtpServer(answers: Answers = {}, looksAtMails = 0): Promise<SmtpServer> {
  const mails: { from: string; to: string[]; data: string }[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    const say = (word: string, usual: string): void => {
      const answer = word in answers ? answers[word] : usual;
      if (answer !== null && answer !== undefined) socket.write(`${answer}\r\n`);
    };
    let mail = { from: '', to: [] as string[], data: '' };
    let inData = false;
    let received = '';

    const obey = (line: string): void => {
      const word = (line.split(' ')[0] ?? '').toUpperCase();
      if (word === 'MAIL') mail = { from: line, to: [], data: '' };
      if (word === 'RCPT') mail.to.push(line);
      if (word === 'DATA') inData = true;
      say(word, word === 'DATA' ? '354 go on' : '250 fine');
      if (word === 'QUIT') socket.end();
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      for (;;) {
        const end = received.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const piece = received.slice(0, end);
        received = received.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          mails.push({ ...mail, data: piece.replaceAll('\r\n..', '\r\n.') });
          setTimeout(() => {
            say('end of data', '250 taken');
          }, looksAtMails);
        } else obey(piece);
      }
    });
    say('greeting', '220 test');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    get connections() {
      return connections;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
