import { inflateSync } from 'node:zlib';

/** What can be told of a PDF, read as latin1. */
export const pagesOf = (pdf: string): number => pdf.match(/\/Type \/Page\b/g)?.length ?? 0;

/** The orders by which its pages are drawn, and whatever else is deflated in it. */
export function drawnIn(pdf: string): readonly string[] {
  const streams = [...pdf.matchAll(/\/Filter \/FlateDecode[^>]*>>\s*stream\r?\n([^]*?)\r?\nendstream/g)];
  return streams.map(([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'));
}
