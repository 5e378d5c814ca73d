import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.js';

/** Which addresses may be named, as far as their text tells: https, public names or addresses, ordinary ports. */

const MAX_LENGTH = 2_048;
const SECURE_PORT = 443;
const FIRST_FREE_PORT = 1_024;

/** Ports above 1023 on which machines serve their own networks: databases, queues, container engines, administration. */
const INTERNAL_PORTS: ReadonlySet<number> = new Set([
  1113, 1433, 1521, 1883, 2049, 2113, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 4222, 4369, 4646, 5432, 5601,
  5671, 5672, 5900, 5984, 5985, 5986, 6379, 6443, 7001, 7199, 7474, 7687, 8086, 8125, 8200, 8300, 8301, 8500, 9042,
  9090, 9092, 9100, 9160, 9200, 9300, 9411, 10250, 10255, 11211, 15672, 16379, 26379, 26257, 27017, 27018, 27019, 28015,
  28017, 61616,
]);

/** Names that only a network itself knows, and whatever lies below them. */
const INTERNAL_NAMES: readonly string[] = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'svc',
  'cluster.local',
  'onion',
  'in-addr.arpa',
  'ip6.arpa',
  'metadata.google.internal',
  'instance-data.ec2.internal',
  'host.docker.internal',
];

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;

/** What `new URL` would drop, turn or take for something else. */
const CONFUSING = /[\s\\\u0000-\u001f\u007f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/u;
const FORM = /^https?:\/\/[^/?#]/i;

/** The host as the other side knows it: without brackets, and without the dot that ends a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** Why an address is refused; undefined when it is a public one. */
export function urlRefusal(text: string, allowPrivate: boolean): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (CONFUSING.test(text)) return 'holds a blank, a backslash or an invisible character';
  if (!FORM.test(text)) return 'must begin with https://';
  const authority = authorityOf(text);
  if (authority.includes('@')) return 'must carry no user name';
  if (authority.includes('%')) return 'must have no percent sign in its host';
  if (!URL.canParse(text)) return 'is not a valid address';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !allowPrivate) return 'must begin with https://';
  return portRefusal(url, allowPrivate) ?? hostRefusal(url, authority, allowPrivate);
}

const authorityOf = (text: string): string => /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';

function portRefusal(url: URL, allowPrivate: boolean): string | undefined {
  const port = portOf(url);
  if (port === 0) return 'names no usable port';
  if (allowPrivate || port === SECURE_PORT) return undefined;
  return port < FIRST_FREE_PORT || INTERNAL_PORTS.has(port) ? `must not use port ${port}` : undefined;
}

function hostRefusal(url: URL, authority: string, allowPrivate: boolean): string | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    if (allowPrivate) return undefined;
    return isPublicAddress(host) && isPlainlyWritten(host, authority) ? undefined : 'is no public address';
  }
  if (host.length > MAX_NAME || !host.split('.').every((label) => LABEL.test(label))) return 'has no valid host name';
  if (allowPrivate) return undefined;
  if (!host.includes('.')) return 'must name a public host';
  const internal = INTERNAL_NAMES.some((name) => host === name || host.endsWith(`.${name}`));
  return internal ? 'names a host of a private network' : undefined;
}

/** An address in another spelling (octal, hexadecimal, short) is written to mislead. */
const isPlainlyWritten = (host: string, authority: string): boolean =>
  isIP(host) === 6 || authority.replace(/:\d*$/, '') === host;
