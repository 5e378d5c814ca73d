import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { Watch } from '../features/contracts/feature.js';
import type { BackgroundWork } from '../kernel/reactors/background.js';
import type { Clock } from '../kernel/values/clock.js';
import { Lookout } from './lookout.js';

/** Authorities refuse documents that are five minutes ahead of them. */
const NOTICED = 60_000;
const SECOND = 1_000;

interface ClockWatchServices {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Whether the service tells the machine's time: where that was set back, it goes on from the later one, and what is sold is dated ahead until
 * it is started again.
 */
export class ClockWatch implements Watch {
  readonly name = 'clock';
  readonly lookout = new Lookout(this, ({ aheadSeconds }) => {
    this.services.logger.warn(
      { aheadSeconds },
      'the machine’s clock was set back: the service goes on from the later time until it is started again',
    );
  });

  constructor(private readonly services: ClockWatchServices) {}

  background(): BackgroundWork {
    return this.lookout.background();
  }

  status() {
    const ahead = this.services.clock.ahead?.() ?? 0;
    return { ok: ahead < NOTICED, aheadSeconds: Math.round(ahead / SECOND) };
  }

  register(registry: Registry): void {
    const ahead = () => this.status().aheadSeconds;
    new Gauge({
      name: 'clock_ahead_seconds',
      help: 'By how much the service is ahead of the machine, whose clock was set back',
      registers: [registry],
      collect() {
        this.set(ahead());
      },
    });
  }
}
