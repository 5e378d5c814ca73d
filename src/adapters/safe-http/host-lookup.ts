import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.js';

/** The name leads nowhere, or to where nothing may be sent. */
export class HostRefused extends Error {}

export interface HostLookup {
  /** All addresses of a name. */
  addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Asks the name servers themselves: no search domains, no threads that a slow server could use up, and it can be given up. */
export class NameServers implements HostLookup {
  async addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const resolver = new Resolver();
    const cancel = () => {
      resolver.cancel();
    };
    signal.addEventListener('abort', cancel);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

/** As the machine itself does, its own hosts included: for development. */
export const machineLookup: HostLookup = {
  async addressesOf(host) {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  },
};

/** The addresses to connect to: all of them are allowed, or none is used. Those of IPv4 come first. */
export async function checkedAddresses(
  host: string,
  { lookup: names, allowPrivate }: { readonly lookup: HostLookup; readonly allowPrivate: boolean },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await names.addressesOf(host, signal).catch(() => []) : [host];
  signal.throwIfAborted();
  if (addresses.length === 0) throw new HostRefused('the host name was not found');
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new HostRefused('the address is not public');
  return [...addresses].sort((a, b) => isIP(a) - isIP(b));
}
