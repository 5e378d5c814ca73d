import { NO_FISCAL_SETTINGS } from '../features/contracts/fiscal-settings.js';
import { STORES_STREAM, stores } from '../features/stores/decider.js';
import type { Commands } from '../kernel/lanes/commands.js';

const TAX_ID = '11222333000181';

const FISCAL = {
  ...NO_FISCAL_SETTINGS,
  stateRegistration: '111222333444',
  address: {
    street: 'Rua das Palmeiras',
    number: '120',
    complement: null,
    district: 'Centro',
    cityCode: '3550308',
    city: 'São Paulo',
    state: 'SP' as const,
    postalCode: '01226010',
    phone: '1133334444',
  },
};

/** All that the first document needs; in homologation, with a certificate that is made when it is first used. */
export async function fillFiscalSettings(commands: Commands): Promise<void> {
  const { storeId: id } = commands;
  const command = { type: 'change', id, changes: { taxId: TAX_ID }, fiscal: FISCAL, ifMatch: undefined } as const;
  await commands.executeOn(stores, STORES_STREAM, command, { storeId: id });
}
