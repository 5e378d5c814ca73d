import type { Catalogue } from '../../words/words.js';

/** The steps on the way to the authority, how each went, and what to do about those that did not go well. */
export const checkWords = {
  ok: ['Certo', 'Well'],
  notTried: ['Ainda não tentado', 'Not tried yet'],
  notOk: ['Atenção', 'Look at it'],
  certificate: ['Certificado digital', 'Certificate'],
  chain: ['Cadeia do certificado', 'Chain of the certificate'],
  address: ['Endereço do serviço', 'Address of the service'],
  service: ['Serviço no ar', 'Service up'],
  clock: ['Relógio', 'Clock'],
  registration: ['Credenciamento da empresa', 'Registration of the company'],
  certificateDo: [
    'Envie um certificado A1 válido, do CNPJ da loja.',
    "Upload a valid A1 certificate of the store's CNPJ.",
  ],
  chainDo: [
    'Exporte o certificado com toda a cadeia (PFX com os intermediários) e envie de novo.',
    'Export the certificate with its whole chain (PFX with the intermediates) and upload it again.',
  ],
  addressDo: [
    'Peça a quem instalou o serviço que confira a internet, SEFAZ_CA_FILE e SEFAZ_ADDRESSES.',
    'Ask whoever installed the service to look at the network, SEFAZ_CA_FILE and SEFAZ_ADDRESSES.',
  ],
  serviceDo: [
    'A SEFAZ está fora do ar. NFC-e seguem em contingência; não é preciso fazer nada na loja.',
    'The authority is away. NFC-e go on in contingency; there is nothing to do in the store.',
  ],
  clockDo: ['Acerte o relógio do servidor (NTP).', "Set the server's clock (NTP)."],
  registrationDo: [
    'Fale com o contador: a empresa precisa estar credenciada a emitir neste ambiente.',
    'Talk to the accountant: the company has to be registered to issue in this environment.',
  ],
} as const satisfies Catalogue;
