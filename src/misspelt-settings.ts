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
      const written = name.toUpperCase();
      const near = SETTINGS.map((setting) => ({ setting, slips: slipsBetween(setting, written, mostSlips(setting)) }));
      const [nearest] = near
        .filter(({ setting, slips }) => slips <= mostSlips(setting) || isLonger(written, setting))
        .toSorted((a, b) => a.slips - b.slips);
      return nearest ? [{ name, setting: nearest.setting }] : [];
    });
}

export const misspeltLine = ({ name, setting }: Misspelt): string =>
  `${name} is no setting, and nothing follows it: ${setting} may be meant`;

const mostSlips = ({ length }: string): number =>
  length < TELLING ? 0 : Math.min(MOST_SLIPS, Math.floor(length / LETTERS_PER_SLIP));

const isLonger = (name: string, setting: string): boolean => setting.length >= LONG && name.startsWith(setting);

/**
 * How many letters would have to be left out, put in or exchanged to come from one to the other. It is reckoned as far as `most`, and what is more is
 * only known to be so: every start holds each name of the environment against each setting.
 */
function slipsBetween(one: string, other: string, most: number): number {
  const apart = Math.abs(one.length - other.length);
  if (apart > most) return apart;
  let before = Array.from({ length: other.length + 1 }, (_, count) => count);
  for (let row = 0; row < one.length; row++) {
    const now = [row + 1];
    for (let column = 0; column < other.length; column++) {
      const exchanged = (before[column] ?? 0) + Number(one[row] !== other[column]);
      now.push(Math.min(exchanged, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    const least = Math.min(...now);
    if (least > most) return least;
    before = now;
  }
  return before.at(-1) ?? 0;
}
