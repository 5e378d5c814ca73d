import { fork } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import forge from 'node-forge';
import { FISCAL_SERVICES } from '../../src/brazil/tax-authorities.js';
import type { AuthorityClient, FiscalAuthority } from '../../src/ports/fiscal-authority.js';
import type { Benchmark, Sample } from './benchmark.js';
import { measure } from './benchmark.js';
import type { StandInSettings } from './authority-stand-in.js';
import { openEnginesOf } from './scratch-engines.js';
import { makeScratchFolder } from './scratch-folder.js';

const STORES = 8;
const AT_ONCE = 8;
const DELAY = 50;
const ITEMS = 8;
const DAY = 86_400_000;
const NS_OF_A_MS = 1e6;
const BYTES_OF_A_MB = 1024 * 1024;

interface Issued {
  readonly key: string;
  readonly certificate: string;
}

function issued(name: string, by: Issued | undefined, isServer: boolean): Issued {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - DAY);
  certificate.validity.notAfter = new Date(Date.now() + DAY);
  const subject = [{ shortName: 'CN', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(by ? forge.pki.certificateFromPem(by.certificate).subject.attributes : subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: by === undefined },
    ...(isServer ? [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }] : []),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(by?.key ?? pair.privateKey), forge.md.sha256.create());
  return { key: pair.privateKey, certificate: forge.pki.certificateToPem(certificate) };
}

async function startStandIn(settings: StandInSettings) {
  const child = fork(fileURLToPath(new URL('./authority-stand-in.js', import.meta.url)));
  child.send(settings);
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop: () => child.kill() };
}

const taxIdOf = (store: number): string => `1122233300${String(100 + store)}0`.slice(0, 14);

/** As large as that of a usual sale; nobody looks at the signature. */
const documentOf = (accessKey: string): string =>
  `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe${accessKey}" versao="4.00">` +
  `<det><prod>${'<xProd>PAO FRANCES ESPECIAL DA CASA</xProd>'.repeat(ITEMS * 20)}</prod></det></infNFe>` +
  '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><DigestValue>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</DigestValue></Signature></NFe>';

let documents = 0;

async function handIn(authority: FiscalAuthority, client: AuthorityClient): Promise<number> {
  documents += 1;
  const accessKey = `352611${client.taxId}65001${String(documents).padStart(9, '0')}1008480900`;
  const document = { accessKey, digestValue: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=', xml: documentOf(accessKey) };
  const { kind } = await authority.authorize(client, document);
  if (kind !== 'authorized') throw new Error(`a document was ${kind}`);
  return 1;
}

async function strained(work: () => Promise<Sample>): Promise<Sample> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage.rss();
  delays.enable();
  const sample = await work();
  delays.disable();
  const grownMb = (process.memoryUsage.rss() - before) / BYTES_OF_A_MB;
  return { ...sample, strain: { heldMs: delays.max / NS_OF_A_MS, grownMb } };
}

/** Documents that are handed in over mutual TLS. */
export const authority: Benchmark = {
  name: 'authority',
  unit: `documents of ${STORES} stores over mutual TLS, ${AT_ONCE} at once for each, to an authority in another process that answers after ${DELAY} ms`,
  async prepare() {
    const folder = await makeScratchFolder();
    const root = issued('Root', undefined, false);
    const server = issued('localhost', root, true);
    const standIn = await startStandIn({ ...server, authority: root.certificate, delay: DELAY });
    const services = FISCAL_SERVICES.map((service) => [service, `https://localhost:${standIn.port}/${service}`]);
    const addresses = { authorizers: { 65: { SP: { homologation: Object.fromEntries(services) as object } } } };
    const [addressFile, caFile] = [join(folder.path, 'addresses.json'), join(folder.path, 'authorities.pem')];
    await writeFile(addressFile, JSON.stringify(addresses));
    await writeFile(caFile, root.certificate);
    const engines = await openEnginesOf({
      DATA_DIR: folder.path,
      FISCAL_AUTHORITY: 'sefaz',
      SEFAZ_ADDRESSES: addressFile,
      SEFAZ_CA_FILE: caFile,
    });
    const clients = Array.from({ length: STORES }, (_, store): AuthorityClient => {
      const taxId = taxIdOf(store);
      const own = issued(`BENCH:${taxId}`, root, false);
      return {
        storeId: String(store),
        taxId,
        state: 'SP',
        model: 65,
        environment: 'HOMOLOGATION',
        triesOutage: false,
        certificate: { key: own.key, chain: [own.certificate, root.certificate] },
      };
    });
    const operate = (worker: number): Promise<number> => {
      const client = clients[worker % STORES];
      if (!client) throw new Error('a worker without a store');
      return handIn(engines.authority, client);
    };
    // Connections are made once a day, not once a document.
    await measure(1, STORES * AT_ONCE, operate);
    return {
      engine: 'embedded',
      cases: [
        {
          name: 'authorized',
          measure: (milliseconds) => strained(() => measure(milliseconds, STORES * AT_ONCE, operate)),
        },
      ],
      async tearDown() {
        standIn.stop();
        await engines.close();
        await folder.remove();
      },
    };
  },
};
