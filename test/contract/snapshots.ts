import { describe, expect, test } from '@jest/globals';
import type { Snapshot, Snapshots } from '../../src/ports/snapshots.js';

export interface OpenSnapshots {
  readonly snapshots: Snapshots;
  /** Closes it and opens the same data again. */
  reopen(): Promise<OpenSnapshots>;
  close(): Promise<void>;
}

interface SnapshotsHarness {
  /** On fresh data. */
  open(): Promise<OpenSnapshots>;
  /** Names of the tests to leave out, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

const PIECE = 512 * 1024;

/** Every byte of it says which revision it belongs to, and none is of a text. */
const snapshot = (
  revision: number,
  changes: Partial<Snapshot> & { readonly sizes?: readonly number[] } = {},
): Snapshot => {
  const { sizes = [10], ...rest } = changes;
  const pieces = sizes.map((size) => new Uint8Array(size).fill(128 + (revision % 123)));
  return { logId: 'log-one', version: 1, revision, pieces, ...rest };
};

const plain = (value: Snapshot | undefined) =>
  value && { ...value, pieces: value.pieces.map((piece) => Buffer.from(piece).toString('base64')) };

/** What every store of snapshots keeps. */
export function snapshotsContract(name: string, harness: SnapshotsHarness): void {
  const without = new Map(Object.entries(harness.without ?? {}));
  const checked = (title: string, run: (open: OpenSnapshots) => Promise<OpenSnapshots | undefined>) => {
    const reason = without.get(title);
    without.delete(title);
    if (reason !== undefined) {
      test.skip(`${title} (left out: ${reason})`, () => undefined);
      return;
    }
    test(title, async () => {
      const open = await harness.open();
      const last = await run(open);
      await (last ?? open).close();
    });
  };

  describe(`${name}: snapshots`, () => {
    checked('what was never saved is missing', async ({ snapshots }) => {
      expect(await snapshots.load('inventory-s1')).toBeUndefined();
      return undefined;
    });

    checked('a snapshot is loaded as it was saved, after a restart too', async (open) => {
      const saved = snapshot(7, { sizes: [PIECE, PIECE, 17, 0] });
      await open.snapshots.save('inventory-s1', saved);
      await open.snapshots.save('inventory-s2', snapshot(1, { sizes: [] }));
      expect(plain(await open.snapshots.load('inventory-s1'))).toEqual(plain(saved));
      const again = await open.reopen();
      expect(plain(await again.snapshots.load('inventory-s1'))).toEqual(plain(saved));
      expect(await again.snapshots.load('inventory-s2')).toMatchObject({ revision: 1, pieces: [] });
      return again;
    });

    checked('a newer one replaces all pieces of the older', async ({ snapshots }) => {
      await snapshots.save('s', snapshot(1, { sizes: [100, 100, 100] }));
      await snapshots.save('s', snapshot(2, { sizes: [50] }));
      expect(plain(await snapshots.load('s'))).toEqual(plain(snapshot(2, { sizes: [50] })));
      return undefined;
    });

    checked('an older one never replaces a newer', async ({ snapshots }) => {
      await snapshots.save('s', snapshot(9));
      await snapshots.save('s', snapshot(8));
      expect((await snapshots.load('s'))?.revision).toBe(9);
      return undefined;
    });

    checked('one of another log or another version is replaced whatever its revision', async ({ snapshots }) => {
      await snapshots.save('s', snapshot(9));
      await snapshots.save('s', snapshot(3, { logId: 'log-two' }));
      expect(plain(await snapshots.load('s'))).toEqual(plain(snapshot(3, { logId: 'log-two' })));
      await snapshots.save('s', snapshot(2, { logId: 'log-two', version: 2 }));
      expect(plain(await snapshots.load('s'))).toEqual(plain(snapshot(2, { logId: 'log-two', version: 2 })));
      return undefined;
    });

    checked('a snapshot is loaded whole or not at all while others are saved', async ({ snapshots }) => {
      const sizes = [60_000, 60_000, 60_000];
      const saved = new AbortController();
      const loaded: Snapshot[] = [];
      const loading = (async () => {
        while (!saved.signal.aborted) {
          const found = await snapshots.load('s');
          if (found) loaded.push(found);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const revisions = Array.from({ length: 30 }, (_, index) => index + 1);
      for (let first = 0; first < revisions.length; first += 3) {
        const group = revisions.slice(first, first + 3);
        await Promise.all(group.map((revision) => snapshots.save('s', snapshot(revision, { sizes }))));
      }
      saved.abort();
      await loading;
      for (const found of loaded) expect(plain(found)).toEqual(plain(snapshot(found.revision, { sizes })));
      expect((await snapshots.load('s'))?.revision).toBe(30);
      return undefined;
    });

    test('every test that is left out exists', () => {
      expect([...without.keys()]).toEqual([]);
    });
  });
}
