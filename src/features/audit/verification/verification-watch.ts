import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { BackgroundWork } from '../../../kernel/reactors/background.js';
import type { Vault } from '../../../ports/vault.js';
import type { Watch } from '../../contracts/feature.js';
import type { Verification } from './verifier.js';
import { lastVerification } from './verifier.js';

const MINUTE = 60_000;

/** Whether the log was found whole, for those who watch the service: a break that nobody hears of proves nothing. */
export class VerificationWatch implements Watch {
  readonly name = 'audit';
  private last: Verification | undefined;

  constructor(private readonly services: { readonly vault: Vault }) {}

  async look(): Promise<void> {
    this.last = await lastVerification(this.services.vault);
  }

  background(): BackgroundWork {
    return { schedules: [{ name: 'audit watch', when: MINUTE, everywhere: true, run: () => this.look() }] };
  }

  status() {
    return { ok: this.last?.ok ?? true };
  }

  register(registry: Registry): void {
    const isWhole = () => this.status().ok;
    new Gauge({
      name: 'audit_log_whole',
      help: '0 when the check of the log that goes on by itself found a break',
      registers: [registry],
      collect() {
        this.set(isWhole() ? 1 : 0);
      },
    });
  }
}
