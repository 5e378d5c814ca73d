import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** What counts as one address: one of IPv6 holders has a whole /64, and may speak from any of its addresses. */
export function addressGroup(address: string): string {
  const plain = MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // A last part in dots stands for two; it lies beyond the first four in any case.
  const written = before.length + after.length + (plain.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - written;
  const parts = [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4);
  return `${parts.map((part) => part.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
