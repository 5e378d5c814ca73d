import { Worker } from 'node:worker_threads';

/** So long no story may stand still. */
const PATIENCE = 60_000;
const ROOM = 256 * 1024;

/** Runs in a thread of its own: where the one that it watches turns round in a circle, no timer of that one would ever ring. */
const WATCHING = `
const { workerData: { beats, told, patience } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
let last = -1;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now !== last) { last = now; return; }
  const text = Buffer.from(told.subarray(0, Atomics.load(beats, 1)));
  writeSync(1, text + '\\nit hangs: nothing has happened for ' + patience / 1000 + ' s\\n');
  process.kill(process.pid, 'SIGKILL');
}, patience);
`;

/** Ends this process, with the story so far, once nothing is told for a minute. */
export class HangWatch {
  private readonly beats = new Int32Array(new SharedArrayBuffer(8));
  private readonly told = new Uint8Array(new SharedArrayBuffer(ROOM));

  constructor() {
    const workerData = { beats: this.beats, told: this.told, patience: PATIENCE };
    new Worker(WATCHING, { eval: true, workerData }).unref();
  }

  begin(title: string): void {
    Atomics.store(this.beats, 1, 0);
    this.tell(title);
  }

  readonly tell = (line: string): void => {
    const bytes = Buffer.from(`${line}\n`);
    const end = Atomics.load(this.beats, 1);
    const first = end + bytes.length > ROOM ? 0 : end;
    this.told.set(bytes.subarray(0, ROOM), first);
    Atomics.store(this.beats, 1, first + Math.min(bytes.length, ROOM));
    Atomics.add(this.beats, 0, 1);
  };
}
