import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { BackgroundWork } from '../../../kernel/reactors/background.js';
import type { Clock } from '../../../kernel/values/clock.js';
import type { StoreFacts, Watch } from '../../contracts/feature.js';
import type { WorkRows } from '../issuing/work-rows.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A certificate takes days to renew. */
const WARN_BEFORE = 30 * DAY;
/** What was issued offline must be transmitted within a day. */
const OVERDUE_AFTER = 20 * HOUR;

interface FiscalWatchServices {
  readonly stores: { all(): Promise<readonly Pick<StoreFacts, 'fiscal'>[]> };
  readonly work: Pick<WorkRows, 'waitingSince'>;
  readonly clock: Clock;
}

/** What about fiscal documents must not be noticed too late, for those who watch the service. */
export class FiscalWatch implements Watch {
  readonly name = 'fiscal';
  private expiries: readonly number[] = [];
  private overdue = 0;

  constructor(private readonly services: FiscalWatchServices) {}

  async look(): Promise<void> {
    const { stores, work, clock } = this.services;
    const certificates = (await stores.all()).flatMap(({ fiscal: { certificate } }) => certificate ?? []);
    this.expiries = certificates.map(({ expiresAt }) => Date.parse(expiresAt));
    this.overdue = await work.waitingSince(clock.now() - OVERDUE_AFTER);
  }

  background(): BackgroundWork {
    return { schedules: [{ name: 'fiscal watch', when: MINUTE, everywhere: true, run: () => this.look() }] };
  }

  status() {
    const certificatesExpiring = this.expiring();
    const documentsOverdue = this.overdue;
    return { ok: certificatesExpiring === 0 && documentsOverdue === 0, certificatesExpiring, documentsOverdue };
  }

  register(registry: Registry): void {
    const registers = [registry];
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge('fiscal_certificates_expiring', 'Stores whose certificate expires within 30 days, or has', () =>
      this.expiring(),
    );
    gauge('fiscal_certificate_days_left', 'Days until the first certificate expires; +Inf when there is none', () =>
      this.daysLeft(),
    );
    gauge(
      'fiscal_documents_overdue',
      'Documents that have waited for the authority for 20 hours and more',
      () => this.overdue,
    );
  }

  private expiring(): number {
    const limit = this.services.clock.now() + WARN_BEFORE;
    return this.expiries.filter((at) => at <= limit).length;
  }

  private daysLeft(): number {
    return (Math.min(...this.expiries) - this.services.clock.now()) / DAY;
  }
}
