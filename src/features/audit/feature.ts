import { memoise } from '../../kernel/values/memoise.js';
import type { Feature, FeatureServices } from '../contracts/feature.js';
import { auditRoutes } from './audit-routes.js';
import { LogTree } from './proof/log-tree.js';
import { proofRoutes } from './proof/proof-routes.js';
import { SigningKey } from './proof/signing-key.js';
import { checkpointSchedule } from './verification/daily-checkpoint.js';
import { verificationRoute } from './verification/verification-route.js';
import { VerificationWatch } from './verification/verification-watch.js';
import { Verifier } from './verification/verifier.js';

/** One for each service: its routes and its work prove by the same tree and key. */
const proofOf = memoise(({ reads, eventStore, vault }: FeatureServices) => ({
  eventStore,
  vault,
  logId: eventStore.logId,
  tree: new LogTree(reads, eventStore),
  key: new SigningKey(vault),
}));

export const auditFeature: Feature = {
  name: 'audit',
  events: [],
  routes(services) {
    const { eventStore, customers, stores, teller, auditedRecords } = services;
    return [
      ...auditRoutes({ eventStore, customers, stores, teller, records: auditedRecords }),
      ...proofRoutes(proofOf(services)),
      verificationRoute(proofOf(services)),
    ];
  },
  watch: (services) => new VerificationWatch(services),
  work(services) {
    const { checker, clock, mail, leases, holder, checkpoints, auditMail } = services;
    const common = { ...proofOf(services), clock, checkpoints };
    const verifier = new Verifier({
      ...common,
      checker,
      leases,
      holder,
      onError: (error) => {
        services.onError(error);
      },
    });
    return {
      schedule: {
        queues: [verifier],
        schedules: [checkpointSchedule({ ...common, mail, mailTo: auditMail })],
      },
    };
  },
};
