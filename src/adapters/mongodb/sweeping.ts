import type { Connection } from './connection.js';
import type { Builds, CollectionBuilds } from './builds.js';
import { nameOf, totalsNameOf } from './builds.js';
import type { RecordDocument } from './records.js';

const BUILD_NAME = /^(.+_v\d+)_g(\d+)(?:_totals)?$/u;

/** Tombstones that no writer can be behind any more: older than the time and behind the checkpoint. */
export async function sweepTombstones(connection: Connection, builds: Builds, before: number): Promise<void> {
  for (const { _id, live } of await builds.readAll()) {
    const forgettable = { deletedAt: { $lte: before }, position: { $lte: live.position } };
    for (const name of [nameOf(_id, live.number), totalsNameOf(_id, live.number)]) {
      const documents = connection.collection<RecordDocument>(name);
      await connection.write(() => documents.deleteMany(forgettable));
    }
  }
}

/** Builds that were replaced before that time, and all builds of versions that a newer one replaced before it. */
export async function sweepBuilds(connection: Connection, builds: Builds, before: number): Promise<void> {
  // In this order: a build that begins later is not among the names.
  const names = await connection.collectionNames();
  const all = await builds.readAll();
  const outdated = new Set(all.filter((each) => isOutdated(each, all, before)).map(({ _id }) => _id));
  const kept = new Map(all.filter(({ _id }) => !outdated.has(_id)).map((each) => [each._id, each]));
  for (const name of names) {
    const [, id = '', number] = BUILD_NAME.exec(name) ?? [];
    const of = kept.get(id);
    const isReplaced = of && of.changedAt <= before && ![of.live.number, of.next?.number].includes(Number(number));
    if (isReplaced || outdated.has(id)) await connection.patiently(() => connection.collection(name).drop());
  }
  for (const id of outdated) await builds.forget(id);
}

/** Next builds, as they stood when this process last looked: the clock of whoever makes them says nothing. */
export class StalledBuilds {
  private readonly seen = new Map<string, { readonly stand: string; readonly at: number }>();

  /** Gives up what has come no further since before that time: whoever made it is gone. */
  async giveUp(builds: Builds, now: number, before: number): Promise<void> {
    for (const each of await builds.readAll()) {
      const { _id, next } = each;
      const stand = next ? `${String(next.number)} ${next.position}` : undefined;
      const last = this.seen.get(_id);
      if (stand === undefined) this.seen.delete(_id);
      else if (last?.stand !== stand) this.seen.set(_id, { stand, at: now });
      else if (last.at <= before) await builds.giveUp(each);
    }
  }
}

const isOutdated = (old: CollectionBuilds, all: readonly CollectionBuilds[], before: number): boolean =>
  all.some(
    ({ name, version, live, changedAt }) =>
      name === old.name && version > old.version && live.logId !== null && changedAt <= before,
  );
