import type { Principal } from '../../kernel/routes/request-context.js';
import type { OpenStream } from '../../kernel/routes/route.js';
import type { Permission } from '../../kernel/values/permissions.js';
import { HEARTBEAT, changed } from './message.js';

const HEARTBEAT_EVERY = 20_000;

/** What one needs to look at records of a kind; every member of the store looks at what is `authenticated`. */
export type Viewing = ReadonlyMap<string, Permission | 'authenticated'>;

/** One open connection: it gets what its holder may view, and while it takes nothing only a note of what it missed grows. */
export class Watcher {
  private readonly missed = new Set<string>();
  private missedId = '';
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    private holder: Principal,
    private readonly stream: OpenStream,
    private readonly viewing: Viewing,
    /** Called now and then, while nothing else happens. */
    onHeartbeat: (watcher: Watcher) => void,
  ) {
    this.heartbeat = setInterval(() => {
      if (!stream.writableNeedDrain) stream.write(HEARTBEAT);
      onHeartbeat(this);
    }, HEARTBEAT_EVERY).unref();
    stream.once('close', () => {
      clearInterval(this.heartbeat);
    });
  }

  get principal(): Principal {
    return this.holder;
  }

  /** What the holder may do has changed. */
  admit(principal: Principal): void {
    this.holder = principal;
  }

  begin(text: string): void {
    this.stream.write(text);
  }

  /** Kinds of records have changed; `id` names the moment. */
  tell(kinds: Iterable<string>, id: string): void {
    const visible = [...kinds].filter((kind) => this.mayView(kind));
    if (visible.length === 0) return;
    if (!this.stream.writableNeedDrain) {
      this.stream.write(changed(visible, id));
      return;
    }
    if (this.missed.size === 0) {
      this.stream.once('drain', () => {
        const kindsMissed = [...this.missed];
        this.missed.clear();
        this.tell(kindsMissed, this.missedId);
      });
    }
    for (const kind of visible) this.missed.add(kind);
    this.missedId = id;
  }

  end(): void {
    clearInterval(this.heartbeat);
    this.stream.end();
  }

  private mayView(kind: string): boolean {
    const needed = this.viewing.get(kind);
    if (needed === undefined) return false;
    return needed === 'authenticated' || this.holder.permissions.has(needed);
  }
}
