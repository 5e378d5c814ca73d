import zlib from 'node:zlib';
import timers from 'node:timers/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Map as ImmutableMap } from 'immutable';
import { inventory } from '../../../src/features/inventory/decider.js';
import { REMEMBERED } from '../../../src/features/inventory/ledger/touched-revisions.js';
import type { Inventory } from '../../../src/features/inventory/ledger/state.js';
import { changed } from '../../../src/features/inventory/ledger/state.js';

/** What takes long in a real shop, for stories that are short. */

let horizon = REMEMBERED;

/** From now on a state remembers so many revisions at least: of what is older the read models are asked. */
export function remember(revisions: number): void {
  horizon = revisions;
}

function aged(state: Inventory, revision: number): Inventory {
  const { youngSince, young } = state.history;
  if (revision - youngSince < horizon) return state;
  return changed(state, { history: { since: youngSince, youngSince: revision, young: ImmutableMap(), old: young } });
}

const { evolve } = inventory.decider;
Object.assign(inventory.decider, {
  evolve: ((state, event, moment) => evolve(aged(state, moment.revision), event, moment)) satisfies typeof evolve,
});

/** A state is worth keeping after every event. */
Object.assign(inventory.snapshot ?? {}, { everyEvents: 1 });

/** Whoever waits for a moment, as after a conflict, waits for its next turn: how many others come before, no clock tells. */
Object.assign(timers, { setTimeout: (_milliseconds: number, value: unknown) => timers.setImmediate(value) });
/** Nothing is packed in threads, whose order no seed tells. */
type Packed = (error: Error | null, packed: Buffer) => void;
Object.assign(zlib, {
  deflate: (text: string, packed: Packed) => {
    packed(null, zlib.deflateSync(text));
  },
  inflate: (bytes: Uint8Array, unpacked: Packed) => {
    unpacked(null, zlib.inflateSync(bytes));
  },
});
syncBuiltinESMExports();
