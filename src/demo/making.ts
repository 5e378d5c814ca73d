import type { Administration } from '../operations/administration.js';
import { createApiKeyInput, createOwnedStoreInput } from '../operations/administration.js';
import { CommandContext } from '../kernel/lanes/command-context.js';
import type { CommandLanes } from '../kernel/lanes/lanes.js';
import { SYSTEM } from '../kernel/routes/request-context.js';
import type { Projections } from '../kernel/projections/projections.js';
import type { Commands } from '../kernel/lanes/commands.js';
import type { Seed } from '../kernel/values/ids.js';
import { newSeed } from '../kernel/values/ids.js';
import type { Vault } from '../ports/vault.js';
import { fillCustomers } from './customers.js';
import type { DocumentServices } from './documents.js';
import { fillDocuments } from './documents.js';
import { fillFiscalSettings } from './fiscal.js';
import { fillCardMachines } from './fees.js';
import { plannedDocuments } from './planned-documents.js';
import { fillHistory } from './history.js';
import { fillProducts } from './products.js';
import { fillRecipes } from './recipes.js';
import { fillRegisters } from './registers.js';
import { fillWebhooks } from './webhooks.js';

export interface NewDemoStore {
  readonly slug: string;
  readonly name: string;
  readonly segment: string;
  readonly activityCode: string;
  readonly username: string;
  readonly email: string;
}

interface MakingServices extends DocumentServices {
  readonly administration: Administration;
  readonly lanes: CommandLanes;
  readonly vault: Vault;
  readonly projections: Pick<Projections, 'caughtUp'>;
}

/** Makes the store with all that it has, or what is missing of it, and a key to it. */
export async function makeStore(
  services: MakingServices,
  store: NewDemoStore & { readonly password: string },
): Promise<{ readonly key: string }> {
  const { administration } = services;
  const owned = createOwnedStoreInput.parse(store);
  const storeId =
    (await administration.storeBySlug(owned.slug))?.id ?? (await administration.createStore(owned)).storeId;
  // What guards the owner's password takes its time, in a thread of its own.
  await Promise.all([administration.createOwnedStore(owned), fillStore(services, storeId)]);
  return administration.createApiKey(
    createApiKeyInput.parse({ store: store.slug, name: 'Demonstração', permissions: 'all' }),
  );
}

async function fillStore(services: MakingServices, storeId: string): Promise<void> {
  const { administration, vault, clock } = services;
  const commands = commandsAt(services, storeId, newSeed(clock.now()));
  await fillFiscalSettings(commands);
  await fillRegisters(commands);
  await fillProducts(commands);
  await fillRecipes(commands);
  await fillCardMachines(commands);
  await fillWebhooks(commands);
  const customerIds = await fillCustomers(commands, vault);
  const timeZone = (await administration.stores.byId(storeId))?.timeZone ?? 'UTC';
  const commandsThen = (seed: Seed): Commands => commandsAt(services, storeId, seed);
  const sold = await fillHistory(commands, commandsThen, { customerIds, timeZone });
  await services.projections.caughtUp();
  await fillDocuments(services, storeId, plannedDocuments(storeId, sold));
}

/** Whoever finishes what another start began gives new ids to commands alone: the records' own come from their names. */
const commandsAt = ({ lanes }: MakingServices, storeId: string, seed: Seed): Commands =>
  new CommandContext(lanes, {
    storeId,
    actor: SYSTEM,
    requestId: 'demo',
    seed,
    keyed: false,
    claim: undefined,
    repeatSince: undefined,
  });
