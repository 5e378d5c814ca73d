import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { projectors } from '../projections/index.js';
import { urlListenedOn } from './http/exchange/own-addresses.js';
import { troubleTeller } from './log-lines.js';
import { Administration } from './operations/administration.js';
import type { Engines, Surroundings } from './compose.js';
import { expectFolderInOrder, openEngines, openReplay } from './compose.js';
import { holdsData } from './config.js';
import { HEARD_EVERYWHERE, isRevocation } from './features/auth/authentication.js';
import { metaOf } from './kernel/events/recorded.js';
import { Acknowledged } from './kernel/lanes/acknowledged.js';
import { recentFreshness, sharedFreshness } from './kernel/lanes/freshness.js';
import { LogFollower } from './kernel/lanes/log-follower.js';
import type { Clock } from './kernel/values/clock.js';
import { LaneSnapshots } from './kernel/lanes/snapshots.js';
import type { SealedEvent } from './kernel/lanes/decision.js';
import { Lanes } from './kernel/lanes/lanes.js';
import type { OnWorked } from './kernel/reactors/work-line.js';
import { MailQueue } from './kernel/reactors/mail-queue.js';
import type { Projections } from './kernel/projections/projections.js';
import type { EventStore, Position } from './ports/event-store.js';
import type { ProjectionCheck } from './operations/projection-check.js';
import { checkProjections } from './operations/projection-check.js';
import type { Closing } from './opening.js';
import { opened } from './opening.js';
import type { Secrets } from './secrets.js';
import { closeDataFolder } from './private-folder.js';
import { AppendMeasurements, workMeasurements } from './operations/measurements.js';
import { loadSecrets } from './secrets.js';

type AppendListener = (stream: string, events: readonly SealedEvent[], position: Position) => void;

export interface Core {
  readonly engines: Engines;
  readonly secrets: Secrets;
  readonly lanes: Lanes;
  readonly administration: Administration;
  readonly mail: MailQueue;
  readonly acknowledged: Acknowledged;
  readonly metrics: Registry;
  readonly onWorked: OnWorked;
  /** Undefined where no other process can append. */
  readonly follower: LogFollower | undefined;
  /** Called with all that this process appends to a stream for one command, before that is answered. */
  onAppended(listener: AppendListener): void;
  /** Says where this process is reached; without a public address the links of mails lead there. */
  listensAt(url: string): void;
  close(): Promise<void>;
}

/** Engines, lanes and administration: what the command line needs as well. */
export function openCore(surroundings: Surroundings): Promise<Core> {
  return opened((closing) => coreOf(surroundings, closing));
}

async function coreOf(surroundings: Surroundings, closing: Closing): Promise<Omit<Core, 'close'>> {
  const { config, clock, logger } = surroundings;
  closeDataFolder(config.DATA_DIR, { logger, production: config.NODE_ENV === 'production' });
  if (holdsData(config)) expectFolderInOrder(config);
  const secrets = await loadSecrets(config);
  const engines = await openEngines({ ...surroundings, secrets });
  closing.add(() => engines.close());
  const metrics = new Registry();
  const appends = new AppendMeasurements(metrics);
  const onWorked = workMeasurements(metrics);
  const { eventStore } = engines;
  const headAtStart = await eventStore.head();
  const [lastRecorded] = await eventStore.readAt([headAtStart]);
  if (lastRecorded) clock.goOnFrom?.(Date.parse(metaOf(lastRecorded).at));
  const acknowledged = new Acknowledged(headAtStart);
  const follower = eventStore.exclusive
    ? undefined
    : new LogFollower(eventStore, headAtStart, (stream) => {
        lanes.doubt(stream);
      });
  if (follower) closing.add(() => follower.close());
  const listeners: AppendListener[] = [];
  const lanes: Lanes = new Lanes({
    store: eventStore,
    ...(follower ? freshnessOf(eventStore, follower, clock) : {}),
    vault: engines.vault,
    snapshots: new LaneSnapshots(engines.snapshots, eventStore.logId, clock, (error) => {
      logger.warn({ err: error }, 'a snapshot was not kept');
    }),
    onAppended(stream, storeId, position, events) {
      appends.recorded();
      acknowledged.note(storeId, position);
      for (const listener of listeners) listener(stream, events, position);
    },
    onConflict() {
      appends.conflicted();
    },
    onGroup(count, milliseconds) {
      appends.appended(count, milliseconds);
    },
    onShortened(error) {
      logger.error({ stream: error.stream }, error.message);
    },
    beforeAnswer(events) {
      return !eventStore.exclusive && events.some(isRevocation) ? pause(HEARD_EVERYWHERE) : undefined;
    },
  });
  follower?.listen((event) => {
    lanes.hear(event);
    // It was appended after the last moment of which all is known.
    acknowledged.hear(metaOf(event).storeId, event.position, clock.now() - follower.provedLiveAt);
  });
  const tell = troubleTeller(logger);
  const mail = new MailQueue({
    ...engines,
    clock,
    onWorked,
    onError(error) {
      tell(error, 'a mail did not leave');
    },
  });
  closing.add(() => mail.close());
  // Any free port is known once it is listened on.
  let listensAt = config.PORT === 0 ? undefined : urlListenedOn(config.HOST, config.PORT);
  const pagesUrl = (): string | undefined => {
    const baseUrl = config.PUBLIC_URL?.[0] ?? listensAt;
    return config.CONSOLE && baseUrl !== undefined ? `${baseUrl}/console` : undefined;
  };
  return {
    engines,
    secrets,
    lanes,
    administration: new Administration({ ...engines, lanes, clock, mail, pagesUrl }),
    mail,
    acknowledged,
    metrics,
    onWorked,
    follower,
    onAppended: (listener) => listeners.push(listener),
    listensAt(url) {
      listensAt = url;
    },
  };
}

function freshnessOf(eventStore: EventStore, follower: LogFollower, clock: Clock) {
  const freshness = sharedFreshness(eventStore, follower);
  return { freshness, recent: recentFreshness(follower, clock, freshness) };
}

/** Compares the read models with a replay of the whole log. */
export const checkOf =
  ({ engines }: Pick<Core, 'engines'>, projections: Projections, clock: Clock) =>
  (): Promise<ProjectionCheck> =>
    checkProjections({
      projections,
      reads: engines.reads,
      collections: projectors.map(({ collection }) => collection),
      openReplay: () => openReplay(engines, clock),
    });
