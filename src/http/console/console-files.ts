import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Answer } from '../exchange/exchange.js';
import { UNKNOWN_PATH } from '../exchange/rejections.js';

/** Nothing from elsewhere, no inline script or style; a document may be shown from a blob that the page made. */
const PAGE_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Their names carry a hash of what is in them. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const PAGE = 'index.html';

interface Kept {
  readonly type: string;
  readonly encodings: ReadonlySet<string>;
}

function accepts({ headers }: IncomingMessage, encoding: string): boolean {
  const accepted = [headers['accept-encoding'] ?? ''].flat().join(',');
  return new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[^,]*)?(?:,|$)`, 'i').test(accepted);
}

/** The built pages for people, served from memory. */
export class ConsoleFiles {
  private readonly assets = new Map<string, Kept>();
  private readonly read = new Map<string, Promise<Buffer>>();

  private constructor(private readonly folder: string) {
    const names = readdirSync(join(folder, 'assets'));
    for (const name of names) {
      const type = TYPES[extname(name)];
      if (type === undefined) continue;
      const encodings = ['br', 'gz'].filter((suffix) => names.includes(`${name}.${suffix}`));
      this.assets.set(name, { type, encodings: new Set(encodings) });
    }
    // Pages may be built anew beside a service that runs: it goes on with the page that names the assets it has.
    for (const name of [PAGE, `${PAGE}.br`, `${PAGE}.gz`]) {
      const path = join(folder, name);
      if (existsSync(path)) this.read.set(name, Promise.resolve(readFileSync(path)));
    }
  }

  /** Undefined where none were built. */
  static open(folder: string): ConsoleFiles | undefined {
    return existsSync(join(folder, PAGE)) ? new ConsoleFiles(folder) : undefined;
  }

  /** The page, whatever its address: what it shows is decided in the browser. */
  async page(request: IncomingMessage): Promise<Answer> {
    const kept = { type: 'text/html; charset=utf-8', encodings: new Set(['br', 'gz']) };
    const answer = await this.file(request, PAGE, kept);
    const headers = ['Content-Security-Policy', PAGE_SECURITY, 'Cache-Control', 'no-cache'];
    return { ...answer, headers: [...answer.headers, ...headers] };
  }

  async icon(request: IncomingMessage): Promise<Answer> {
    const answer = await this.file(request, 'icon.svg', { type: 'image/svg+xml', encodings: new Set() });
    return { ...answer, headers: [...answer.headers, 'Cache-Control', 'max-age=86400'] };
  }

  async asset(request: IncomingMessage, name: string): Promise<Answer> {
    const kept = this.assets.get(name);
    if (!kept) throw new Rejection(UNKNOWN_PATH);
    const answer = await this.file(request, join('assets', name), kept);
    return { ...answer, headers: [...answer.headers, 'Cache-Control', FOR_EVER] };
  }

  private async file(request: IncomingMessage, path: string, { type, encodings }: Kept): Promise<Answer> {
    const headers = ['Content-Type', type];
    if (encodings.size > 0) headers.push('Vary', 'Accept-Encoding');
    if (encodings.has('br') && accepts(request, 'br')) {
      return { status: 200, headers: [...headers, 'Content-Encoding', 'br'], body: await this.bytes(`${path}.br`) };
    }
    if (encodings.has('gz') && accepts(request, 'gzip')) {
      return { status: 200, headers: [...headers, 'Content-Encoding', 'gzip'], body: await this.bytes(`${path}.gz`) };
    }
    return { status: 200, headers, body: await this.bytes(path) };
  }

  private bytes(path: string): Promise<Buffer> {
    const known = this.read.get(path);
    if (known) return known;
    const reading = readFile(join(this.folder, path));
    this.read.set(path, reading);
    reading.catch(() => this.read.delete(path));
    return reading;
  }
}
