import { Map as ImmutableMap } from 'immutable';
import { z } from 'zod';

/**
 * What stands still for a while, by its id, and who keeps it so. Several requests may at once, each for what it is going to do to a record of
 * another stream: one that gives up leaves the others theirs.
 */
export type Holds = ImmutableMap<string, readonly Hold[]>;

export const NO_HOLDS: Holds = ImmutableMap();

/** As it stands in events: who holds something, and the revision of the record that it is going to change, which it does at no other. */
export const holdFact = z.object({ id: z.string(), revision: z.int() });
export type Hold = Readonly<z.infer<typeof holdFact>>;

/** As it stands in events: the holds that are given up, which leaves those of others; all of them in events from before they had an owner. */
export const holdsFact = z.array(z.string()).optional();

/** The holds that are given up: one's own, and those that nothing can be decided by any more, as the record has changed since. */
export interface Release {
  readonly own?: string | undefined;
  readonly before: number;
}

/** Facts from before holds had an owner name none; they are older than all that a record may become. */
const NOBODYS: Hold = { id: '', revision: -1 };

export function withHold(holds: Holds, ids: readonly string[], hold: Hold = NOBODYS): Holds {
  const added = ids.filter((id) => !isHeldBy(holds, id, hold.id));
  return added.reduce((all, id) => all.set(id, [...(all.get(id) ?? []), hold]), holds);
}

/** All of them are gone where none is named. */
export function withoutHolds(holds: Holds, ids: readonly string[], gone: readonly string[] | undefined): Holds {
  return ids.reduce((all, id) => {
    const left = gone ? (all.get(id) ?? []).filter((hold) => !gone.includes(hold.id)) : [];
    return left.length > 0 ? all.set(id, left) : all.remove(id);
  }, holds);
}

export const isHeldBy = (holds: Holds, id: string, holdId: string): boolean =>
  holds.get(id)?.some((hold) => hold.id === holdId) === true;

export const isReleased = (holds: Holds, ids: readonly string[], release: Release): boolean =>
  releasedOf(holds, ids, release).ids.length === 0;

/** What is given up of them, and by which holds. */
export function releasedOf(holds: Holds, ids: readonly string[], { own, before }: Release) {
  const gone = ids.map((id) => ({
    id,
    of: holds.get(id)?.filter((hold) => hold.id === own || hold.revision < before) ?? [],
  }));
  return {
    ids: gone.flatMap(({ id, of }) => (of.length > 0 ? [id] : [])),
    holds: [...new Set(gone.flatMap(({ of }) => of.map(({ id }) => id)))],
  };
}
