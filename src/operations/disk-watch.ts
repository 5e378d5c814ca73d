import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { Watch } from '../features/contracts/feature.js';
import { freeBytes, RESERVED_BYTES } from '../kernel/files/disk-room.js';
import type { BackgroundWork } from '../kernel/reactors/background.js';
import { Lookout } from './lookout.js';

interface DiskWatchServices {
  readonly folders: { readonly data: string; readonly backup?: string };
  /** Whether the data folder has events or what is made of them; servers keep their own. */
  readonly holdsData: boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Whether there is room for what commands record: without it they are refused, and only queries are answered. */
export class DiskWatch implements Watch {
  readonly name = 'disk';
  readonly lookout = new Lookout(this, () => {
    this.services.logger.warn('the disk is full: commands are refused until there is room');
  });

  constructor(private readonly services: DiskWatchServices) {}

  background(): BackgroundWork {
    return this.lookout.background();
  }

  status() {
    const { folders, holdsData } = this.services;
    return { ok: !holdsData || freeIn(folders.data) >= RESERVED_BYTES };
  }

  register(registry: Registry): void {
    const { folders } = this.services;
    new Gauge({
      name: 'disk_free_bytes',
      help: 'Room on the disk of a folder',
      registers: [registry],
      labelNames: ['folder'],
      collect() {
        for (const [folder, path] of Object.entries(folders)) this.set({ folder }, freeIn(path));
      },
    });
  }
}

/** A folder that is away has no room. */
function freeIn(path: string): number {
  try {
    return freeBytes(path);
  } catch {
    return 0;
  }
}
