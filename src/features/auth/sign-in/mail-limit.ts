import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/values/clock.js';
import type { Vault } from '../../../ports/vault.js';
import { foldName } from '../accounts/names.js';

const KIND = 'reset-mail';
/** Nobody's mailbox is to be filled by others: so many mails within so long, whatever they are about. */
const MOST_MAILS = 5;
const WINDOW = 15 * 60_000;

/** How many mails the service sends to one address because somebody asked for them. */
export class MailLimit {
  constructor(private readonly services: { readonly vault: Vault; readonly clock: Clock }) {}

  /** Counts a mail; false when there were too many lately. */
  async take(address: string): Promise<boolean> {
    const { vault, clock } = this.services;
    const id = createHash('sha256').update(foldName(address)).digest('hex');
    for (;;) {
      const row = await vault.get(KIND, id);
      const now = clock.now();
      const sent = ((row?.value ?? []) as readonly number[]).filter((at) => at > now - WINDOW);
      if (sent.length >= MOST_MAILS) return false;
      const expected = row?.version ?? 'absent';
      if (await vault.write([{ kind: KIND, id, value: [...sent, now], expected, expiresAt: now + WINDOW }]))
        return true;
    }
  }
}
