import { z } from 'zod';
import type { StoreDirectory } from '../features/contracts/feature.js';
import type { Check } from '../features/fiscal/checking/authority-check.js';
import { checkAuthority } from '../features/fiscal/checking/authority-check.js';
import { SettingsKeeper } from '../features/fiscal/settings-keeper.js';
import { NOT_FOUND, Rejection } from '../kernel/events/rejection.js';
import type { Clock } from '../kernel/values/clock.js';
import type { FiscalAuthority } from '../ports/fiscal-authority.js';
import type { Vault } from '../ports/vault.js';

/** What an operator does about fiscal documents. */

export const fiscalCheckInput = z.strictObject({
  store: z.string().min(1),
  model: z.enum(['55', '65']).default('65'),
});

export interface FiscalCheckResult {
  readonly adapter: string;
  readonly environment: string;
  readonly checks: readonly Check[];
}

interface FiscalAdministrationServices {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly authority: FiscalAuthority;
  readonly stores: Pick<StoreDirectory, 'bySlug' | 'all'>;
}

export class FiscalAdministration {
  constructor(private readonly services: FiscalAdministrationServices) {}

  async check({ store: slug, model }: z.output<typeof fiscalCheckInput>): Promise<FiscalCheckResult> {
    const { vault, clock, authority, stores } = this.services;
    const store = await stores.bySlug(slug);
    if (!store) throw new Rejection(NOT_FOUND, `there is no store ${slug}`);
    const settings = new SettingsKeeper(vault, clock, stores);
    const checks = await checkAuthority({ settings, authority, clock }, store, model === '55' ? 55 : 65);
    return { adapter: authority.name, environment: store.fiscal.environment, checks };
  }
}

/** The result as accountants read it at a terminal, in their language. */
export const fiscalCheckLines = ({ adapter, environment, checks }: FiscalCheckResult): string =>
  [
    `Documentos fiscais por ${adapter}, ${environment === 'PRODUCTION' ? 'produção' : 'homologação'}`,
    ...checks.map(
      ({ name, ok, detail }) => `  ${ok ? 'ok   ' : 'FALHA'}  ${NAMES[name].padEnd(NAME_WIDTH)}  ${detail.pt}`,
    ),
  ].join('\n');

const NAMES: Readonly<Record<Check['name'], string>> = {
  certificate: 'certificado',
  chain: 'cadeia',
  address: 'endereço',
  service: 'serviço',
  clock: 'relógio',
  registration: 'credenciamento',
};
const NAME_WIDTH = Math.max(...Object.values(NAMES).map(({ length }) => length));
