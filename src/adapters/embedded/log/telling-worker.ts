import { workerData } from 'node:worker_threads';
import type { EventToTell, Telling, ToldPage } from '../../../ports/event-teller.js';
import { answerQuestions } from '../workers/answer-questions.js';
import type { LogFileOptions } from './file.js';
import { openLogForReading } from './file.js';
import { LogReader } from './reader.js';

/** Reads events and tells them, so that the event loop only sends what they tell. */
export interface TellerData {
  readonly file: LogFileOptions;
  readonly tellingModule: string;
}

export interface TellingAsked {
  readonly positions: readonly number[];
  readonly telling: Telling;
}

interface TellingModule {
  readonly tellEvents: (events: readonly EventToTell[], telling: Telling) => ToldPage;
}

const { file, tellingModule } = workerData as TellerData;
const log = openLogForReading(file);
// Pages of events lie far apart: a larger cache would hold what nobody asks for again.
log.database.exec('pragma cache_size = -4096');
const reader = new LogReader(log);
const { tellEvents } = (await import(tellingModule)) as TellingModule;

answerQuestions(
  true,
  ({ positions, telling }: TellingAsked) => tellEvents(reader.eventsAt(positions), telling),
  () => {
    log.database.close();
  },
);
