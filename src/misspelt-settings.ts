import { SETTINGS } from './config.js';

/** Names in the environment that are nearly those of settings: what they say is followed by nobody, in silence. */

interface Misspelt {
  readonly name: string;
  /** The setting that may be meant. */
  readonly setting: string;
}

/** Other programs have short names of their own, such as HOST_IP or PORTS. */
const TELLING = 5;
/** From this length on a setting's name with more behind it is no accident: BACKUP_DIRECTORY, MONGODB_URL_FILE. */
const LONG = 8;
const MOST_SLIPS = 3;
const LETTERS_PER_SLIP = 4;

export function misspeltSettings(names: readonly string[]): readonly Misspelt[] {
  return names
    .filter((name) => !SETTINGS.includes(name))
    .flatMap((name) => {
      const nearest = SETTINGS.map((setting) => ({ name, setting, slips: slipsFrom(setting, name.toUpperCase()) }))
        .toSorted((a, b) => a.slips - b.slips)
        .find(({ setting, slips }) => isSlip(setting, name.toUpperCase(), slips));
      return nearest ? [{ name, setting: nearest.setting }] : [];
    });
}

export const misspeltLine = ({ name, setting }: Misspelt): string =>
  `${name} is no setting, and nothing follows it: ${setting} may be meant`;

function isSlip(setting: string, name: string, slips: number): boolean {
  if (slips === 0) return true;
  if (setting.length < TELLING) return false;
  const isLonger = setting.length >= LONG && name.startsWith(setting);
  return isLonger || slips <= Math.min(MOST_SLIPS, Math.floor(setting.length / LETTERS_PER_SLIP));
}

/** How many letters would have to be left out, put in or exchanged to come from one to the other. */
function slipsFrom(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, count) => count);
  for (const [row, letter] of Array.from(from).entries()) {
    const now = [row + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const exchanged = (before[column] ?? 0) + Number(letter !== other);
      now.push(Math.min(exchanged, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}
