import { environmentCode, FISCAL_NAMESPACE } from '../../../../brazil/fiscal-layout.js';
import { STATE_CODES } from '../../../../brazil/states.js';
import { taxesOf } from '../item-taxes.js';
import type { Emission, Note } from '../note.js';
import type { Destination } from './item.js';
import { itemXml } from './item.js';
import { element, group, layoutText } from './markup.js';
import { issuerXml, recipientXml, sellsToTaxpayer, technicalContactXml } from './parties.js';
import { paymentXml, transportXml } from './payment.js';
import { remarksXml } from './remarks.js';
import { totalsXml } from './totals.js';

const LAYOUT = '4.00';
export const PROGRAM = 'StoreManagement 1';
const OPERATION = 'VENDA DE MERCADORIA';

/** The part of the document that is signed, in two forms that differ by the namespace alone: as it is sent, and as its digest is made. */
export interface NoteXml {
  readonly sent: string;
  readonly canonical: string;
}

export function destinationOf(note: Note): Destination {
  const { model, issuer, recipient } = note;
  const state = model === 55 ? recipient?.address?.state : undefined;
  if (state === undefined || state === issuer.address.state) return 'IN_STATE';
  return sellsToTaxpayer(note) ? 'OUT_OF_STATE_TAXPAYER' : 'OUT_OF_STATE_CONSUMER';
}

function statesBetween({ issuer, recipient }: Note, destination: Destination) {
  const to = recipient?.address?.state;
  if (destination !== 'OUT_OF_STATE_TAXPAYER' || to === undefined) return undefined;
  return { from: issuer.address.state, to };
}

export function noteXml(note: Note, emission: Emission): NoteXml {
  const destination = destinationOf(note);
  const taxedAs = {
    model: note.model,
    regime: note.issuer.regime,
    toConsumer: !sellsToTaxpayer(note),
    issuedOn: emission.issuedOn,
    between: statesBetween(note, destination),
  };
  const taxes = note.items.map((item) => taxesOf(item, taxedAs));
  const details = note.items.map((item, index) =>
    itemXml(note, item, taxes[index] ?? taxesOf(item, taxedAs), { index, destination }),
  );
  const content = [
    identification(note, emission, destination),
    issuerXml(note.issuer),
    recipientXml(note),
    ...details,
    totalsXml(note.items, taxes),
    transportXml(note),
    paymentXml(note),
    remarksXml(note.issuer.regime, note.items, taxes),
    technicalContactXml(note.technicalContact),
  ].join('');
  const attributes = `Id="NFe${emission.accessKey}" versao="${LAYOUT}"`;
  const sent = `${START} ${attributes}>${content}</infNFe>`;
  return { sent, canonical: canonicalNote(sent) };
}

const START = '<infNFe';

/** The form whose digest is made, from the one that is sent. */
export const canonicalNote = (sent: string): string =>
  `${START} xmlns="${FISCAL_NAMESPACE}"${sent.slice(START.length)}`;

function identification(note: Note, emission: Emission, destination: Destination): string {
  const { model, environment, issuer } = note;
  const { contingency, accessKey } = emission;
  return group(
    'ide',
    element('cUF', STATE_CODES[issuer.address.state]),
    element('cNF', emission.randomCode),
    element('natOp', OPERATION),
    element('mod', String(model)),
    element('serie', String(emission.series)),
    element('nNF', String(emission.number)),
    element('dhEmi', emission.issuedAt),
    element('tpNF', '1'),
    element('idDest', destination === 'IN_STATE' ? '1' : '2'),
    element('cMunFG', issuer.address.cityCode),
    element('tpImp', model === 65 ? '4' : '1'),
    element('tpEmis', String(emission.emissionType)),
    element('cDV', accessKey.slice(-1)),
    element('tpAmb', environmentCode({ environment })),
    element('finNFe', '1'),
    element('indFinal', sellsToTaxpayer(note) ? '0' : '1'),
    element('indPres', '1'),
    element('procEmi', '0'),
    element('verProc', PROGRAM),
    contingency === null
      ? ''
      : element('dhCont', contingency.since) + element('xJust', layoutText(contingency.reason, 256)),
  );
}
