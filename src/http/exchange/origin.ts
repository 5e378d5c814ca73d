import type { IncomingHttpHeaders } from 'node:http';
import { Rejection, rejection } from '../../kernel/events/rejection.js';

export const CROSS_SITE = rejection(403, 'CROSS_SITE', 'The request comes from another site');

/** The origin of an address, as browsers write it; undefined for what is no address. */
const originOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).origin : undefined);

type Source = 'own' | 'foreign' | 'unknown';

/** Browsers alone send these two headers, and no page can choose them. */
function sourceOf(headers: IncomingHttpHeaders, addresses: readonly string[]): Source {
  const { origin } = headers;
  // Several Origin headers arrive joined: they equal no address.
  if (origin !== undefined) return addresses.some((address) => originOf(address) === origin) ? 'own' : 'foreign';
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return 'own';
  return site === undefined || site === 'none' ? 'unknown' : 'foreign';
}

/**
 * For requests that change something without a bearer: throws CROSS_SITE unless they come from one of the service's own
 * addresses. Who sends no cookie may also say nothing, as programs do.
 */
export function refuseCrossSite(
  headers: IncomingHttpHeaders,
  { addresses, hasCookie }: { readonly addresses: readonly string[]; readonly hasCookie: boolean },
): void {
  const source = sourceOf(headers, addresses);
  if (source === 'own' || (source === 'unknown' && !hasCookie)) return;
  throw new Rejection(CROSS_SITE);
}
