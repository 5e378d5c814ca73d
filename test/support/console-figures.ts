import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { fillWith, firstPage } from '../../scripts/bench/products.js';
import type { Service } from '../../scripts/bench/servers.js';
import { startService } from '../../scripts/bench/servers.js';
import { browserPath } from './browser-path.js';

/** Figures of the console: what its screens weigh, how soon they can be used with many products, and how many can watch a store. */

const PRODUCTS = Number(process.env['CONSOLE_PRODUCTS'] ?? 100_000);
const WATCHERS = Number(process.env['CONSOLE_WATCHERS'] ?? 5_000);
const CHANGES = 5;
const OPENED_AT_ONCE = 50;
const TYPED = 'pastel integral';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const share = (values: readonly number[], of: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * of))] ?? 0;

interface Part {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
  readonly entryPoint?: string;
  readonly cssBundle?: string;
}

/** Compressed bytes of the first page, and of what each screen adds to it. */
function printWeights(): void {
  const parts = JSON.parse(readFileSync('dist/console/parts.json', 'utf8')) as Record<string, Part>;
  const reached = (path: string, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(path)) return found;
    found.add(path);
    for (const { path: next, kind } of parts[path]?.imports ?? [])
      if (kind === 'import-statement') reached(next, found);
    return found;
  };
  const weigh = (paths: Iterable<string>) =>
    [...paths].reduce((sum, path) => sum + statSync(`dist/console/assets/${basename(path)}.br`).size, 0);
  const named = Object.entries(parts).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const [main = '', { cssBundle = '' } = {}] =
    named.find(([, { entryPoint }]) => entryPoint?.endsWith('/main.tsx')) ?? [];
  const first = reached(main);
  say(`first page: ${kilobytes(weigh(first))} of scripts, ${kilobytes(weigh([cssBundle]))} of styles (brotli)`);
  for (const [path, { entryPoint = '' }] of named) {
    const screen = /screens\/([^/]+)\//.exec(entryPoint)?.[1];
    if (screen === undefined) continue;
    const own = [...reached(path)].filter((part) => !first.has(part));
    say(`  ${screen}: ${kilobytes(weigh(own))} more`);
  }
}

async function signedIn({ port, person }: Service): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1280, height: 800 } });
  await page.goto(`http://127.0.0.1:${String(port)}/`);
  await page.getByLabel('Usuário ou e-mail').fill(person.username);
  await page.getByLabel('Senha').fill(person.password);
  await page.keyboard.press('Enter');
  await page.locator('.workplace').waitFor();
  return { page, close: () => browser.close() };
}

/** From asking for the address until the first row, or the first section, can be read. */
async function printUsable(page: Page, address: string): Promise<void> {
  for (const [path, mark] of [
    ['hoje', 'main h2'],
    ['produtos', 'main tbody tr:not(.waiting)'],
    ['estoque', 'main tbody tr:not(.waiting)'],
  ] as const) {
    const times: number[] = [];
    for (let turn = 0; turn < CHANGES; turn++) {
      const start = performance.now();
      await page.goto(`${address}/console/${path}`);
      await page.locator(mark).first().waitFor();
      times.push(performance.now() - start);
    }
    say(`usable: /${path} after ${milliseconds(median(times))} (median of ${String(CHANGES)})`);
  }
}

/** Frames that took long while a hundred thousand rows went by, and how soon a search answers while somebody types. */
async function printScrolling(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/console/produtos`);
  await page.locator('main tbody tr:not(.waiting)').first().waitFor();
  const { frames, blank } = await page.evaluate<{ frames: number[]; blank: number }>(`new Promise((done) => {
    const frames = [];
    const far = document.documentElement.scrollHeight;
    let last = performance.now();
    let at = 0;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      at += far / 120;
      scrollTo(0, at);
      if (at < far) requestAnimationFrame(step);
      else {
        const landed = performance.now();
        const look = () =>
          document.querySelector('main tbody tr.waiting') ? setTimeout(look, 5) : done({ frames, blank: performance.now() - landed });
        look();
      }
    };
    requestAnimationFrame(step);
  })`);
  say(
    `scrolled through ${String(PRODUCTS)} products in ${String(frames.length)} steps: frame p50 ${milliseconds(median(frames))}, p99 ${milliseconds(share(frames, 0.99))}; the last rows are there ${milliseconds(blank)} after the last step`,
  );
  await page.evaluate('scrollTo(0, 0)');
  const search = page.getByLabel(/^Buscar por nome/);
  await search.click();
  const waits: number[] = [];
  for (const letter of TYPED) {
    const answered = letter === ' ' ? undefined : page.waitForResponse(/\/products\?.*q=/, { timeout: 5_000 });
    const start = performance.now();
    await page.keyboard.type(letter);
    if (!answered) continue;
    await answered;
    waits.push(performance.now() - start);
  }
  say(
    `searched while typing: answered ${milliseconds(median(waits))} after a letter (p50), ${milliseconds(share(waits, 0.99))} (p99); 150 ms of it wait for the next letter`,
  );
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? 0) / 1_000;

/** Open watchers of one store, the memory that they take, and how long a change is on its way to each. */
async function printWatchers({ port, pid, headers }: Service): Promise<void> {
  const before = residentMegabytes(pid);
  const streams: IncomingMessage[] = [];
  let heard: number[] = [];
  const open = () =>
    new Promise<void>((resolve, reject) => {
      get({ port, host: '127.0.0.1', path: '/live', headers, agent: false }, (stream) => {
        if (stream.statusCode !== 200) reject(new Error(`/live was answered ${String(stream.statusCode)}`));
        stream.on('data', (piece: Buffer) => {
          if (piece.includes('"category"')) heard.push(performance.now());
        });
        stream.on('error', () => undefined);
        streams.push(stream);
        resolve();
      }).on('error', reject);
    });
  for (let opened = 0; opened < WATCHERS; opened += OPENED_AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, WATCHERS - opened) }, open));
  }
  const grown = residentMegabytes(pid) - before;
  const delays: number[] = [];
  for (let turn = 0; turn < CHANGES; turn++) {
    heard = [];
    const start = performance.now();
    const answer = await fetch(`http://127.0.0.1:${String(port)}/categories`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `Observada ${String(turn)}` }),
    });
    if (answer.status !== 201) throw new Error(`a category was answered ${String(answer.status)}`);
    for (const until = start + 30_000; heard.length < WATCHERS && performance.now() < until;) await pause(5);
    if (heard.length < WATCHERS)
      throw new Error(`only ${String(heard.length)} of ${String(WATCHERS)} heard of a change`);
    delays.push(...heard.map((at) => at - start));
  }
  for (const stream of streams) stream.destroy();
  say(
    `watched by ${String(WATCHERS)}: ${grown.toFixed(0)} MB more (${((grown * 1_000) / WATCHERS).toFixed(1)} KB each); a change is heard after ${milliseconds(median(delays))} (p50), ${milliseconds(share(delays, 0.99))} (p99)`,
  );
}

async function main(): Promise<void> {
  printWeights();
  const service = await startService(fillWith(PRODUCTS));
  try {
    await firstPage(service, PRODUCTS);
    if (browserPath === undefined) {
      say('no browser is installed here: nothing of what one sees is measured');
    } else {
      const { page, close } = await signedIn(service);
      const address = `http://127.0.0.1:${String(service.port)}`;
      await printUsable(page, address);
      await printScrolling(page, address);
      await close();
    }
    await printWatchers(service);
  } finally {
    await service.stop();
  }
}

await main();
