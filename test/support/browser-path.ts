import { existsSync } from 'node:fs';

const BROWSERS = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian's browser, or one that CHROMIUM names; undefined where there is none, so that tests can say that they are skipped. */
export const browserPath = BROWSERS.find((path) => path !== undefined && existsSync(path));
