import { hash } from 'node:crypto';
import type { NewEvent } from '../../ports/event-store.js';
import type { EventMeta } from './event.js';

/** Before the first event of a stream. */
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
  const { hash: known = '', ...rest } = JSON.parse(meta) as Partial<EventMeta>;
  return { link: known, open: JSON.stringify(rest) };
}

/** The hash that chains an event to the one before it. */
export const hashOf = (event: Pick<NewEvent, 'meta'>): string => openMeta(event).link;

/** Whether an event is the one that was sealed after the event with that hash. */
export function isSealed(previous: string, { id, type, data, meta }: NewEvent): boolean {
  const { link, open } = openMeta({ meta });
  const encoding = link.length === HEX_LENGTH ? 'hex' : 'base64url';
  return link === hash('sha256', linkedText(previous, id, type, data, open), encoding);
}
