import type { Feature } from '../contracts/feature.js';
import { auditRoutes } from './audit-routes.js';
import { LogTree } from './proof/log-tree.js';
import { proofRoutes } from './proof/proof-routes.js';
import { SigningKey } from './proof/signing-key.js';

export const auditFeature: Feature = {
  name: 'audit',
  events: [],
  routes: ({ reads, eventStore, vault, customers, stores, auditedRecords }) => [
    ...auditRoutes({ eventStore, customers, stores, records: auditedRecords }),
    ...proofRoutes({ tree: new LogTree(reads, eventStore), key: new SigningKey(vault), eventStore }),
  ],
};
