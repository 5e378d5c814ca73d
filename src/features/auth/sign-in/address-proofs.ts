import { z } from 'zod';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { OutgoingMail } from '../../../kernel/reactors/mail-queue.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { Vault } from '../../../ports/vault.js';
import { account as accounts } from '../accounts/decider.js';
import { accountStream } from '../accounts/directory.js';
import { emails } from '../accounts/name-reservations.js';
import { foldName } from '../accounts/names.js';
import { expectAccount } from '../accounts/registration.js';
import type { MailLimit } from './mail-limit.js';
import { addressMail } from './mails.js';
import type { OneTimeTokens } from './one-time-tokens.js';
import { RESET_TOKEN_INVALID } from './rejections.js';

const mailedTo = z.object({ address: z.string() });

interface AddressProofServices {
  readonly vault: Vault;
  readonly tokens: OneTimeTokens;
  readonly mail: OutgoingMail;
  readonly mailLimit: MailLimit;
}

/** An e-mail address is an account's own once a token that was mailed there came back. */
export class AddressProofs {
  constructor(private readonly services: AddressProofServices) {}

  /** Mails a token, unless the address is proved already or has had enough mail. */
  async send(context: Commands, userId: string, pagesUrl: string | undefined): Promise<void> {
    const id = context.newId();
    const { vault, tokens, mail, mailLimit } = this.services;
    const { email, name, addressProved } = await expectAccount(context, userId);
    // An address that belongs to another account is proved by that one.
    if (addressProved || (await emails.claimOf(context, email, userId)) === undefined) return;
    if (!(await mailLimit.take(email, context.storeId))) return;
    const { token, rows } = tokens.make('verification', userId, { address: foldName(email) });
    const letter = addressMail({ id, to: { name, address: email }, pagesUrl, token });
    await vault.write([...rows, mail.row(letter)]);
    mail.wake();
  }

  async confirm(context: Commands, token: string): Promise<void> {
    const tried = await this.services.tokens.tryOnce('verification', token);
    const state = tried && (await context.currentOn(accounts, accountStream(tried.owner)));
    if (state === undefined || typeof state === 'string') throw new Rejection(RESET_TOKEN_INVALID);
    const { address } = mailedTo.parse(tried?.value);
    const { userId, name, email } = state;
    const held = (await emails.claimOf(context, email, userId)) !== undefined;
    if (foldName(email) !== address || !held) throw new Rejection(RESET_TOKEN_INVALID);
    const options = { storeId: null, actor: { kind: 'user', id: userId, name } as const };
    await context.executeOn(accounts, accountStream(userId), { type: 'proveAddress', address }, options);
    if (!(await tried?.spend())) throw new Rejection(RESET_TOKEN_INVALID);
  }
}
