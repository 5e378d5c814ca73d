import { fiscalFeature } from '../../../src/features/fiscal/feature.js';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
import type { World } from '../world.js';

/** Whoever asks for a document elsewhere waits until that attempt is over, however long a busy machine takes for it. */
const PATIENCE = 120_000;

/** A document transmitted by another process, with services of its own where they are given: it knows nothing of what this one is at. */
export async function transmittedElsewhere(
  { service }: World,
  storeId: string,
  id: string,
  own: Partial<FeatureServices> = {},
): Promise<void> {
  const routes = fiscalFeature.routes({ ...service.features, authorityPatience: PATIENCE, ...own });
  const transmit = routes.find(({ path }) => path === '/fiscal/documents/{id}/transmit');
  const input = { params: { id }, query: {}, body: undefined };
  await transmit?.handle(input, service.features.contextOf(storeId));
}
