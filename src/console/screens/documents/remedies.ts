import type { components } from 'openapi-client';
import type { Catalogue } from '../../words/words.js';

export type FiscalDocument = components['schemas']['FiscalDocument'];

/** What to do about each state and failure, in words that need no manual. */
export const remedies = {
  PENDING: [
    'Nada a fazer: a SEFAZ é consultada pela chave até responder.',
    'Nothing to do: the authority is asked by its key until it answers.',
  ],
  CONTINGENCY: [
    'Nada a fazer: é entregue sozinho quando a SEFAZ voltar, em até 24 horas. O cliente já tem o documento.',
    'Nothing to do: it is handed in by itself when the authority is back, within 24 hours. The customer has it already.',
  ],
  replaced: ['Nada a fazer: outro documento vale no lugar deste.', 'Nothing to do: another document counts instead.'],
  voiding: [
    'Nada a fazer: a inutilização do número foi pedida, e é repetida até a SEFAZ responder.',
    'Nothing to do: the authority was asked to void the number, and is asked again until it answers.',
  ],
  final: [
    'Negado em definitivo: o cadastro da loja ou do cliente está irregular. Fale com o contador; se foi o cliente, emita para outro CPF ou CNPJ.',
    'Denied for good: the registration of the store or the customer is irregular. Talk to the accountant; where it is the customer, issue to another tax number.',
  ],
  numberTaken: [
    'Este número já tem outro documento. Transmita de novo: ele recebe o próximo número.',
    'Another document has this number. Transmit again: it takes the next number.',
  ],
  DATA_MISSING: [
    'Complete ou corrija os dados e transmita de novo. Nada foi enviado.',
    'Fill in or correct the data and transmit again. Nothing was sent.',
  ],
  COMPANY_NEEDS_55: [
    'O cliente é uma empresa. Abra a venda e emita uma NF-e (modelo 55) no lugar.',
    'The customer is a company. Open the sale and issue an NF-e (model 55) instead.',
  ],
  INTERSTATE_CONSUMER: [
    'Venda a consumidor de outro estado no regime normal: este serviço não calcula a partilha do ICMS. Emita pelo sistema do contador.',
    "A sale to a consumer of another state under the normal regime: the shared tax is not computed here. Issue it with the accountant's system.",
  ],
  TOO_LARGE: [
    'O documento ficaria longo demais para a SEFAZ. Divida a venda em duas.',
    'The document would be too long for the authority. Split the sale in two.',
  ],
  TAX_YEAR_UNKNOWN: [
    'Este programa conhece IBS e CBS até 2026. Peça a quem instalou o serviço que o atualize; depois transmita de novo.',
    'This program knows IBS and CBS up to 2026. Ask whoever installed the service to update it; then transmit again.',
  ],
  TOO_MANY_ITEMS: [
    'Um documento leva até 990 itens. Divida a venda em duas.',
    'A document has at most 990 items. Split the sale in two.',
  ],
  NOTHING_TO_TAX: [
    'Tudo da venda foi devolvido antes de o documento ser autorizado: não há o que transmitir. Inutilize o número.',
    'All of the sale came back before the document was authorized: there is nothing to transmit. Void its number.',
  ],
  certificate: [
    'O problema é o certificado digital: de outra empresa, vencido, revogado ou fora da ICP-Brasil. Envie um certificado A1 válido e transmita de novo.',
    "The certificate is the trouble: another company's, expired, revoked or not of ICP-Brasil. Upload a valid one and transmit again.",
  ],
  registration: [
    'A empresa não está credenciada, ou a inscrição estadual não confere na SEFAZ. Fale com o contador; depois transmita de novo.',
    'The company is not registered, or its state registration is not known there. Talk to the accountant; then transmit again.',
  ],
  environment: [
    'O ambiente (produção ou homologação) não combina com o da SEFAZ. Confira-o nas configurações e transmita de novo.',
    "Production or trial do not fit the authority's. Look at the settings and transmit again.",
  ],
  qrCode: [
    'O endereço do QR Code não é o do estado. Peça a quem instalou o serviço que o confira.',
    "The address in the QR code is not the state's. Ask whoever installed the service to look at it.",
  ],
  late: [
    'Passou da hora, ou o relógio está errado. Transmita de novo: é assinado com a hora de agora.',
    'Too late, or the clock is wrong. Transmit again: it is signed with the time of now.',
  ],
  ncm: [
    'Um produto está sem NCM, ou com um que não existe. Corrija o NCM no produto e transmita de novo.',
    'A product has no NCM, or one that does not exist. Correct it at the product and transmit again.',
  ],
  cest: [
    'Falta o CEST de um produto com ICMS por substituição. Preencha-o no produto e transmita de novo.',
    'A product with substituted ICMS lacks its CEST. Fill it in at the product and transmit again.',
  ],
  rejected: [
    'Corrija o que a SEFAZ apontou (produto, cliente ou regra de imposto) e transmita de novo. Se não entender a mensagem, mostre-a ao contador.',
    'Correct what the authority named (product, customer or tax rule) and transmit again. Where its words are not clear, show them to the accountant.',
  ],
  failed: ['Transmita de novo.', 'Transmit again.'],
} as const satisfies Catalogue;

type Remedy = keyof typeof remedies;

const within = (code: number, ...ranges: readonly (readonly [number, number])[]): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to);

const byCode: readonly (readonly [Remedy, (code: number) => boolean])[] = [
  ['certificate', (code) => within(code, [213, 213], [280, 286], [290, 298])],
  ['registration', (code) => [203, 230, 245].includes(code)],
  ['environment', (code) => [252, 410].includes(code)],
  ['qrCode', (code) => [395, 878].includes(code)],
  ['late', (code) => code === 704],
  ['ncm', (code) => code === 778],
  ['cest', (code) => code === 806],
];

/** Which advice a document needs; undefined where all is well or over. */
export function remedyOf(document: FiscalDocument): Remedy | undefined {
  const { status, replacedBy, rejection, failure, final, numberTaken, voided } = document;
  if (['AUTHORIZED', 'CANCELLED', 'VOIDED'].includes(status)) return undefined;
  if (replacedBy !== null) return 'replaced';
  if (status === 'PENDING' || status === 'CONTINGENCY') return status;
  if (voided) return 'voiding';
  if (final) return 'final';
  if (numberTaken) return 'numberTaken';
  if (failure) return failure.code in remedies ? (failure.code as Remedy) : 'failed';
  if (!rejection) return 'failed';
  return byCode.find(([, fits]) => fits(Number(rejection.code)))?.[0] ?? 'rejected';
}

/** Where data that a document lacks is kept. */
export const missingWords = {
  'store.taxId': ['CNPJ da loja', 'CNPJ of the store'],
  'store.legalName': ['Razão social da loja', 'Legal name of the store'],
  'store.fiscal.technicalContact.name': ['Nome do responsável técnico', 'Name of the technical contact'],
  'store.fiscal.technicalContact.phone': ['Telefone do responsável técnico', 'Phone of the technical contact'],
  'store.fiscal.stateRegistration': ['Inscrição estadual da loja', 'State registration of the store'],
  'store.fiscal.certificate': ['Certificado digital da loja', 'Certificate of the store'],
  'store.fiscal.csc': ['Código de segurança (CSC) da loja', 'Security code (CSC) of the store'],
  'store.fiscal.address': ['Endereço da loja', 'Address of the store'],
  'sale.customerId': [
    'Cliente: a venda foi feita sem um. Emita uma NFC-e na página da venda, ou registre a venda de novo com o cliente.',
    'Customer: the sale has none. Issue an NFC-e on the page of the sale, or book the sale anew with its customer.',
  ],
  'customer.document': ['CPF ou CNPJ do cliente', 'Tax number of the customer'],
  'customer.name': ['Nome do cliente', 'Name of the customer'],
  'customer.address': ['Endereço do cliente', 'Address of the customer'],
  street: ['rua', 'street'],
  number: ['número', 'number'],
  district: ['bairro', 'district'],
  city: ['cidade', 'city'],
  cityCode: ['código IBGE da cidade', "city's IBGE code"],
  state: ['estado', 'state'],
  postalCode: ['CEP', 'postal code'],
  taxRuleId: ['Regra de imposto de {name}', 'Tax rule of {name}'],
  cest: ['CEST de {name}', 'CEST of {name}'],
  rule: ['Regra de imposto: {field}', 'Tax rule: {field}'],
} as const satisfies Catalogue;
