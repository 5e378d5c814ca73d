import { environmentCode, FISCAL_NAMESPACE } from '../../brazil/fiscal-layout.js';
import type { AuthorityClient } from '../../ports/fiscal-authority.js';

/** What the authority's answers look like. */

const PROGRAM = 'SIMULADOR';
const BRASILIA = -3 * 3_600_000;

const localTime = (iso: string): string => `${new Date(Date.parse(iso) + BRASILIA).toISOString().slice(0, 19)}-03:00`;

export function protocolXml(
  client: AuthorityClient,
  said: {
    readonly accessKey: string;
    readonly code: string;
    readonly message: string;
    readonly protocol: string;
    readonly receivedAt: string;
    readonly digestValue: string;
  },
): string {
  return (
    `<protNFe xmlns="${FISCAL_NAMESPACE}" versao="4.00"><infProt><tpAmb>${environmentCode(client)}</tpAmb>` +
    `<verAplic>${PROGRAM}</verAplic><chNFe>${said.accessKey}</chNFe><dhRecbto>${localTime(said.receivedAt)}</dhRecbto>` +
    `<nProt>${said.protocol}</nProt><digVal>${said.digestValue}</digVal><cStat>${said.code}</cStat>` +
    `<xMotivo>${said.message}</xMotivo></infProt></protNFe>`
  );
}

export function eventAnswerXml(
  client: AuthorityClient,
  accessKey: string,
  said: {
    readonly code: string;
    readonly message: string;
    readonly protocol: string;
    readonly registeredAt: string;
    readonly kind: string;
  },
): string {
  return (
    `<retEvento xmlns="${FISCAL_NAMESPACE}" versao="1.00"><infEvento><tpAmb>${environmentCode(client)}</tpAmb>` +
    `<verAplic>${PROGRAM}</verAplic><cOrgao>${accessKey.slice(0, 2)}</cOrgao><cStat>${said.code}</cStat>` +
    `<xMotivo>${said.message}</xMotivo><chNFe>${accessKey}</chNFe><tpEvento>${said.kind}</tpEvento>` +
    `<xEvento>Cancelamento</xEvento><nSeqEvento>1</nSeqEvento><dhRegEvento>${localTime(said.registeredAt)}</dhRegEvento>` +
    `<nProt>${said.protocol}</nProt></infEvento></retEvento>`
  );
}

/** What is given up stands in the id: state 2, year 2, tax id 14, model 2, series 3, first 9, last 9. */
export function voidAnswerXml(client: AuthorityClient, id: string, protocol: string, at: string): string {
  const parts = /^ID(..)(..)(.{14})(..)(...)(.{9})(.{9})$/.exec(id);
  const [, state = '', year = '', taxId = '', model = '', series = '', first = '', last = ''] = parts ?? [];
  return (
    `<retInutNFe xmlns="${FISCAL_NAMESPACE}" versao="4.00"><infInut><tpAmb>${environmentCode(client)}</tpAmb>` +
    `<verAplic>${PROGRAM}</verAplic><cStat>102</cStat><xMotivo>Inutilizacao de numero homologado</xMotivo>` +
    `<cUF>${state}</cUF><ano>${year}</ano><CNPJ>${taxId}</CNPJ><mod>${model}</mod><serie>${String(Number(series))}</serie>` +
    `<nNFIni>${String(Number(first))}</nNFIni><nNFFin>${String(Number(last))}</nNFFin>` +
    `<dhRecbto>${localTime(at)}</dhRecbto><nProt>${protocol}</nProt></infInut></retInutNFe>`
  );
}
