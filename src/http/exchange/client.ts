import type { Request } from 'express';
import type { ClientFacts } from '../../kernel/routes/route.js';
import { parseCookies, SessionCookies } from './cookies.js';

const OVER_HTTPS = new SessionCookies(true);
const OVER_HTTP = new SessionCookies(false);

/** Where a request comes from, worked out when somebody asks. Express has decided which forwarded headers count. */
export class Client implements ClientFacts {
  constructor(
    private readonly request: Request,
    private readonly publicUrl: string | undefined,
  ) {}

  get address(): string {
    return this.request.ip ?? '';
  }

  get baseUrl(): string {
    return this.publicUrl ?? `${this.request.protocol}://${this.request.headers.host ?? ''}`;
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
    return this.baseUrl.startsWith('https://') ? OVER_HTTPS : OVER_HTTP;
  }

  get storeSlug(): string | undefined {
    const slug = this.request.headers['x-store-slug'];
    return typeof slug === 'string' ? slug : undefined;
  }
}
