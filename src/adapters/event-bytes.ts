import { LINK_ROOM } from '../kernel/events/chain.js';
import type { StoredEvent } from '../ports/event-store.js';
import type { BytesPage, EventBytes } from '../ports/log-archive.js';

/** How events look as bytes, where the engine has not made them so. */

const sealedText = ({ id, type, data, meta }: StoredEvent): string => `${LINK_ROOM}\n${id}\n${type}\n${data}\n${meta}`;

function lineText({ id, stream, revision, position, type, data, meta }: StoredEvent): string {
  const head = JSON.stringify({ id, stream, revision, position, type }).slice(0, -1);
  return `${head},"data":${data},"meta":${meta}}\n`;
}

function pageOf(events: readonly StoredEvent[], textOf: (event: StoredEvent) => string): BytesPage {
  const places: EventBytes[] = [];
  const pieces: Buffer[] = [];
  let start = 0;
  for (const event of events) {
    const { stream, revision, position, meta } = event;
    const piece = Buffer.from(textOf(event));
    const end = start + piece.length;
    const metaBytes = Buffer.byteLength(meta);
    // Positions of a server have gaps.
    places.push({ stream, revision, position, start, end, metaBytes, isText: true, isNext: true });
    pieces.push(piece);
    start = end;
  }
  return { bytes: Buffer.concat(pieces), events: places };
}

export const sealedPage = (events: readonly StoredEvent[]): BytesPage => pageOf(events, sealedText);

export const linesPage = (events: readonly StoredEvent[]): BytesPage => pageOf(events, lineText);
