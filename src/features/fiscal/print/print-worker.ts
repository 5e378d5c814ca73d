import { parentPort } from 'node:worker_threads';
import { localTime } from '../../../kernel/values/days.js';
import { danfce } from './danfce.js';
import { danfe } from './danfe.js';
import type { PrintJob, PrintResult } from './printer.js';
import { timeShown } from './wording.js';
import { readXml } from './xml-tree.js';
import { messageOf } from '../../../kernel/values/message-of.js';

function printed(job: PrintJob): Promise<Uint8Array> {
  const note = readXml(job.xml).children[0];
  if (!note) throw new Error('there is nothing to print');
  const { authorizedAt, timeZone } = job;
  const shown = authorizedAt === null ? null : timeShown(localTime(Date.parse(authorizedAt), timeZone));
  const print = note.get('infNFe/ide/mod') === '65' ? danfce : danfe;
  const document = print(note, { ...job, authorizedAt: shown });
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    document.on('data', (piece: Uint8Array) => pieces.push(piece));
    document.on('end', () => {
      resolve(Buffer.concat(pieces));
    });
    document.on('error', reject);
    document.end();
  });
}

async function answer(job: PrintJob): Promise<PrintResult> {
  try {
    return { pdf: await printed(job) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

parentPort?.on('message', (job: PrintJob) => {
  void answer(job).then((result) => parentPort?.postMessage(result));
});
