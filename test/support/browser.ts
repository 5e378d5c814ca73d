import type { Answer } from './world.js';
import { callService } from './world.js';

interface Kept {
  readonly value: string;
  readonly path: string;
}

export interface Visit {
  /** Where the pages come from that the requests are made by; the service's own address otherwise. */
  readonly origin?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with cookies, as the pages of the service use it. */
export class Browser {
  private readonly jar = new Map<string, Kept>();

  constructor(
    private readonly url: string,
    private readonly visit: Visit = {},
  ) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const cookie = this.cookiesFor(path);
    const answer = await callService(this.url + path, method, body, {
      origin: this.visit.origin ?? this.url,
      ...(cookie === '' ? {} : { cookie }),
      ...this.visit.headers,
      ...headers,
    });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return answer;
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  /** Names of what it would send. */
  get cookies(): readonly string[] {
    return [...this.jar.keys()].sort();
  }

  /** The same cookies in another place: a second tab, or a thief. */
  copy(visit: Visit = this.visit): Browser {
    const copy = new Browser(this.url, visit);
    for (const [name, kept] of this.jar) copy.jar.set(name, kept);
    return copy;
  }

  cookie(name: string): string | undefined {
    return this.jar.get(name)?.value;
  }

  forget(name: string): void {
    this.jar.delete(name);
  }

  private cookiesFor(path: string): string {
    return [...this.jar]
      .filter(([, { path: scope }]) => scope === '/' || path === scope || path.startsWith(`${scope}/`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const name = pair.slice(0, pair.indexOf('='));
    const attribute = (wanted: string) =>
      attributes.find((one) => one.startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    if (attribute('Max-Age') === '0') this.jar.delete(name);
    else this.jar.set(name, { value: pair.slice(name.length + 1), path: attribute('Path') ?? '/' });
  }
}
