import { existsSync } from 'node:fs';

/** The first but what CHROMIUM names is Debian's without a window: a page opens in a third of the time, and everything else in two thirds. */
const BROWSERS = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; undefined where there is none, so that tests can say that they are skipped. */
export const browserPath = BROWSERS.find((path) => path !== undefined && existsSync(path));
