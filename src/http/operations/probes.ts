import type { IncomingMessage } from 'node:http';
import type { ClientAddresses } from '../exchange/network-address.js';

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** What watches the service from its own machine asks by whatever name and as often as it likes. */
export function isOwnProbe(
  request: IncomingMessage,
  { clientAddresses }: { readonly clientAddresses: ClientAddresses },
): boolean {
  return PROBES.has(request.url ?? '') && clientAddresses.isLocal(request);
}
