import type { SnapshotCodec } from '../../src/kernel/events/decider.js';

/** A state as it is after a snapshot of it was stored and read. */
export function throughSnapshot<S>({ snapshot }: { readonly snapshot?: SnapshotCodec<S> }, state: S): S {
  if (!snapshot) throw new Error('there are no snapshots of it');
  const parts = snapshot.load();
  for (const part of snapshot.save(state)) parts.add(JSON.parse(JSON.stringify(part)));
  return parts.state();
}
