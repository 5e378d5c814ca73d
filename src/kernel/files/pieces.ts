/**
 * Files that are written while they are sent are made a piece at a time on the main thread, and all of them take turns: of however
 * many are asked for at once, one makes a piece before other requests come again.
 */

/** In characters: some milliseconds' work. */
export const PIECE_LENGTH = 64 * 1024;

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/** Awaited between two pieces. */
export function turnToWrite(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

/** Short texts as pieces. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
    await turnToWrite();
  }
  yield piece;
}
