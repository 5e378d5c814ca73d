import { AccessCache } from './access/access-cache.js';
import type { KnownKey } from './access/authentication.js';
import { ApiKeyAuthentication } from './access/authentication.js';
import {
  CREDENTIAL_INVALID,
  KEY_OF_ANOTHER_STORE,
  PLAN_WITHOUT_API,
  STORE_SLUG_REQUIRED,
  STORE_SWITCHED,
  USER_SWITCHED,
} from './access/rejections.js';
import { signInKeys } from './sign-in/keys.js';
import type { KnownSession } from './sign-in/session-authentication.js';
import { SessionAuthentication } from './sign-in/session-authentication.js';
import { Sessions } from './sign-in/sessions.js';
import type { FeatureServices } from '../contracts/feature.js';
import type { LogFollower } from '../../kernel/lanes/log-follower.js';
import type { CacheSize } from '../../ports/read-models.js';
import type { Credentials } from '../../kernel/routes/credentials.js';
import type { Principal } from '../../kernel/routes/request-context.js';

/** Where other processes write too, what was cached counts for this long after the log last proved to be live. */
const TRUST = 1_000;
/** So long after a change every process has heard of it or trusts its cache no more. */
export const HEARD_EVERYWHERE = TRUST + 100;

/** With what requests that show who they are may be refused before any route runs. */
export const AUTHENTICATION_REJECTIONS = [
  CREDENTIAL_INVALID,
  STORE_SLUG_REQUIRED,
  KEY_OF_ANOTHER_STORE,
  PLAN_WITHOUT_API,
  STORE_SWITCHED,
  USER_SWITCHED,
];

export { isRevocation } from './access/revocations.js';

type AuthenticationServices = Pick<FeatureServices, 'lanes' | 'vault' | 'clock' | 'stores' | 'tokenSecret'>;

/** Recognises an API key, or the cookie of a session; where both are sent the key alone counts. */
export class Authentication {
  private readonly keys: AccessCache<KnownKey>;
  private readonly sessions: AccessCache<KnownSession>;
  private readonly byKey: ApiKeyAuthentication;
  private readonly bySession: SessionAuthentication;

  /** What other processes change it hears from the follower, where there are any; to be made before anything can change. */
  constructor(services: AuthenticationServices, follower: Pick<LogFollower, 'listen' | 'provedLiveAt'> | undefined) {
    const isCurrent = () => !follower || services.clock.now() - follower.provedLiveAt < TRUST;
    follower?.listen(({ stream }) => {
      this.streamChanged(stream);
    });
    this.keys = new AccessCache(isCurrent);
    this.sessions = new AccessCache(isCurrent);
    this.byKey = new ApiKeyAuthentication(services, this.keys);
    const keys = signInKeys(services.tokenSecret);
    const sessions = new Sessions({ ...services, keys });
    this.bySession = new SessionAuthentication({ ...services, keys, sessions }, this.sessions);
  }

  authenticate(credentials: Credentials): Principal | Promise<Principal> {
    const { accessToken, bearer } = credentials;
    if (bearer === undefined && accessToken !== undefined) return this.bySession.authenticate(accessToken, credentials);
    return this.byKey.authenticate(credentials);
  }

  /** What a credential that was admitted before may do now; undefined once it opens nothing any more. */
  readmit(principal: Principal): Promise<Principal | undefined> {
    const { session } = principal;
    return session ? this.bySession.readmit(principal, session) : this.byKey.readmit(principal);
  }

  cacheSizes(): readonly CacheSize[] {
    return [
      { name: 'api keys', entries: this.keys.size },
      { name: 'sessions', entries: this.sessions.size },
    ];
  }

  /** To be told of every change that this process makes, before that is answered. */
  streamChanged(stream: string): void {
    this.keys.streamChanged(stream);
    this.sessions.streamChanged(stream);
  }
}
