import { hash } from 'node:crypto';
import type { NewEvent } from '../../ports/event-store.js';
import type { EventMeta } from './event.js';

/** What stands in place of a hash before the first event of a stream. */
export const CHAIN_START = '';

/** Events of the first releases have their hashes in base64url, which are shorter. */
const HEX_LENGTH = 64;

/** What is hashed of an event: the hash of the one before it and everything in this one, so that no stored event can change unseen. */
const linkedText = (previous: string, id: string, type: string, data: string, metaWithoutHash: string): string =>
  `${previous}\n${id}\n${type}\n${data}\n${metaWithoutHash}`;

/** Writes an event down with its hash. */
export function sealEvent(
  previous: string,
  event: { readonly id: string; readonly type: string; readonly data: unknown },
  meta: Omit<EventMeta, 'hash'>,
): { readonly event: NewEvent; readonly hash: string } {
  const data = JSON.stringify(event.data);
  const open = JSON.stringify(meta);
  const link = hash('sha256', linkedText(previous, event.id, event.type, data, open), 'hex');
  return {
    event: { id: event.id, type: event.type, data, meta: `${open.slice(0, -1)},"hash":"${link}"}` },
    hash: link,
  };
}

const HASH_MEMBER = /,"hash":"([\w-]{43}|[0-9a-f]{64})"\}$/;

/** The hash of an event, and its metadata without it. */
function openMeta({ meta }: Pick<NewEvent, 'meta'>): { readonly link: string; readonly open: string } {
  const member = HASH_MEMBER.exec(meta);
  if (member?.[1] !== undefined) return { link: member[1], open: `${meta.slice(0, member.index)}}` };
  try {
    const { hash: known = '', ...rest } = JSON.parse(meta) as Partial<EventMeta>;
    return { link: known, open: JSON.stringify(rest) };
  } catch {
    // Somebody wrote over it.
    return { link: '', open: meta };
  }
}

/** The hash that chains an event to the one before it. */
export const hashOf = (event: Pick<NewEvent, 'meta'>): string => openMeta(event).link;

/** Whether an event is the one that was sealed after the event with that hash. */
export function isSealed(previous: string, { id, type, data, meta }: NewEvent): boolean {
  const { link, open } = openMeta({ meta });
  const encoding = link.length === HEX_LENGTH ? 'hex' : 'base64url';
  return link === hash('sha256', linkedText(previous, id, type, data, open), encoding);
}

/** What the hash of an event is, and whether it is the one that was sealed after the event with the previous hash. */
export interface CheckedLink {
  readonly link: string;
  readonly isSealed: boolean;
}

export const checkedLink = (previous: string, event: NewEvent): CheckedLink => {
  return { link: hashOf(event), isSealed: isSealed(previous, event) };
};

/** An event as the bytes that are hashed of it: room for the hash of the one before it, then id, type, data and metadata, each on a line of its own. */
export const LINK_ROOM = '0'.repeat(HEX_LENGTH);

const LAST_MEMBER = ',"hash":""}';
const MEMBER_LENGTH = LAST_MEMBER.length + HEX_LENGTH;
const BRACE = 0x7d;

/** The same of an event as bytes, which are written over: several times as fast, since its texts need not be made. */
export function checkedLinkOfBytes(previous: string, bytes: Buffer, start: number, end: number): CheckedLink {
  const memberAt = end - MEMBER_LENGTH;
  if (previous.length <= HEX_LENGTH && memberAt > start + HEX_LENGTH) {
    const member = bytes.toString('latin1', memberAt, end);
    const first = start + HEX_LENGTH - previous.length;
    bytes.write(previous, first, 'latin1');
    bytes[memberAt] = BRACE;
    const link = hash('sha256', bytes.subarray(first, memberAt + 1), 'hex');
    if (member === `,"hash":"${link}"}`) return { link, isSealed: true };
    bytes.write(member, memberAt, 'latin1');
  }
  return checkedLink(previous, eventOfBytes(bytes, start, end));
}

function eventOfBytes(bytes: Buffer, start: number, end: number): NewEvent {
  const text = bytes.toString('utf8', start + HEX_LENGTH + 1, end);
  const typeAt = text.indexOf('\n') + 1;
  const dataAt = text.indexOf('\n', typeAt) + 1;
  const metaAt = text.lastIndexOf('\n') + 1;
  return {
    id: text.slice(0, typeAt - 1),
    type: text.slice(typeAt, dataAt - 1),
    data: text.slice(dataAt, metaAt - 1),
    meta: text.slice(metaAt),
  };
}
