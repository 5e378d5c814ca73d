import { isIP } from 'node:net';
import { buildConnector, Pool } from 'undici';
import { limitReceived } from './received.js';
import { hostOf } from './url-rules.js';

/** A connection that was not used for so long is closed: before most servers would do it. */
const KEEP_ALIVE = 2_000;
/** A pool without use is forgotten after so long. */
const IDLE = 10_000;
const MAX_HEADERS = 16_384;

interface Kept {
  readonly pool: Pool;
  users: number;
  usedAt: number;
}

export interface TlsOptions {
  /** Certificates of authorities, in place of the well-known ones. */
  readonly ca?: string;
}

/** Connections by the address that was checked: one that was made to an address is used for that address alone. */
export class Connections {
  private readonly pools = new Map<string, Kept>();

  constructor(
    private readonly patience: number,
    private readonly tls: TlsOptions,
  ) {}

  /** Lends a pool whose connections go to that address and nowhere else. */
  async use<T>(url: URL, address: string, work: (pool: Pool) => Promise<T>): Promise<T> {
    const key = `${url.origin} ${address}`;
    this.forgetIdle();
    let kept = this.pools.get(key);
    if (!kept) this.pools.set(key, (kept = { pool: this.open(url, address), users: 0, usedAt: 0 }));
    kept.users += 1;
    try {
      return await work(kept.pool);
    } finally {
      kept.users -= 1;
      kept.usedAt = performance.now();
      if (this.pools.get(key) === kept) {
        this.pools.delete(key);
        this.pools.set(key, kept);
      }
    }
  }

  async close(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  private open(url: URL, address: string): Pool {
    const host = hostOf(url);
    const connect = buildConnector({ timeout: this.patience, ...this.tls });
    return new Pool(url.origin, {
      // Whoever sends bounds how much is under way for each destination; many of them may be at one host, and one that hangs there delays no other.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      headersTimeout: this.patience,
      bodyTimeout: this.patience,
      maxHeaderSize: MAX_HEADERS,
      connect(options, callback) {
        // The name is for the certificate; where to connect was decided when the addresses were checked.
        const servername = isIP(host) === 0 ? { servername: host } : {};
        connect({ ...options, hostname: address, ...servername }, (...connected) => {
          if (connected[1]) limitReceived(connected[1]);
          callback(...connected);
        });
      },
    });
  }

  private forgetIdle(): void {
    const before = performance.now() - IDLE;
    for (const [key, { pool, users, usedAt }] of this.pools) {
      if (users > 0) continue;
      // Those that nobody uses stand in the order in which they were given back.
      if (usedAt > before) break;
      this.pools.delete(key);
      void pool.destroy();
    }
  }
}
