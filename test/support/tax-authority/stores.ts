import { FISCAL } from '../fiscal/store.js';
import type { StoreClient, World } from '../world.js';
import { asPfx, companyCertificate, testAuthority } from './certificates.js';

const PASSWORD = 'senha';
const known = new Map<string, string>();

/** A store with a certificate that the stand-in of the authority takes. */
export async function certifiedStore(world: World, taxId: string, changes: object = {}): Promise<StoreClient> {
  const content = known.get(taxId) ?? asPfx(companyCertificate(testAuthority(), taxId), PASSWORD);
  known.set(taxId, content);
  const store = await world.newStore();
  const fiscal = { ...FISCAL, certificate: { format: 'PFX', content, password: PASSWORD }, ...changes };
  const set = await store.call('PATCH', '/store', { taxId, legalName: 'Padaria', fiscal });
  if (set.status !== 200) throw new Error(set.text);
  return store;
}
