import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { Rejection, rejection } from '../../kernel/events/rejection.js';
import { isLoopback, plainAddress } from './network-address.js';

const WRONG_HOST = rejection(421, 'WRONG_HOST', 'This service does not answer for this host');

export interface AddressOptions {
  /** The first is the address of links and cookies; the others are accepted as well. */
  readonly publicUrls?: readonly string[] | undefined;
  /** In production nothing but the public addresses is answered for. */
  readonly onlyPublic?: boolean | undefined;
  /** The name or address that it was told to listen on. */
  readonly listensOn?: string | undefined;
  /** Asks the system for the addresses of this machine. */
  readonly interfaces?: typeof networkInterfaces | undefined;
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
/** The absolute form of a request's target, which names a host of its own. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** Addresses that say "this machine, whichever". */
const UNSPECIFIED = ['0.0.0.0', '::'];
const REFRESH_MILLISECONDS = 60_000;

/** Both spellings of a host whose port is that of its scheme. */
function hostsOf(url: string): readonly string[] {
  const { protocol, host, port } = new URL(url);
  if (port !== '') return [host];
  return [host, `${host}:${protocol === 'https:' ? '443' : '80'}`];
}

function authorityOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** An address that leads to what listens there from this machine: no browser opens "whichever". */
export function urlListenedOn(host: string, port: number): string {
  return `http://${UNSPECIFIED.includes(host) ? 'localhost' : authorityOf(host)}:${String(port)}`;
}

/** What this service is called. Links, cookies and the check of origins rest on it, never on what a request says of itself alone. */
export class OwnAddresses {
  private readonly publicHosts: ReadonlySet<string>;
  private readonly publicUrls: readonly string[];
  private readonly onlyPublic: boolean;
  private machine: { readonly names: ReadonlySet<string>; readonly readAt: number } | undefined;

  constructor(private readonly options: AddressOptions) {
    this.publicUrls = (options.publicUrls ?? []).map((url) => url.replace(/\/+$/, ''));
    this.publicHosts = new Set(this.publicUrls.flatMap(hostsOf));
    this.onlyPublic = options.onlyPublic === true;
  }

  /** Whether clients reach the service by https; undefined when no public address says so. */
  get https(): boolean | undefined {
    return this.publicUrls[0]?.startsWith('https://');
  }

  /** Where links lead: the first public address, or else the one that the request's connection came in on. */
  linkBase({ socket }: IncomingMessage): string {
    const { listensOn } = this.options;
    const [first] = this.publicUrls;
    if (first !== undefined) return first;
    const named = listensOn === undefined || UNSPECIFIED.includes(listensOn) ? undefined : listensOn;
    const host = named ?? plainAddress(socket.localAddress ?? '') ?? 'localhost';
    return `http://${authorityOf(host)}:${String(socket.localPort ?? 80)}`;
  }

  /** The addresses whose pages may send requests that change something: the public ones, or else the one asked, whose host was checked. */
  trusted(request: IncomingMessage, protocol: string): readonly string[] {
    const { host } = request.headers;
    if (this.publicUrls.length > 0) return this.publicUrls;
    return [host === undefined ? this.linkBase(request) : `${protocol}://${host}`];
  }

  /** Throws WRONG_HOST for a host that is none of the service's own. */
  refuseOthers(request: IncomingMessage): void {
    const absolute = request.url?.startsWith('/') === false ? ABSOLUTE.exec(request.url)?.[1] : undefined;
    for (const host of [absolute, request.headers.host]) {
      if (host !== undefined && !this.accepts(host)) throw new Rejection(WRONG_HOST);
    }
    if (this.onlyPublic && request.headers.host === undefined) throw new Rejection(WRONG_HOST);
  }

  private accepts(host: string): boolean {
    if (this.publicHosts.has(host.toLowerCase())) return true;
    const name = HOST.exec(host)?.[1]
      ?.toLowerCase()
      .replace(/^\[|\]$/g, '');
    if (this.onlyPublic || name === undefined) return false;
    return name === 'localhost' || isLoopback(name) || this.machineNames().has(name);
  }

  /** Interfaces come and go while a service runs. */
  private machineNames(): ReadonlySet<string> {
    const now = performance.now(); // which nobody can set back
    if (this.machine && now - this.machine.readAt < REFRESH_MILLISECONDS) return this.machine.names;
    const { listensOn } = this.options;
    const names = new Set(
      [...UNSPECIFIED, ...this.machineAddresses(), hostname(), ...(listensOn === undefined ? [] : [listensOn])].map(
        (name) => name.toLowerCase(),
      ),
    );
    this.machine = { names, readAt: now };
    return names;
  }

  /** None where the system refuses to tell them, as to a service that is shut off from the kernel's routing sockets. */
  private machineAddresses(): readonly string[] {
    const { interfaces = networkInterfaces } = this.options;
    try {
      const known = Object.values(interfaces()).flatMap((addresses) => addresses ?? []);
      return known.map(({ address }) => address.replace(/%.*$/, ''));
    } catch {
      return [];
    }
  }
}
