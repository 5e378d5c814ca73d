import { projectors } from '../../projections/index.js';
import { visibleData } from '../features/audit/events/told-page.js';
import { accountStream } from '../features/auth/accounts/directory.js';
import { THROTTLE_ROW } from '../features/auth/sign-in/throttle.js';
import type { Feature } from '../features/contracts/feature.js';
import type { Ground } from '../feature-services.js';
import { featureServicesOf } from '../feature-services.js';
import { storeDirectory } from '../features/stores/directory.js';
import type { DryRun, DryRunStarter } from '../http/options.js';
import { DryLanes } from '../kernel/dry-run/dry-lanes.js';
import { DryReads } from '../kernel/dry-run/dry-reads.js';
import { DryVault } from '../kernel/dry-run/dry-vault.js';
import type { DomainEvent, Recorded } from '../kernel/events/event.js';
import type { RequestContext } from '../kernel/routes/request-context.js';
import { StoreContext } from '../kernel/routes/request-context.js';
import type { Route } from '../kernel/routes/route.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { silentAuthority, silentPoster } from './silent-ports.js';

const PATIENCE = 2_000;
/** One run meets few. */
const KNOWN_VARIANTS = 1_000;

/** Whoever guesses a password is counted, whether in earnest or not. */
const COUNTING: ReadonlySet<string> = new Set([THROTTLE_ROW]);

/** What would be recorded of other people's accounts says whether they are there. */
const isShownTo = ({ stream, meta }: Recorded<DomainEvent>, { storeId, session }: RequestContext): boolean =>
  meta.storeId === storeId || (session !== undefined && stream === accountStream(session.userId));

const keyOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

/**
 * Tries commands: the feature's own route runs on services of its own for one request, which read what is there, see what the run itself
 * has decided, and write nothing. So no feature knows whether it is tried or used.
 */
export function dryRuns(ground: Ground, owners: ReadonlyMap<Route, Feature>): DryRunStarter {
  return (route) => {
    const feature = owners.get(route);
    if (!feature) return undefined;
    const { vault, lanes, dryGround } = dryGroundOf(ground);
    const dry = feature.routes(featureServicesOf(dryGround)).find((each) => keyOf(each) === keyOf(route));
    if (!dry) return undefined;
    const run: DryRun = {
      route: dry,
      contextFor: (request) => new StoreContext(dryGround.contexts, request),
      events: (context) =>
        lanes.decided
          .filter((event) => isShownTo(event, context))
          .map((event) => ({
            stream: event.stream,
            type: event.type,
            data: visibleData(event, !context.may('production.costs')),
          })),
      end: () => {
        vault.end();
      },
    };
    return run;
  };
}

function dryGroundOf(ground: Ground) {
  const { engines, contexts, projections, mail } = ground;
  const vault = new DryVault(engines.vault, COUNTING);
  const lanes = new DryLanes(ground.lanes, vault);
  const reads = new DryReads({
    reads: engines.reads,
    projectors,
    decided: () => lanes.decided,
    caughtUp: async ({ name }) => {
      if (await projections.waitFor([name], lanes.restsOn, PATIENCE)) return;
      throw new StoreUnavailable(`${name} is behind the log`, false);
    },
  });
  const dryMail = {
    row: mail.row.bind(mail),
    wake: () => undefined,
  };
  const poster = silentPoster(engines.poster);
  const dryEngines = { ...engines, vault, reads, poster, authority: silentAuthority(engines.authority) };
  const dryGround: Ground = {
    ...ground,
    engines: dryEngines,
    lanes,
    mail: dryMail,
    knownVariants: KNOWN_VARIANTS,
    stores: storeDirectory(lanes),
    // Nothing that is kept for as long as nobody writes may be taken from a run, nor left by it.
    contexts: { ...contexts, lanes, reads, eventStore: { exclusive: false, storesRows: true } },
  };
  return { vault, lanes, dryGround };
}
