import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Given, Service, TaxAuthorityOptions } from './authority.js';
import { TaxAuthority } from './authority.js';
import { testAuthority } from './certificates.js';

/** Ways in which an authority, or what lies before it, disappoints. */
export const FAULTS = [
  'break-before',
  'break-after',
  'hang',
  'late',
  'nonsense',
  'empty',
  'huge',
  'wrong-encoding',
  'document-type',
  'other-document',
  'other-digest',
  'other-environment',
  'two-answers',
  'http-502',
  'soap-fault',
] as const;
/** Shapes that mean the same. */
export const SHAPES = ['text-inside', 'prefixed', 'latin-1'] as const;
type Fault = (typeof FAULTS)[number] | (typeof SHAPES)[number] | undefined;

export interface StandIn {
  readonly url: string;
  readonly authority: TaxAuthority;
  /** Who stands in for it, once the state has switched that on. */
  readonly fallback: TaxAuthority;
  /** Says how a message is answered; nothing means: as it should be. */
  faultAt: (service: Service, count: number) => Fault;
  /** Milliseconds before an answer. */
  delay: number;
  lateBy: number;
  /** Connections are broken off before anything was said. */
  isAway: boolean;
  close(): Promise<void>;
}

const HUGE = 100_000_000;
/** Seconds for an answer: enough on a busy machine, and little where one is waited for in vain. */
const PATIENCE = 15;
export const IMPATIENCE = 2;

function shaped(fault: Fault, { xml, key }: Given): string {
  switch (fault) {
    case 'other-document':
      return xml.replaceAll(key, `${key.slice(0, 25)}999999999${key.slice(34)}`);
    case 'other-digest':
      return xml.replace(/<digVal>[^<]*/, '<digVal>AAAAAAAAAAAAAAAAAAAAAAAAAAA=');
    case 'other-environment':
      return xml.replaceAll('<tpAmb>2</tpAmb>', '<tpAmb>1</tpAmb>');
    case 'prefixed':
      return xml.replace(/xmlns=/, 'xmlns:ns2=').replaceAll(/<(\/?)([A-Za-z])/g, '<$1ns2:$2');
    default:
      return xml;
  }
}

type Framing = (answer: string, service: Service, fault: Fault) => { readonly type: string; readonly body: string };

interface Asked {
  readonly service: Service;
  readonly message: string;
  readonly by?: TaxAuthority;
}

/** What both servers do with a message once they have read it. */
async function respond(
  standIn: StandIn,
  { service, message, by = standIn.authority }: Asked,
  response: ServerResponse,
  frame: Framing,
): Promise<void> {
  const fault = standIn.faultAt(service, by.asked[service] + 1);
  if (fault === 'break-before') {
    response.destroy();
    return;
  }
  const given = by.answer(service, message);
  if (standIn.delay > 0) await new Promise((resolve) => setTimeout(resolve, standIn.delay));
  if (fault === 'break-after') {
    response.destroy();
    return;
  }
  if (fault === 'hang') return;
  if (fault === 'late') await new Promise((resolve) => setTimeout(resolve, standIn.lateBy));
  write(fault, frame(shaped(fault, given), service, fault), response);
}

function write(fault: Fault, { type, body }: ReturnType<Framing>, response: ServerResponse): void {
  const send = (status: number, contentType: string, content: string | Buffer): void => {
    response.writeHead(status, { 'Content-Type': contentType }).end(content);
  };
  switch (fault) {
    case 'nonsense':
      send(200, 'text/html', '<html><body><h1>It works!</h1><br></body></html>');
      return;
    case 'empty':
      send(200, type, '');
      return;
    case 'huge':
      huge(type, response);
      return;
    case 'wrong-encoding':
      send(200, type, Buffer.from(body, 'utf16le'));
      return;
    case 'document-type':
      send(200, type, `<!DOCTYPE a [<!ENTITY b "c">]>${body}`);
      return;
    case 'http-502':
      send(502, 'text/html', '<html>Bad Gateway</html>');
      return;
    case 'latin-1':
      send(
        200,
        type.replace('utf-8', 'iso-8859-1'),
        Buffer.from(body.replace('Autorizado', 'Autorizaçăo'.slice(0, 9)), 'latin1'),
      );
      return;
    default:
      send(fault === 'soap-fault' ? 500 : 200, type, body);
  }
}

function huge(type: string, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': type });
  const piece = Buffer.alloc(1_000_000, 'a');
  let left = HUGE / piece.length;
  const go = (): void => {
    while (left > 0) {
      left -= 1;
      if (!response.write(piece)) {
        response.once('drain', go);
        return;
      }
    }
    response.end();
  };
  response.on('error', () => undefined);
  go();
}

const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/';
const SERVICES: readonly (readonly [path: string, service: Service, operation: string])[] = [
  ['NFeAutorizacao4', 'authorization', 'nfeAutorizacaoLote'],
  ['NFeRetAutorizacao4', 'authorizationResult', 'nfeRetAutorizacaoLote'],
  ['NFeConsultaProtocolo4', 'query', 'nfeConsultaNF'],
  ['NFeStatusServico4', 'status', 'nfeStatusServicoNF'],
  ['NFeRecepcaoEvento4', 'event', 'nfeRecepcaoEvento'],
  ['NFeInutilizacao4', 'void', 'nfeInutilizacaoNF'],
];

const soapFrame: Framing = (answer, service, fault) => {
  const name = SERVICES.find(([, one]) => one === service)?.[0] ?? '';
  const content = fault === 'text-inside' ? `<![CDATA[<?xml version="1.0"?>${answer}]]>` : answer;
  const result =
    fault === 'soap-fault'
      ? '<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">no memory</soap:Text></soap:Reason></soap:Fault>'
      : `<nfeResultMsg xmlns="${WSDL}${name}">${content}</nfeResultMsg>`;
  const envelope =
    '<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<soap:Header><nfeMonitoria xmlns="${WSDL}${name}">1</nfeMonitoria></soap:Header><soap:Body>${result}</soap:Body></soap:Envelope>`;
  const encoding = fault === 'latin-1' ? 'iso-8859-1' : 'utf-8';
  const twice = fault === 'two-answers' ? envelope : '';
  return {
    type: 'application/soap+xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="${encoding}"?>${envelope}${twice}`,
  };
};

/** The services as an authority runs them, on this machine: they ask for the client's certificate. */
export async function startSoapStandIn(
  options: TaxAuthorityOptions & { readonly port?: number } = {},
): Promise<StandIn & { readonly addressFile: string; readonly impatientFile: string; readonly caFile: string }> {
  const { root, middle, server: own } = testAuthority();
  const server = createServer({
    key: own.key,
    cert: own.certificate + middle.certificate,
    // Who is to be believed sends what lies between.
    ca: [root.certificate],
    requestCert: true,
    rejectUnauthorized: false,
  });
  const standIn = standInOf(server, options);
  server.on('request', (request, response) => {
    const by = request.url?.startsWith('/svc/') ? standIn.fallback : standIn.authority;
    soapMessage(request, by)
      .then(async (asked) => {
        if (asked === 'forbidden') response.writeHead(403, { 'Content-Type': 'text/html' }).end('<html>403.7</html>');
        else await respond(standIn, { ...asked, by }, response, soapFrame);
      })
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    if (standIn.isAway) socket.destroy();
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://localhost:${String((server.address() as AddressInfo).port)}`;
  const folder = await mkdtemp(join(tmpdir(), 'tax-authority-'));
  const addresses = Object.fromEntries(SERVICES.map(([path, service]) => [service, `${url}/${path}`]));
  const place = { production: addresses, homologation: addresses };
  const away = Object.fromEntries(SERVICES.map(([path, service]) => [service, `${url}/svc/${path}`]));
  const at = (host: string) => Object.fromEntries(SERVICES.map(([path, service]) => [service, `${host}/${path}`]));
  const [nowhere, closed] = [at('https://no-such-host.invalid'), at('https://localhost:1')];
  const fileOf = (patience: number) => ({
    authorizers: {
      55: { SP: place, SVRS: place, 'SVC-AN': { production: away, homologation: away } },
      65: { SP: place, SVRS: place, RS: { homologation: nowhere }, MG: { homologation: closed } },
    },
    timeouts: { connect: PATIENCE, 55: patience, 65: patience },
  });
  const [addressFile, caFile] = [join(folder, 'addresses.json'), join(folder, 'authorities.pem')];
  const impatientFile = join(folder, 'impatient.json');
  await writeFile(addressFile, JSON.stringify(fileOf(PATIENCE)));
  await writeFile(impatientFile, JSON.stringify(fileOf(IMPATIENCE)));
  await writeFile(caFile, root.certificate);
  return Object.assign(standIn, {
    url,
    addressFile,
    impatientFile,
    caFile,
    close: async () => {
      await stop(server);
      await rm(folder, { recursive: true, force: true });
    },
  });
}

async function soapMessage(
  request: IncomingMessage,
  authority: TaxAuthority,
): Promise<'forbidden' | { readonly service: Service; readonly message: string }> {
  const body = await text(request);
  const isKnown = 'authorized' in request.socket && request.socket.authorized === true;
  if (!isKnown) return 'forbidden';
  const path = request.url?.split('/').at(-1) ?? '';
  const [, service, operation] = SERVICES.find(([name]) => name === path) ?? ['', 'status' as const, ''];
  const frame = new RegExp(
    '^<soap12:Envelope xmlns:soap12="http://www\\.w3\\.org/2003/05/soap-envelope"><soap12:Body>' +
      `<nfeDadosMsg xmlns="${WSDL}${path}">(.*)</nfeDadosMsg></soap12:Body></soap12:Envelope>$`,
    's',
  );
  const message = frame.exec(body)?.[1];
  const type = `application/soap+xml; charset=utf-8; action="${WSDL}${path}/${operation}"`;
  if (message === undefined) authority.complaints.push('the envelope');
  if (request.headers['content-type'] !== type) authority.complaints.push('the content type');
  if (/\n/.test(body)) authority.complaints.push('one line');
  return { service, message: message ?? '' };
}

/** A transmitter that hands messages on to an authority. */
export async function startGatewayStandIn(options: TaxAuthorityOptions = {}): Promise<StandIn> {
  const server = createPlainServer();
  const standIn = standInOf(server, options);
  const frame: Framing = (answer, _service, fault) => ({
    type: 'application/json; charset=utf-8',
    body:
      fault === 'soap-fault'
        ? '{"error":"no memory"}'
        : JSON.stringify({ answer }) + (fault === 'two-answers' ? '{}' : ''),
  });
  server.on('request', (request, response) => {
    text(request)
      .then((body) => {
        if (request.headers.authorization !== 'Bearer a-token-for-the-gateway')
          standIn.authority.complaints.push('the token');
        return respond(standIn, JSON.parse(body) as { service: Service; message: string }, response, frame);
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/messages`;
  return Object.assign(standIn, { url, close: () => stop(server) });
}

type AnyServer = ReturnType<typeof createServer> | ReturnType<typeof createPlainServer>;

const standInOf = (_server: AnyServer, options: TaxAuthorityOptions): StandIn => ({
  url: '',
  authority: new TaxAuthority(options),
  fallback: new TaxAuthority(options),
  faultAt: () => undefined,
  delay: 0,
  lateBy: 300,
  isAway: false,
  close: () => Promise.resolve(),
});

async function stop(server: AnyServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
