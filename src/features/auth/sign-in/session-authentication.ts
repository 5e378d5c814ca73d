import type { Clock } from '../../../kernel/values/clock.js';
import { streamName } from '../../../kernel/events/decider.js';
import type { StoreDirectory, StoreFacts } from '../../contracts/feature.js';
import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { Credentials } from '../../../kernel/routes/credentials.js';
import type { Principal, SessionRef } from '../../../kernel/routes/request-context.js';
import type { AccessCache, CachedAccess } from '../access/access-cache.js';
import { access, activeMember, permissionsOf } from '../access/decider.js';
import { CREDENTIAL_INVALID, STORE_SWITCHED, USER_SWITCHED } from '../access/rejections.js';
import { account as accounts } from '../accounts/decider.js';
import type { AccessClaims } from './access-tokens.js';
import { readAccessToken } from './access-tokens.js';
import type { SignInKeys } from './keys.js';
import type { Sessions } from './sessions.js';
import { endsAt } from './sessions.js';

export interface KnownSession extends CachedAccess {
  readonly store: StoreFacts;
  readonly principal: Principal;
  /** When the session ends by time alone, unless it is renewed. */
  readonly endsAt: number;
}

interface SessionAuthenticationServices {
  readonly lanes: CommandLanes;
  readonly clock: Clock;
  readonly keys: SignInKeys;
  readonly sessions: Sessions;
  readonly stores: StoreDirectory;
}

/** Recognises signed-in users by their access token; what it says counts only while session, membership and store stand behind it. */
export class SessionAuthentication {
  constructor(
    private readonly services: SessionAuthenticationServices,
    private readonly cache: AccessCache<KnownSession>,
  ) {}

  authenticate(
    accessToken: string,
    expected: Pick<Credentials, 'storeSlug' | 'expectedUser'>,
  ): Principal | Promise<Principal> {
    const { keys, clock } = this.services;
    const claims = readAccessToken(keys.accessTokens, accessToken, clock.now());
    if (!claims) throw new Rejection(CREDENTIAL_INVALID);
    const found = this.cache.get(claims.sessionId, () => this.lookUp(claims));
    if (found instanceof Promise) return found.then((session) => admit(session, expected));
    return admit(found, expected);
  }

  /** What its user may do now; undefined when the session has ended or belongs to another store. */
  async readmit({ storeId }: Principal, { userId, sessionId }: SessionRef): Promise<Principal | undefined> {
    const lookUp = () => this.lookUp({ userId, sessionId, storeId });
    const known = await this.cache.get(sessionId, lookUp);
    // No event says that its time is over, nor that it was renewed.
    const isOver = known !== undefined && known.endsAt <= this.services.clock.now();
    const found = isOver ? await lookUp() : known;
    return found?.storeId === storeId ? found.principal : undefined;
  }

  private async lookUp({ userId, sessionId, storeId }: AccessClaims): Promise<KnownSession | undefined> {
    const { lanes, sessions } = this.services;
    const session = await sessions.find(userId, sessionId);
    if (session?.storeId !== storeId) return undefined;
    const [store, { state: rights }, { state: account }] = await Promise.all([
      this.services.stores.byId(storeId),
      lanes.current(access, streamName(access.category, storeId)),
      lanes.current(accounts, streamName(accounts.category, userId)),
    ]);
    const member = activeMember(rights, userId);
    if (!store || !member || typeof account === 'string') return undefined;
    return {
      storeId,
      userId,
      store,
      endsAt: endsAt(session),
      principal: {
        storeId,
        actor: { kind: 'user', id: userId, name: account.name },
        permissions: new Set(permissionsOf(member)),
        session: { userId, sessionId },
      },
    };
  }
}

function admit(
  session: KnownSession | undefined,
  { storeSlug, expectedUser }: Pick<Credentials, 'storeSlug' | 'expectedUser'>,
): Principal {
  if (!session) throw new Rejection(CREDENTIAL_INVALID);
  if (expectedUser !== undefined && expectedUser !== session.userId) throw new Rejection(USER_SWITCHED);
  if (storeSlug !== undefined && storeSlug !== session.store.slug) throw new Rejection(STORE_SWITCHED);
  return session.principal;
}
