import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/values/clock.js';
import type { Vault } from '../../../ports/vault.js';
import { foldName } from '../accounts/names.js';

const KIND = 'reset-mail';
const MINUTE = 60_000;

interface Limit {
  readonly mails: number;
  readonly within: number;
}

/** Nobody's mailbox is to be filled by others, whatever the mails are about. */
const TO_AN_ADDRESS: Limit = { mails: 5, within: 15 * MINUTE };
/** Whoever manages the users of a store chooses names and addresses: the service is not to mail strangers for them without end. */
const OF_A_STORE: Limit = { mails: 100, within: 60 * MINUTE };

/** How many mails the service sends because somebody asked for them. */
export class MailLimit {
  constructor(private readonly services: { readonly vault: Vault; readonly clock: Clock }) {}

  /** Counts a mail to an address, which a store has caused where one is named; false when there were too many lately. */
  async take(address: string, storeId?: string): Promise<boolean> {
    if (storeId !== undefined && !(await this.count(`store ${storeId}`, OF_A_STORE))) return false;
    return this.count(createHash('sha256').update(foldName(address)).digest('hex'), TO_AN_ADDRESS);
  }

  private async count(id: string, { mails, within }: Limit): Promise<boolean> {
    const { vault, clock } = this.services;
    for (;;) {
      const row = await vault.get(KIND, id);
      const now = clock.now();
      // What lies further ahead is of a clock that was ahead.
      const sent = ((row?.value ?? []) as readonly number[]).filter((at) => Math.abs(now - at) < within);
      if (sent.length >= mails) return false;
      const expected = row?.version ?? 'absent';
      if (await vault.write([{ kind: KIND, id, value: [...sent, now], expected, expiresAt: now + within }]))
        return true;
    }
  }
}
