import crypto from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { newSeed } from '../../../src/kernel/values/ids.js';
import { Draws } from '../fiscal-orders/draws.js';

/**
 * What the service leaves to chance, to threads and to real time follows from the seed as well: random bytes are drawn, images are empty, and
 * who tries again after a moment does so at once. To be imported before anything of the service.
 */

const { setImmediate: turn } = timers;
let draws = new Draws(0);
let drawn = 0;

Object.assign(crypto, {
  randomBytes(size: number) {
    drawn += 1;
    return Buffer.from(Array.from({ length: size }, () => draws.under(256)));
  },
});
Object.assign(timers, { setTimeout: (_milliseconds: number, value: unknown) => turn(value) });
syncBuiltinESMExports();
Object.assign(createRequire(import.meta.url)('qrcode') as object, { toBuffer: () => Promise.resolve(Buffer.alloc(0)) });

/** Whatever was drawn before makes no difference: ids are made of bytes that are drawn in advance. */
export function drawChanceFrom(seed: number): void {
  draws = new Draws(seed);
  const before = drawn;
  while (drawn === before) newSeed(0);
}
