import { hash } from 'node:crypto';
import type { NewEvent } from '../../ports/event-store.js';
import type { EventMeta } from './event.js';

/** Before the first event of a stream. */
export const CHAIN_START = '';

/** SHA-256 over the event before it and everything in this one, so that no stored event can change unseen. */
function linkOf(previous: string, id: string, type: string, data: string, metaWithoutHash: string): string {
  return hash('sha256', `${previous}\n${id}\n${type}\n${data}\n${metaWithoutHash}`, 'base64url');
}

/** Writes an event down with its hash. */
export function sealEvent(
  previous: string,
  event: { readonly id: string; readonly type: string; readonly data: unknown },
  meta: Omit<EventMeta, 'hash'>,
): { readonly event: NewEvent; readonly hash: string } {
  const data = JSON.stringify(event.data);
  const open = JSON.stringify(meta);
  const link = linkOf(previous, event.id, event.type, data, open);
  return {
    event: { id: event.id, type: event.type, data, meta: `${open.slice(0, -1)},"hash":"${link}"}` },
    hash: link,
  };
}

const HASH_MEMBER = /,"hash":"([\w-]{43})"\}$/;

/** The hash of an event, and its metadata without it. */
function openMeta({ meta }: Pick<NewEvent, 'meta'>): { readonly link: string; readonly open: string } {
  const member = HASH_MEMBER.exec(meta);
  if (member?.[1] !== undefined) return { link: member[1], open: `${meta.slice(0, member.index)}}` };
  const { hash: known, ...rest } = JSON.parse(meta) as EventMeta;
  return { link: known, open: JSON.stringify(rest) };
}

/** The hash that chains an event to the one before it. */
export const hashOf = (event: Pick<NewEvent, 'meta'>): string => openMeta(event).link;

/** Whether an event is the one that was sealed after the event with that hash. */
export function isSealed(previous: string, { id, type, data, meta }: NewEvent): boolean {
  const { link, open } = openMeta({ meta });
  return link === linkOf(previous, id, type, data, open);
}
