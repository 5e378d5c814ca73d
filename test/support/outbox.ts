import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadMail } from './eml.js';
import { readMail } from './eml.js';
import type { SetClock } from './people.js';
import { until } from './until.js';
import type { World } from './world.js';

/** The mails that lie in a data folder's outbox for an address, the oldest first. */
export async function mailsTo(dataDir: string, address: string): Promise<readonly ReadMail[]> {
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).sort();
  const mails = await Promise.all(files.map(async (name) => readMail(await readFile(join(folder, name), 'utf8'))));
  return mails.filter(({ headers }) => headers.get('to')?.includes(address) === true);
}

/** The token in the link of the newest mail to an address, once there are so many. */
export async function mailedToken(dataDir: string, address: string, count = 1): Promise<string> {
  await until(`${address} has ${String(count)} mails`, async () => (await mailsTo(dataDir, address)).length >= count);
  const mail = (await mailsTo(dataDir, address)).at(-1);
  return /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** The token of the mail that something sends, when all that was sent before has come. Mails of one moment would stand in no order. */
export async function nextMailedToken(
  { dataDir, service }: World,
  clock: SetClock,
  address: string,
  act: () => Promise<unknown>,
): Promise<string> {
  await service.core.mail.idle();
  const before = (await mailsTo(dataDir, address)).length;
  clock.wait(1_000);
  await act();
  return mailedToken(dataDir, address, before + 1);
}
