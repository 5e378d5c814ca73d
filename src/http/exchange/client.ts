import type { Request } from 'express';
import type { ClientFacts } from '../../kernel/routes/request-context.js';
import { parseCookies, SessionCookies } from './cookies.js';
import type { ClientAddresses } from './network-address.js';
import type { OwnAddresses } from './own-addresses.js';

const OVER_HTTPS = new SessionCookies(true);
const OVER_HTTP = new SessionCookies(false);

export interface ClientSurroundings {
  readonly ownAddresses: OwnAddresses;
  readonly clientAddresses: ClientAddresses;
  /** Whether pages for people are served. */
  readonly hasPages: boolean;
}

/** Where a request comes from, worked out when somebody asks. */
export class Client implements ClientFacts {
  constructor(
    private readonly request: Request,
    private readonly surroundings: ClientSurroundings,
  ) {}

  get address(): string {
    return this.surroundings.clientAddresses.of(this.request);
  }

  get baseUrl(): string {
    return this.surroundings.ownAddresses.linkBase(this.request);
  }

  get pagesUrl(): string | undefined {
    return this.surroundings.hasPages ? `${this.baseUrl}/console` : undefined;
  }

  /** The addresses whose pages may send requests with this client's cookies. */
  get ownOrigins(): readonly string[] {
    return this.surroundings.ownAddresses.trusted(this.request, this.request.protocol);
  }

  get accessToken(): string | undefined {
    const { cookie } = this.request.headers;
    return cookie === undefined ? undefined : this.sessionCookies.accessToken(parseCookies(cookie));
  }

  get refreshToken(): string | undefined {
    const { cookie } = this.request.headers;
    return cookie === undefined ? undefined : this.sessionCookies.refreshToken(parseCookies(cookie));
  }

  get sessionCookies(): SessionCookies {
    const https = this.surroundings.ownAddresses.https ?? this.request.secure;
    return https ? OVER_HTTPS : OVER_HTTP;
  }

  get userAgent(): string | undefined {
    return this.request.headers['user-agent'];
  }

  get acceptLanguage(): string | undefined {
    return this.request.headers['accept-language'];
  }

  get lastEventId(): string | undefined {
    const id = this.request.headers['last-event-id'];
    return typeof id === 'string' ? id : undefined;
  }

  get expectedUser(): string | undefined {
    const id = this.request.headers['x-signed-in-as'];
    return typeof id === 'string' ? id : undefined;
  }

  get storeSlug(): string | undefined {
    const slug = this.request.headers['x-store-slug'];
    return typeof slug === 'string' ? slug : undefined;
  }
}
