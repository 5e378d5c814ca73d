import { FISCAL_NAMESPACE } from '../../brazil/fiscal-layout.js';
import type { FiscalService } from '../../brazil/tax-authorities.js';

/** SOAP 1.2 as the services take it: one line, and no namespace declared that a signature inside would have to count. */

const WSDL = `${FISCAL_NAMESPACE}/wsdl/`;
const ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope';

const OPERATIONS: Readonly<Record<FiscalService, readonly [service: string, operation: string]>> = {
  authorization: ['NFeAutorizacao4', 'nfeAutorizacaoLote'],
  authorizationResult: ['NFeRetAutorizacao4', 'nfeRetAutorizacaoLote'],
  query: ['NFeConsultaProtocolo4', 'nfeConsultaNF'],
  status: ['NFeStatusServico4', 'nfeStatusServicoNF'],
  event: ['NFeRecepcaoEvento4', 'nfeRecepcaoEvento'],
  void: ['NFeInutilizacao4', 'nfeInutilizacaoNF'],
};

interface SoapOptions {
  readonly soapAction: boolean;
  readonly eventService: string | undefined;
}

export function soapRequest(
  service: FiscalService,
  message: string,
  { soapAction, eventService }: SoapOptions,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const [usual, operation] = OPERATIONS[service];
  const namespace = WSDL + (service === 'event' ? (eventService ?? usual) : usual);
  const action = `${namespace}/${operation}`;
  return {
    headers: {
      'Content-Type': `application/soap+xml; charset=utf-8; action="${action}"`,
      ...(soapAction ? { SOAPAction: `"${action}"` } : {}),
    },
    body:
      `<soap12:Envelope xmlns:soap12="${ENVELOPE}"><soap12:Body>` +
      `<nfeDadosMsg xmlns="${namespace}">${message}</nfeDadosMsg></soap12:Body></soap12:Envelope>`,
  };
}
