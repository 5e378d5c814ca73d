import { z } from 'zod';
import { numberKey } from './domain/state.js';
import { fiscal } from './decider.js';
import { fiscalEvents } from './events.js';

interface StoredFact {
  readonly stream: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

const meta = z.object({ schemaVersion: z.int(), storeId: z.string().nullable() });

/** The last number taken of each stream, by `model/series`. */
type Numbers = Map<string, { readonly storeId: string | null; readonly last: Map<string, number> }>;

/** Numbers that documents took beyond the moment to which a log was restored were told to the authority: they are never taken again. */
export function advancedNumbers(kept: Iterable<StoredFact>, lost: Iterable<StoredFact>) {
  const before = numbersIn(kept, new Map());
  const after = numbersIn(lost, new Map());
  return [...after].flatMap(([stream, { storeId, last }]) =>
    [...last].flatMap(([key, number]) => {
      if (number <= (before.get(stream)?.last.get(key) ?? 0)) return [];
      const [model = 0, series = 0] = key.split('/').map(Number);
      const type = 'NumberingAdvanced' as const;
      const schemaVersion = fiscalEvents.versionOf(type);
      return [{ stream, storeId, type, schemaVersion, data: { model, series, next: number + 1 } }];
    }),
  );
}

function numbersIn(events: Iterable<StoredFact>, numbers: Numbers): Numbers {
  for (const event of events) {
    if (!event.stream.startsWith(`${fiscal.category}-`)) continue;
    const taken = takenBy(event);
    if (!taken) continue;
    const { storeId, model, series, number } = taken;
    const key = numberKey(model, series);
    const ofStream = numbers.get(event.stream) ?? { storeId, last: new Map<string, number>() };
    ofStream.last.set(key, Math.max(number, ofStream.last.get(key) ?? 0));
    numbers.set(event.stream, ofStream);
  }
  return numbers;
}

function takenBy({ type, data, meta: beside }: StoredFact) {
  if (type !== 'NumberingAdvanced' && type !== 'DocumentPrepared') return undefined;
  const { schemaVersion, storeId } = meta.parse(JSON.parse(beside));
  const event = fiscalEvents.decode(type, schemaVersion, JSON.parse(data));
  if (event.type === 'NumberingAdvanced') {
    const { model, series, next } = event.data;
    return { storeId, model, series, number: next - 1 };
  }
  if (event.type !== 'DocumentPrepared') return undefined;
  const { model, series, number } = event.data.document;
  return number === null ? undefined : { storeId, model, series, number };
}
