import { isCpf } from '../../../../brazil/cpf.js';
import { memoise } from '../../../../kernel/values/memoise.js';
import type { Address, Issuer, Note, Recipient, TechnicalContact } from '../note.js';
import { REGIME_CODES } from '../tax-rules.js';
import { element, group, layoutText, optional } from './markup.js';

const TEST_RECIPIENT = 'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';
const BRAZIL = element('cPais', '1058') + element('xPais', 'BRASIL');

const LEAST_NAME = 2;

/** A shortened address would be another's. */
const wholeText = (text: string): string | null => (text.length <= 60 && layoutText(text, 60) === text ? text : null);

const onlyDigits = (text: string): string => text.replace(/[^0-9]/g, '');

/** Phones without the country code: at most 11 digits of them are the layout's business. */
export function phoneDigits(phone: string | null): string | null {
  if (phone === null) return null;
  const all = onlyDigits(phone);
  const national = phone.startsWith('+55') ? all.slice(2) : all;
  return national.length >= 6 && national.length <= 14 ? national : null;
}

const taxIdXml = (document: string): string => element(isCpf(document) ? 'CPF' : 'CNPJ', document);

const addressXml = (name: string, address: Address): string =>
  group(
    name,
    element('xLgr', layoutText(address.street, 60)),
    element('nro', layoutText(address.number, 60) || 'S/N'),
    optional('xCpl', address.complement === null ? null : layoutText(address.complement, 60)),
    element('xBairro', layoutText(address.district, 60)),
    element('cMun', address.cityCode),
    element('xMun', layoutText(address.city, 60)),
    element('UF', address.state),
    element('CEP', address.postalCode),
    BRAZIL,
    optional('fone', phoneDigits(address.phone)),
  );

export const issuerXml = memoise((issuer: Issuer): string =>
  group(
    'emit',
    element('CNPJ', issuer.taxId),
    element('xNome', layoutText(issuer.legalName, 60)),
    optional('xFant', layoutText(issuer.tradeName, 60)),
    addressXml('enderEmit', issuer.address),
    element('IE', issuer.stateRegistration),
    element('CRT', REGIME_CODES[issuer.regime]),
  ),
);

/** 1: a taxpayer with its registration, 2: exempt from having one, 9: anybody else. */
function registrationKind(model: number, { stateRegistration }: Recipient): '1' | '2' | '9' {
  if (model === 65 || stateRegistration === null) return '9';
  return stateRegistration === 'ISENTO' ? '2' : '1';
}

/** Whether the buyer is a taxpayer, who is taken to sell further what it buys. */
export const sellsToTaxpayer = ({ model, recipient }: Pick<Note, 'model' | 'recipient'>): boolean =>
  recipient !== null && registrationKind(model, recipient) === '1';

export function recipientXml({ model, environment, recipient }: Note): string {
  if (recipient === null) return '';
  const kind = registrationKind(model, recipient);
  const isTest = environment === 'HOMOLOGATION';
  const name = recipient.name === null ? null : isTest ? TEST_RECIPIENT : layoutText(recipient.name, 60);
  return group(
    'dest',
    taxIdXml(recipient.document),
    optional('xNome', name !== null && name.length < LEAST_NAME ? null : name),
    model === 55 && recipient.address ? addressXml('enderDest', recipient.address) : '',
    element('indIEDest', kind),
    kind === '1' ? element('IE', recipient.stateRegistration ?? '') : '',
    optional('email', recipient.email === null ? null : wholeText(recipient.email)),
  );
}

export const technicalContactXml = (contact: TechnicalContact | null): string =>
  contact === null
    ? ''
    : group(
        'infRespTec',
        element('CNPJ', contact.taxId),
        element('xContato', layoutText(contact.name, 60)),
        element('email', layoutText(contact.email, 60)),
        element('fone', phoneDigits(contact.phone) ?? ''),
      );
