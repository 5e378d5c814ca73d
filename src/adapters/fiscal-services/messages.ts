import { environmentCode, FISCAL_NAMESPACE } from '../../brazil/fiscal-layout.js';
import { STATE_CODES, isState } from '../../brazil/states.js';
import type { AuthorityClient } from '../../ports/fiscal-authority.js';

/** What is asked of the authority's services, layout 4.00. Signed parts are glued in as they are: reading and printing them would break them. */

const message = (name: string, version: string, content: string): string =>
  `<${name} xmlns="${FISCAL_NAMESPACE}" versao="${version}">${content}</${name}>`;

/** One document, to be decided at once. */
export const authorizationMessage = (note: string): string =>
  message('enviNFe', '4.00', `<idLote>1</idLote><indSinc>1</indSinc>${note}`);

export const receiptMessage = (client: AuthorityClient, receipt: string): string =>
  message('consReciNFe', '4.00', `<tpAmb>${environmentCode(client)}</tpAmb><nRec>${receipt}</nRec>`);

export const queryMessage = (client: AuthorityClient, accessKey: string): string =>
  message(
    'consSitNFe',
    '4.00',
    `<tpAmb>${environmentCode(client)}</tpAmb><xServ>CONSULTAR</xServ><chNFe>${accessKey}</chNFe>`,
  );

export const statusMessage = (client: AuthorityClient): string =>
  message(
    'consStatServ',
    '4.00',
    `<tpAmb>${environmentCode(client)}</tpAmb><cUF>${stateCode(client)}</cUF><xServ>STATUS</xServ>`,
  );

export const eventMessage = (event: string): string => message('envEvento', '1.00', `<idLote>1</idLote>${event}`);

const stateCode = ({ state }: AuthorityClient): string => (isState(state) ? STATE_CODES[state] : '');
