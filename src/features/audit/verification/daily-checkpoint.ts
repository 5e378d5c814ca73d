import type { Schedule } from '../../../kernel/reactors/schedules.js';
import type { OutgoingMail } from '../../../kernel/reactors/mail-queue.js';
import type { Clock } from '../../../kernel/values/clock.js';
import { toIso } from '../../../kernel/values/clock.js';
import { uuidV5 } from '../../../kernel/values/ids.js';
import type { KeptCheckpoints } from '../../../ports/kept-checkpoints.js';
import type { Mail } from '../../../ports/mailer.js';
import type { Vault } from '../../../ports/vault.js';
import type { Checkpoint } from '../proof/checkpoint.js';
import { makeCheckpoint } from '../proof/checkpoint.js';
import type { LogTree } from '../proof/log-tree.js';
import type { SigningKey } from '../proof/signing-key.js';

export const CHECKPOINT_MAIL = 'audit-checkpoint-mail';
const NAMESPACE = '6f1d1c52-3d4d-5b8e-9a53-5a6f3c1f7a10';
const EVERY_HOUR = '0 7 * * * *';
const DAY = 24 * 3_600_000;

interface CheckpointServices {
  readonly tree: LogTree;
  readonly key: SigningKey;
  readonly logId: string;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly mail: OutgoingMail;
  readonly checkpoints: KeptCheckpoints;
  /** Undefined where nobody wants mail. */
  readonly mailTo: string | undefined;
}

/** Once a day the log's checkpoint goes where its owner cannot change it unseen: into a file, and by mail. */
export async function keepCheckpointOfDay(services: CheckpointServices): Promise<void> {
  const { tree, clock, checkpoints } = services;
  const at = toIso(clock.now());
  const day = at.slice(0, 10);
  if (await checkpoints.has(day)) return;
  const size = await tree.presentSize();
  if (size === 0) return;
  const checkpoint = await makeCheckpoint(services, size, at);
  await mailOnce(services, day, checkpoint);
  await checkpoints.keep(day, checkpoint);
}

/** Another process may keep its files elsewhere: one mail a day is enough. */
async function mailOnce({ vault, mail, clock, mailTo, logId }: CheckpointServices, day: string, kept: Checkpoint) {
  if (mailTo === undefined || (await vault.get(CHECKPOINT_MAIL, day))) return;
  const letter = letterOf(uuidV5(NAMESPACE, `${logId} ${day}`), mailTo, day, kept);
  const sent = {
    kind: CHECKPOINT_MAIL,
    id: day,
    value: {},
    expected: 'absent',
    expiresAt: clock.now() + 2 * DAY,
  } as const;
  // The mail first: where rows are stored one by one, a crash between them must not lose it.
  if (await vault.write([mail.row(letter), sent])) mail.wake();
}

function letterOf(id: string, address: string, day: string, checkpoint: Checkpoint): Mail {
  const lines = [
    `Checkpoint do registro de eventos em ${day}.`,
    'Guarde esta mensagem: com ela se prova mais tarde que nada do que foi registrado até aqui foi alterado. ' +
      'Salve o texto abaixo num arquivo e rode: npm run audit -- verify --checkpoint ARQUIVO',
  ];
  const json = JSON.stringify(checkpoint);
  return {
    id,
    to: { name: 'Auditoria', address },
    subject: `Checkpoint do registro de eventos, ${day}`,
    text: `${[...lines, json].join('\n\n')}\n`,
    html: `<!DOCTYPE html>\n<html lang="pt-BR">\n<head><meta charset="utf-8"></head>\n<body>\n${lines
      .map((line) => `<p>${line}</p>`)
      .join('\n')}\n<pre>${json.replaceAll('"', '&quot;')}</pre>\n</body>\n</html>\n`,
  };
}

export const checkpointSchedule = (services: CheckpointServices): Schedule => ({
  name: 'audit checkpoint',
  when: EVERY_HOUR,
  run: () => keepCheckpointOfDay(services),
});
