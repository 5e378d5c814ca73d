import ipaddr from 'ipaddr.js';

type Range = readonly [address: string, bits: number];

/** What ipaddr.js takes for ordinary and is not: addresses by which clouds serve their machines, and blocks given away for other uses. */
const SPECIAL_V4: readonly Range[] = [
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
];

/** Ordinary addresses of IPv6 begin with 001; of these the following are not ordinary. */
const GLOBAL_V6: Range = ['2000::', 3];
const SPECIAL_V6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function within(address: ipaddr.IPv4 | ipaddr.IPv6, [text, bits]: Range): boolean {
  const range = ipaddr.parse(text);
  return range.kind() === address.kind() && address.match(range, bits);
}

/** Whether an address belongs to the public internet; an IPv4 address inside an IPv6 one never does. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !SPECIAL_V4.some((range) => within(address, range));
  return within(address, GLOBAL_V6) && !SPECIAL_V6.some((range) => within(address, range));
}
