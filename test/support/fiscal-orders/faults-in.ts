import type { FiscalDocument } from '../../../src/features/fiscal/domain/document.js';
import { FISCAL_WORK } from '../../../src/features/fiscal/issuing/work-rows.js';
import type { Shop } from './shop.js';

/** What must not be once everything has come to rest. */
export async function faultsIn(shop: Shop): Promise<readonly string[]> {
  const rows = await shop.vault.list(FISCAL_WORK, { limit: 100 });
  const documents = shop.documentIds.flatMap((id) => shop.documentOf(id) ?? []);
  return [
    ...rows.map(({ id, value }) => `work is left: ${id.slice(-4)} ${JSON.stringify(value)}`),
    ...documents.flatMap((document) => faultsOfDocument(shop, document, documents)),
    ...shop.saleIds.flatMap((saleId) => faultsOfSale(shop, saleId, documents)),
    ...strangersThere(shop, documents),
    ...faultsOfNumbers(shop),
    ...toldTwice(shop),
    ...shop.errors.filter((error) => !isExpected(error)).map((error) => `logged: ${stackOf(error)}`),
  ];
}

const TOO_LATE = 'was refused: 501';

/** A store is told that its certificate is refused, and which document it must not have and can take back no more. */
const isExpected = (error: unknown): boolean =>
  ['wait for its settings', TOO_LATE].some((told) => String(error).includes(told));

/** Whether the time to cancel it was over before anybody heard that the authority has it. */
const isTooLate = (shop: Shop, accessKey: string | null): boolean =>
  shop.errors.some((error) => String(error).includes(TOO_LATE) && String(error).includes(accessKey ?? ''));

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' | ') : String(error);

const isEnded = ({ facts: { status } }: FiscalDocument): boolean => status === 'AUTHORIZED' || status === 'CANCELLED';

/** Of one document, beside the authority's own account of it. */
function faultsOfDocument(shop: Shop, document: FiscalDocument, documents: readonly FiscalDocument[]): string[] {
  const { facts, replacedBy, voiding } = document;
  const { documentId, number, status, accessKey, saleId, cancellation } = facts;
  const name = `${documentId.slice(-4)} #${String(number)} ${status}`;
  const there = accessKey === null ? undefined : shop.authority.taken.get(accessKey)?.state;
  const isAnothers = documents.some(
    (other) => other !== document && other.facts.accessKey === accessKey && isEnded(other),
  );
  const { heldBy } = shop.accountOf(saleId);
  const isAuthorized = status === 'AUTHORIZED';
  const isLost = isTooLate(shop, accessKey);
  const faults: readonly (readonly [boolean, string])[] = [
    [status === 'PENDING' || status === 'CONTINGENCY', 'still waits'],
    [isAuthorized && there !== 'authorized', `but ${there ?? 'nothing'} there`],
    [status === 'CANCELLED' && there !== 'cancelled', `but ${there ?? 'nothing'} there`],
    [!isEnded(document) && there !== undefined && !isAnothers, `but ${there ?? ''} there`],
    [isAuthorized && cancellation !== null, 'is being cancelled for ever'],
    [isAuthorized && replacedBy !== null && !isLost, 'was replaced and lives'],
    [voiding !== null, 'has its number given up for ever'],
    [isAuthorized && replacedBy === null && heldBy !== documentId && !isLost, 'does not hold its sale'],
  ];
  return faults.filter(([is]) => is).map(([, fault]) => `${name} ${fault}`);
}

function faultsOfSale(shop: Shop, saleId: string, documents: readonly FiscalDocument[]): string[] {
  const { cancelled, heldBy } = shop.accountOf(saleId);
  const keys = documents.filter(({ facts }) => facts.saleId === saleId).map(({ facts }) => facts.accessKey ?? '');
  const isLiving = (key: string) => shop.authority.taken.get(key)?.state === 'authorized' && !isTooLate(shop, key);
  const living = new Set(keys.filter(isLiving));
  const name = `sale ${saleId.slice(-1)}`;
  const holder = heldBy === null ? undefined : shop.documentOf(heldBy)?.facts.status;
  const isHeldInVain = heldBy !== null && !cancelled && holder !== 'AUTHORIZED';
  return [
    ...(living.size > 1 ? [`${name} has ${String(living.size)} living documents`] : []),
    ...(cancelled && living.size > 0 ? [`${name} is cancelled and has a living document`] : []),
    ...(isHeldInVain ? [`${name} is held by ${heldBy.slice(-4)}, which is ${holder ?? 'nothing'}`] : []),
  ];
}

/** What the authority has and no document here says. */
const strangersThere = (shop: Shop, documents: readonly FiscalDocument[]): string[] =>
  [...shop.authority.taken]
    .filter(([key]) => documents.every(({ facts }) => facts.accessKey !== key))
    .map(([, { state, number }]) => `${number} is ${state} there, and no document here`);

/** Every number is used once, or given up once, or its document says that it may be. */
function faultsOfNumbers(shop: Shop): string[] {
  const documentsOf = new Map<string, Set<string>>();
  for (const event of shop.fiscalEvents) {
    if (event.type !== 'DocumentPrepared') continue;
    const number = numberOf(event.data.document);
    documentsOf.set(number, (documentsOf.get(number) ?? new Set()).add(event.data.document.documentId));
  }
  return [...documentsOf].flatMap(([number, ids]) => {
    const having = [...ids]
      .flatMap((id) => shop.documentOf(id) ?? [])
      .filter(({ facts }) => numberOf(facts) === number);
    return faultsOfNumber(shop, number, having);
  });
}

function faultsOfNumber({ authority }: Shop, number: string, documents: readonly FiscalDocument[]): string[] {
  const used = [...authority.taken.values()].filter((one) => one.number === number).length;
  const isGivenUp = authority.givenUp.has(number);
  const isSaidToBe = documents.some(({ facts }) => facts.status === 'VOIDED');
  const mayBe = documents.some(
    ({ facts: { status }, numberTaken, final }) =>
      (status === 'REJECTED' || status === 'FAILED') && (!numberTaken || final),
  );
  const faults: readonly (readonly [boolean, string])[] = [
    [used > 1, `is used ${String(used)} times`],
    [used > 0 && isGivenUp, 'is used and given up'],
    [isGivenUp && !isSaidToBe, 'is given up there and not here'],
    [isSaidToBe && !isGivenUp, 'is given up here and not there'],
    [used === 0 && !isGivenUp && !mayBe, 'is a gap'],
  ];
  return faults.filter(([is]) => is).map(([, fault]) => `number ${number} ${fault}`);
}

const numberOf = ({ model, series, number }: FiscalDocument['facts']): string =>
  `${String(model)}/${String(series)}/${String(number)}`;

/** Nobody is told of the same end for the second time. */
function toldTwice({ fiscalEvents }: Shop): string[] {
  const ends = fiscalEvents.flatMap(({ type, data }) =>
    type === 'DocumentAuthorized' || type === 'DocumentCancelled'
      ? [`${data.document.documentId.slice(-4)} ${type}`]
      : [],
  );
  return [...new Set(ends.filter((end, index) => ends.indexOf(end) !== index))].map((end) => `${end} twice`);
}
