import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A process of its own: takes every document over mutual TLS, and answers after a while. */

export interface StandInSettings {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  readonly authority: string;
  readonly delay: number;
}

const find = (xml: string, pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';

function answerTo(message: string): string {
  const key = find(message, /Id="NFe([0-9A-Z]{44})"/);
  const digest = find(message, /<DigestValue>([^<]*)/);
  const at = `${new Date().toISOString().slice(0, 19)}Z`;
  const said = '<tpAmb>2</tpAmb><verAplic>BENCH</verAplic>';
  return (
    '<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>' +
    '<nfeResultMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeAutorizacao4">' +
    `<retEnviNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${said}<cStat>104</cStat><xMotivo>Lote processado</xMotivo>` +
    `<cUF>35</cUF><dhRecbto>${at}</dhRecbto><protNFe versao="4.00"><infProt>${said}<chNFe>${key}</chNFe>` +
    `<dhRecbto>${at}</dhRecbto><nProt>135260000000001</nProt><digVal>${digest}</digVal><cStat>100</cStat>` +
    '<xMotivo>Autorizado o uso da NF-e</xMotivo></infProt></protNFe></retEnviNFe></nfeResultMsg></soap:Body></soap:Envelope>'
  );
}

process.once('message', ({ key, certificate, authority, delay }: StandInSettings) => {
  const tls = { key, cert: certificate, ca: [authority], requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (request, response) => {
    void text(request).then((body) => {
      const authorized = 'authorized' in request.socket && request.socket.authorized === true;
      setTimeout(() => {
        response.writeHead(authorized ? 200 : 403, { 'Content-Type': 'application/soap+xml; charset=utf-8' });
        response.end(authorized ? answerTo(body) : '');
      }, delay);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
