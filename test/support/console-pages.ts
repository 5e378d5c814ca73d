import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import type { DemoCredentials } from '../../src/demo/store.js';
import { dayOf, startOfDay } from '../../src/kernel/values/days.js';
import { browserPath } from './browser-path.js';
import { demoOf, newDemoFolder, STORE_ZONE } from './demo-folder.js';
import type { World } from './world.js';
import { openWorld } from './world.js';

export { browserPath, STORE_ZONE };

/** Words of the frame, as the page says them. */
export type Spoken = 'pt-BR' | 'en';

interface Look {
  readonly width?: number;
  readonly language?: Spoken;
  readonly dark?: boolean;
  /** Letters are twice as large as the page has them. */
  readonly large?: boolean;
  /** Where the browser is; where this machine is otherwise. */
  readonly timeZone?: string;
}

/** The demo store behind the console, and a browser that is signed in. */
export interface ConsolePages {
  readonly world: World;
  readonly demo: DemoCredentials;
  /** Answered as the demo's key would be. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** A page in a window of its own; what it complains about is kept in `complaints`. */
  open(path: string, look?: Look): Promise<Watched>;
  /** A page in the window of the visit before it with the same look, which takes a quarter of the time: for those who leave nothing behind. */
  visit(path: string, look?: Look): Promise<Watched>;
  close(): Promise<void>;
}

export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
  close(): Promise<void>;
}

const HEIGHT = 800;
/** Longer than the browser waits by itself: the machine may be busy with other tests. */
const PATIENCE = 120_000;
/** A session that is shared is used while its first token holds: who renews it twice is taken for a thief. */
const SESSION_MILLISECONDS = 5 * 60_000;
/** Told to whoever is slow, of a font that is used as soon as its words are there. */
const TOO_SLOW = /was preloaded using link preload but not used within a few seconds/;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function openConsole(env: Readonly<Record<string, string>> = {}): Promise<ConsolePages> {
  const world = await openWorld({ dataDir: await newDemoFolder(), env: { DEMO: 'true', ...env } });
  const { service, url } = world;
  const { credentials: demo } = await demoOf(world);
  await service.projections.caughtUp();
  const browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  let session = { state: await signIn(browser, url, demo), began: Date.now() };
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    for (;;) {
      const answer = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${demo.apiKey}`,
          'x-store-slug': demo.storeSlug,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const isBehind = answer.status === 503 && (await answer.clone().text()).includes('PROJECTION_BEHIND');
      if (method !== 'GET' || !isBehind) return answer;
    }
  };
  const windows = new Map<string, Watched>();
  return {
    world,
    demo,
    call,
    async open(path, look = {}) {
      if (Date.now() - session.began > SESSION_MILLISECONDS)
        session = { state: await signIn(browser, url, demo), began: Date.now() };
      const watched = await openWindow(browser, session.state, look);
      await go(watched, url + path, look);
      return watched;
    },
    async visit(path, look = {}) {
      const key = JSON.stringify(look);
      // With a session of its own: it lasts for longer than the first token.
      const watched = windows.get(key) ?? (await openWindow(browser, await signIn(browser, url, demo), look));
      windows.set(key, watched);
      watched.complaints.length = 0;
      await go(watched, url + path, look);
      return { ...watched, close: () => Promise.resolve() };
    },
    async close() {
      await browser.close();
      await world.close();
    },
  };
}

/** The code of the first lot of flour that the demonstration took in, of which much was made. */
export async function flourLot({ call }: ConsolePages): Promise<string> {
  const answer = await call('GET', '/stock/lots?q=farinha%20de%20trigo%20especial&includeEmpty=true&limit=1');
  const { items } = (await answer.json()) as { items: { lotCode: string }[] };
  if (!items[0]) throw new Error('the demonstration has no flour');
  return items[0].lotCode;
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

type Login = Pick<DemoCredentials, 'username' | 'password'>;

/** Signs somebody in on a page, whoever was before. */
export async function signInOn(page: Page, address: string, { username, password }: Login): Promise<void> {
  await page.context().clearCookies();
  await page.goto(address);
  await page.getByLabel('Usuário ou e-mail').fill(username);
  await page.getByLabel('Senha').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.workplace').waitFor();
}

async function signIn(browser: Browser, url: string, demo: DemoCredentials): Promise<State> {
  const context = await browser.newContext({ locale: 'pt-BR' });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await signInOn(page, `${url}/`, demo);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function openWindow(browser: Browser, state: State, look: Look): Promise<Watched> {
  const { width = 1280, language = 'pt-BR', dark = false, large = false, timeZone } = look;
  const context = await browser.newContext({
    storageState: state,
    viewport: { width, height: HEIGHT },
    locale: language,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    hasTouch: width < 500,
    ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
  });
  context.setDefaultTimeout(PATIENCE);
  if (large) await context.addInitScript(enlarge);
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    if (/^(?:error|warning)$/.test(line.type()) && !TOO_SLOW.test(line.text())) complaints.push(line.text());
  });
  const close = async (): Promise<void> => {
    // A page may ask for something up to its end: a handler that is cut off at it would fail whatever test runs by then.
    for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  return { page, complaints, close };
}

const enlarge = (): void => {
  addEventListener('DOMContentLoaded', () => {
    document.documentElement.style.fontSize = '200%';
  });
};

const go = ({ page }: Watched, address: string, { language = 'pt-BR' }: Look): Promise<unknown> =>
  page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`);

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Who speaks the words on a button reaches it by them. Those in a picture are cut where they have no room. */
const SPOKEN_NAMES =
  "axe.configure({ rules: [{ id: 'label-content-name-mismatch', enabled: true, selector: 'button, a[href].button, a[href].row-link' }] })";

/** Waits until a screen stands still, then lets axe look at it. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${axe};${SPOKEN_NAMES}`);
  const findings = await page.evaluate<readonly Finding[]>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], rules: { 'label-content-name-mismatch': { enabled: true } }, resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  expect(
    findings.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    ),
  ).toEqual([]);
}

/** What a keyboard stops at beside the frame: the same name never leads to two places where one hears nothing but names. */
export async function expectToldApart(page: Page): Promise<void> {
  const shared = await page.locator('main').evaluate((main) => {
    const textOf = (element: Element | null | undefined): string => element?.textContent.trim() ?? '';
    const nameOf = (element: Element): string => {
      const named = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labels =
        element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
      return (
        element.getAttribute('aria-label') ??
        (named.map((id) => textOf(document.getElementById(id))).join(' ') ||
          Array.from(labels ?? [], textOf).join(' ') ||
          textOf(element))
      );
    };
    /** Heard before the name, on the way into it. */
    const within = (element: Element): string => {
      const [group, fields, section] = ['[role="group"]', 'fieldset', '.section'].map((one) => element.closest(one));
      const titles = [section?.querySelector('h2'), fields?.querySelector('legend')];
      return [...titles.map(textOf), group?.getAttribute('aria-label') ?? ''].join('/');
    };
    const places = new Map<string, Set<string | Element>>();
    for (const element of main.querySelectorAll('a[href], button, input, select, svg [role="button"]')) {
      if (!element.checkVisibility() || element.closest('svg a')) continue;
      const name = `${element.tagName} ${within(element)}/${nameOf(element)}`;
      places.set(name, (places.get(name) ?? new Set()).add(element.getAttribute('href') ?? element));
    }
    return [...places].flatMap(([name, { size }]) => (size > 1 ? [name] : []));
  });
  expect(shared).toEqual([]);
}

/** Noon of today in the store: a page whose clock begins then sees no midnight but those that its test makes. */
export const noonInStore = (): number => startOfDay(dayOf(Date.now(), STORE_ZONE), STORE_ZONE) + 12 * 3_600_000;

/** Nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('main :is(.loading, .outdated, tr.waiting)').first().waitFor({ state: 'hidden' });
}

/** Lets nothing come from an address until the function that it gives is called. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let letGo = (): void => undefined;
  const isFree = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(address, async (route) => {
    await isFree;
    await route.continue();
  });
  return letGo;
}

/** How much lower one stands than another. Looked at in one turn: what the page reads meanwhile may move both. */
export const heightBetween = async (one: Locator, other: Locator): Promise<number> =>
  one.evaluate(
    (lower, upper) => lower.getBoundingClientRect().top - upper.getBoundingClientRect().top,
    await other.elementHandle(),
  );

/** On a phone nothing may stick out at the side. */
export async function expectNoOverflow(page: Page): Promise<void> {
  expect(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBeLessThanOrEqual(0);
}

/** Waits until the page has what an address with these words gives, also when it came before anybody waited. */
export const untilAnswered = (page: Page, words: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      performance
        .getEntriesByType('resource')
        .some((entry) => entry.name.includes(wanted) && (entry as PerformanceResourceTiming).responseEnd > 0),
    words,
  );

/** What was asked of whoever was about to lose something, and answered with no. */
export function refusing(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  return asked;
}

/** The keys of a scanner come at once, however long a busy machine takes to press them for the test. */
export async function readByScanner(page: Page, code: string): Promise<void> {
  const setTime = (getter: string) =>
    page.evaluate(`Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get: ${getter} })`);
  await page.evaluate("globalThis.ownTime ??= Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp').get");
  await setTime('((now) => () => now)(performance.now())');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await setTime('globalThis.ownTime');
}

/** Puts a text into a field as its keys for pasting do. */
export const pasteInto = (place: Locator, text: string): Promise<void> =>
  place.evaluate((field, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', data);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

/** The first command of this address is done, and nobody hears of it. */
export async function loseFirstAnswer(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    const request = route.request();
    const isCommand = request.method() !== 'GET' && request.headers()['prefer'] === undefined;
    if (!isCommand || isLost) return route.continue();
    isLost = true;
    const answer = await route.fetch();
    expect(answer.ok()).toBe(true);
    return route.abort('connectionreset');
  });
}

export const unanswered = (place: Page | Locator) =>
  place.getByRole('alert').getByText('O serviço não respondeu. Tente de novo: nada é registrado duas vezes.').waitFor();
