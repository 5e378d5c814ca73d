import { createRequire } from 'node:module';
import type forge from 'node-forge';

/** The library that reads certificates, held to as much work as an honest file asks for. */

/** A file says itself in how many rounds its password becomes a key; those who export certificates ask for a few thousand. */
const MOST_ROUNDS = 200_000;

/** A file whose password would take too long to try. */
export class TooManyRounds extends Error {}

type Derive = (password: unknown, salt: unknown, ...rest: unknown[]) => unknown;
/** What the library has, and its types do not. */
interface Derivations {
  readonly pki: { readonly pbe: { generatePkcs12Key: Derive } };
  readonly pkcs12: { generateKey: Derive };
  readonly pkcs5: { pbkdf2: Derive };
}

const require = createRequire(import.meta.url);
let loaded: typeof forge | undefined;
/** Only what is read from outside is held to it: what one makes oneself says how much work it is. */
let roundsLeft = Infinity;

/** Loaded with the first certificate: most starts never see one. */
export function library(): typeof forge {
  return (loaded ??= bounded(require('node-forge') as typeof forge));
}

/** Everything that is read within shares one measure of work. */
export function withBoundedRounds<T>(read: () => T): T {
  roundsLeft = MOST_ROUNDS;
  try {
    return read();
  } finally {
    roundsLeft = Infinity;
  }
}

export function expectFewRounds(rounds: number): void {
  roundsLeft -= rounds;
  if (!(roundsLeft >= 0)) throw new TooManyRounds();
}

function bounded(plain: typeof forge): typeof forge {
  const { pki, pkcs12, pkcs5 } = plain as unknown as Derivations;
  const [ofBags, ofFile, ofNewFiles] = [pki.pbe.generatePkcs12Key, pkcs12.generateKey, pkcs5.pbkdf2];
  pki.pbe.generatePkcs12Key = (password, salt, id, rounds, ...rest) => {
    expectFewRounds(Number(rounds));
    return ofBags(password, salt, id, rounds, ...rest);
  };
  pkcs12.generateKey = (password, salt, id, rounds, ...rest) => {
    expectFewRounds(Number(rounds));
    return ofFile(password, salt, id, rounds, ...rest);
  };
  pkcs5.pbkdf2 = (password, salt, rounds, ...rest) => {
    expectFewRounds(Number(rounds));
    return ofNewFiles(password, salt, rounds, ...rest);
  };
  return plain;
}
