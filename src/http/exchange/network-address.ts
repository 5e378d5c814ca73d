import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/;

/** An IP address in its plain form: no port, no zone, IPv4 as IPv4; undefined for what is none. */
export function plainAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed, beforePort] = WITH_PORT.exec(trimmed) ?? [];
  const address = (bracketed ?? beforePort ?? trimmed).replace(/%.*$/, '');
  const plain = MAPPED.exec(address)?.[1] ?? address;
  return isIP(plain) === 0 ? undefined : plain.toLowerCase();
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Addresses, subnets and the groups by name, as one set. */
function addressSet(entries: readonly string[]): BlockList {
  const set = new BlockList();
  for (const entry of entries.flatMap((one) => GROUPS[one] ?? [one])) {
    const [address = '', bits] = entry.split('/');
    const plain = plainAddress(address) ?? address;
    if (bits === undefined) set.addAddress(plain, family(plain));
    else set.addSubnet(plain, Number(bits), family(plain));
  }
  return set;
}

const LOOPBACK = addressSet(['loopback']);
const isInLoopback = (address: string): boolean => isIP(address) !== 0 && LOOPBACK.check(address, family(address));

/** Each request asks of its host; a service has few names. */
const MOST_KNOWN = 1_000;
const knownLoopback = new Map<string, boolean>();

export function isLoopback(address: string): boolean {
  let known = knownLoopback.get(address);
  if (known === undefined) {
    if (knownLoopback.size >= MOST_KNOWN) knownLoopback.clear();
    knownLoopback.set(address, (known = isInLoopback(address)));
  }
  return known;
}

/** Tells where requests come from: the connection, or what trusted proxies on the way say of it. */
export class ClientAddresses {
  private readonly trusted: BlockList | undefined;

  constructor(trustedProxies: readonly string[] | undefined) {
    this.trusted = trustedProxies && trustedProxies.length > 0 ? addressSet(trustedProxies) : undefined;
  }

  isTrusted(address: string | undefined): boolean {
    const plain = plainAddress(address ?? '');
    return plain !== undefined && this.trusted?.check(plain, family(plain)) === true;
  }

  /** The last address that no trusted proxy stands behind. What a proxy passes on and is no address counts as the proxy itself. */
  of({ socket, headers }: IncomingMessage): string {
    let client = plainAddress(socket.remoteAddress ?? '') ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (!this.trusted || forwarded === undefined) return client;
    for (const entry of [forwarded].flat().join(',').split(',').reverse()) {
      if (!this.isTrusted(client)) return client;
      const before = plainAddress(entry);
      if (before === undefined) return client;
      client = before;
    }
    return client;
  }

  /** Whether a request was made on this machine itself: no proxy stands between, unless a trusted one says so. */
  isLocal(request: IncomingMessage): boolean {
    const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
    const client = this.of(request);
    return (
      isLoopback(client) && (forwarded === undefined || client !== plainAddress(request.socket.remoteAddress ?? ''))
    );
  }
}
