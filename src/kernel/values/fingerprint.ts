import { hash } from 'node:crypto';

/** JSON whose members are sorted: equal values give equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256, in hexadecimal, over the canonical JSON of what is stored: decimals are strings there. */
export const fingerprintOf = (value: unknown): string =>
  hash('sha256', canonical(JSON.parse(JSON.stringify(value))), 'hex');
