import { constants, createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import type { SecureContext, SecureContextOptions } from 'node:tls';
import { createSecureContext, rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { AuthorityClient } from '../../ports/fiscal-authority.js';
import { StartRefused } from '../../ports/start-refused.js';
import type { TlsSettings } from './addresses.js';

/** Connections by the certificate that they show: one pool each. */

const CONNECTIONS = 8;
/** An unused connection is closed before most servers would do it. */
const KEEP_ALIVE = 4_000;
const CERTIFICATES = 2_000;

/** The authorities that fiscal services are certified by, which Node does not know. */
export async function readAuthorities(path: string | undefined): Promise<readonly string[]> {
  if (path === undefined) return [];
  try {
    const text = await readFile(path, 'utf8');
    const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new Error('it holds no certificate');
    for (const pem of found) new X509Certificate(pem);
    return found;
  } catch (error) {
    throw new StartRefused(`wrong setting: SEFAZ_CA_FILE: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

export class CertificateAgents {
  private readonly agents = new LRUCache<string, Agent>({ max: CERTIFICATES });

  private readonly names = new WeakMap<AuthorityClient['certificate'], string>();

  constructor(private readonly authorities: readonly string[]) {}

  agentOf(certificate: AuthorityClient['certificate'], tls: TlsSettings): Agent {
    const key = `${this.nameOf(certificate)} ${JSON.stringify(tls)}`;
    const known = this.agents.get(key);
    if (known) return known;
    const agent = new Agent({
      keepAlive: true,
      keepAliveMsecs: KEEP_ALIVE,
      timeout: KEEP_ALIVE,
      maxSockets: CONNECTIONS,
      secureContext: this.contextOf(certificate, tls),
    });
    this.agents.set(key, agent);
    return agent;
  }

  /** The same for a certificate that was read anew. */
  private nameOf(certificate: AuthorityClient['certificate']): string {
    const known = this.names.get(certificate);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(certificate.chain.join('\n')).digest('hex');
    this.names.set(certificate, name);
    return name;
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
    this.agents.clear();
  }

  private contextOf({ key, chain }: AuthorityClient['certificate'], tls: TlsSettings): SecureContext {
    const { minVersion, maxVersion, ciphers, legacyRenegotiation } = tls;
    const options: SecureContextOptions = {
      key,
      cert: inOrder(chain).join('\n'),
      ...(minVersion ? { minVersion } : {}),
      ...(maxVersion ? { maxVersion } : {}),
      ...(ciphers === undefined ? {} : { ciphers }),
      ...(legacyRenegotiation ? { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT } : {}),
      ...(this.authorities.length > 0 ? { ca: [...rootCertificates, ...this.authorities] } : {}),
    };
    return createSecureContext(options);
  }
}

/** The own certificate first, then whoever issued the one before. */
function inOrder(chain: readonly string[]): readonly string[] {
  const [first, ...others] = chain.map((pem) => new X509Certificate(pem));
  if (!first) return chain;
  const ordered = [first];
  for (let last = first; ;) {
    const next = others.find((one) => !ordered.includes(one) && last.checkIssued(one));
    if (!next) break;
    ordered.push(next);
    last = next;
  }
  return ordered.map((one) => one.toString());
}
