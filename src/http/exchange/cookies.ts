const LONGEST_HEADER = 8_192;
// RFC 6265: what a name and a value may hold.
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[!#-+\--:<-[\]-~]*$/;

/**
 * The cookies of a request by name. One that was sent twice is as good as none: a neighbouring site may have planted it, and
 * which of the two is ours cannot be told.
 */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  if (header === undefined || header.length > LONGEST_HEADER) return cookies;
  const repeated = new Set<string>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    const value = pair.slice(equals + 1).trim();
    if (!NAME.test(name) || !VALUE.test(value)) continue;
    if (cookies.has(name)) repeated.add(name);
    cookies.set(name, value);
  }
  for (const name of repeated) cookies.delete(name);
  return cookies;
}

const DAY = 24 * 60 * 60;

interface Cookie {
  readonly name: string;
  readonly path: string;
  /** In seconds. */
  readonly lives: number;
}

/** The two cookies of a session. Over https their names make the browser refuse what another site or plain http planted. */
export class SessionCookies {
  private readonly access: Cookie;
  private readonly refresh: Cookie;

  constructor(private readonly https: boolean) {
    this.access = { name: https ? '__Host-sm_access' : 'sm_access', path: '/', lives: 15 * 60 };
    this.refresh = { name: https ? '__Secure-sm_refresh' : 'sm_refresh', path: '/auth', lives: 30 * DAY };
  }

  accessToken(cookies: ReadonlyMap<string, string>): string | undefined {
    return cookies.get(this.access.name);
  }

  refreshToken(cookies: ReadonlyMap<string, string>): string | undefined {
    return cookies.get(this.refresh.name);
  }

  /** Values of Set-Cookie. */
  set(accessToken: string, refreshToken: string): readonly string[] {
    return [this.write(this.access, accessToken), this.write(this.refresh, refreshToken)];
  }

  clear(): readonly string[] {
    return [this.access, this.refresh].map((cookie) => this.write({ ...cookie, lives: 0 }, ''));
  }

  private write({ name, path, lives }: Cookie, value: string): string {
    if (!VALUE.test(value)) throw new Error(`the value of ${name} does not fit into a cookie`);
    const attributes = [`Path=${path}`, `Max-Age=${lives}`, 'HttpOnly', 'SameSite=Lax'];
    return [`${name}=${value}`, ...attributes, ...(this.https ? ['Secure'] : [])].join('; ');
  }
}
