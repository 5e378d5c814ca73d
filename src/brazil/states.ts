/** The states with the codes by which the tax authorities and the statistics office know them. */
export const STATE_CODES = {
  AC: '12',
  AL: '27',
  AM: '13',
  AP: '16',
  BA: '29',
  CE: '23',
  DF: '53',
  ES: '32',
  GO: '52',
  MA: '21',
  MG: '31',
  MS: '50',
  MT: '51',
  PA: '15',
  PB: '25',
  PE: '26',
  PI: '22',
  PR: '41',
  RJ: '33',
  RN: '24',
  RO: '11',
  RR: '14',
  RS: '43',
  SC: '42',
  SE: '28',
  SP: '35',
  TO: '17',
} as const;

const BY_CODE: ReadonlyMap<string, State> = new Map(
  Object.entries(STATE_CODES).map(([state, code]) => [code, state as State]),
);

/** The state that a key or another text begins with. */
export const stateWithCode = (text: string): State | undefined => BY_CODE.get(text.slice(0, 2));

export type State = keyof typeof STATE_CODES;
export const STATES = Object.keys(STATE_CODES) as readonly State[];

export const isState = (text: string): text is State => Object.hasOwn(STATE_CODES, text);
