import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes as they are. Gives the `first` answer as soon as it is complete, or `all` that came until the server closed
 * (further answers then stand in the body). The `rest` of the request is sent when it is there.
 */
export function sendRaw(
  port: number,
  request: string | Buffer,
  until: 'first' | 'all' = 'first',
  rest?: Promise<string>,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const isHead = Buffer.from(request).toString('latin1', 0, 5) === 'HEAD ';
    const chunks: Buffer[] = [];
    const finish = () => {
      const answer = parse(Buffer.concat(chunks).toString('utf8'));
      if (answer) resolve(answer);
      else reject(new Error('the connection ended without an answer'));
      socket.destroy();
    };
    socket.on('connect', () => {
      socket.write(request);
      rest?.then((bytes) => socket.write(bytes), reject);
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (until === 'first' && isComplete(Buffer.concat(chunks).toString('utf8'), isHead)) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
  });
}

/** Sends bytes and hangs up without waiting for an answer. */
export function sendAndLeave(port: number, request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, () => socket.destroy()));
    socket.on('close', () => {
      resolve();
    });
  });
}

function parse(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [start = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(start.split(' ')[1]), headers, body: text.slice(end + 4) };
}

function isComplete(text: string, isHead: boolean): boolean {
  const answer = parse(text);
  if (answer && (isHead || answer.status === 204)) return true;
  return answer !== undefined && Buffer.byteLength(answer.body) >= Number(answer.headers['content-length'] ?? Infinity);
}
