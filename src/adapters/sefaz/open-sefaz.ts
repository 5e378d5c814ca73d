import type { NetworkOptions } from '../fiscal-services/network-authority.js';
import { NetworkAuthority } from '../fiscal-services/network-authority.js';
import { readAddressFile } from './addresses.js';
import { readAuthorities } from './certificate-agents.js';
import { SoapTransport } from './soap-transport.js';

interface SefazSettings {
  /** The path of a JSON file. */
  readonly addresses: string | undefined;
  /** The path of a PEM file. */
  readonly authorities: string | undefined;
}

/** The authorities' own web services; throws StartRefused when a file of the settings is wrong. */
export async function openSefaz(settings: SefazSettings, options: NetworkOptions): Promise<NetworkAuthority> {
  const [addresses, authorities] = await Promise.all([
    readAddressFile(settings.addresses),
    readAuthorities(settings.authorities),
  ]);
  return new NetworkAuthority('sefaz', new SoapTransport({ addresses, authorities }), options);
}
