import { z } from 'zod';
import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import type { OutgoingMail } from '../../../kernel/reactors/mail-queue.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import type { Vault } from '../../../ports/vault.js';
import type { Account } from '../accounts/decider.js';
import { findAccount, findAccountByLogin } from '../accounts/directory.js';
import { foldName } from '../accounts/names.js';
import { passwordWrite } from '../accounts/password-rows.js';
import { onAccount } from './facts.js';
import type { MailLimit } from './mail-limit.js';
import { passwordResetMail } from './mails.js';
import type { OneTimeTokens } from './one-time-tokens.js';
import { passwordProblem } from './passwords.js';
import { PASSWORD_UNFIT, RESET_TOKEN_INVALID } from './rejections.js';

/** What a token was mailed for: once the address or the password is another, it opens nothing. */
const mailedFor = z.object({ address: z.string(), epoch: z.number() });
type MailedFor = z.output<typeof mailedFor>;
const meaningOf = ({ email, epoch }: Account): MailedFor => ({ address: foldName(email), epoch });

interface PasswordResetServices {
  readonly lanes: CommandLanes;
  readonly vault: Vault;
  readonly mailLimit: MailLimit;
  readonly hasher: PasswordHasher;
  readonly mail: OutgoingMail;
  readonly tokens: OneTimeTokens;
  onError(error: unknown): void;
}

/** A forgotten password is replaced by who reads the account's mail. */
export class PasswordReset {
  constructor(private readonly services: PasswordResetServices) {}

  /** Answers at once and works afterwards, so that nothing tells whether the account exists. */
  request(email: string, context: RequestContext): void {
    const { pagesUrl } = context.client;
    setImmediate(() => {
      this.send(email, pagesUrl, context).catch((error: unknown) => {
        this.services.onError(error);
      });
    });
  }

  async reset(token: string, password: string, context: RequestContext): Promise<void> {
    const problem = passwordProblem(password);
    if (problem !== undefined) {
      throw new Rejection(PASSWORD_UNFIT, undefined, { errors: [{ path: 'password', message: problem }] });
    }
    const { tokens, lanes, hasher } = this.services;
    const tried = await tokens.tryOnce('reset', token);
    const account = tried && (await findAccount(lanes, tried.owner));
    if (!account) throw new Rejection(RESET_TOKEN_INVALID);
    const { address, epoch } = mailedFor.parse(tried.value);
    const meant = meaningOf(account);
    if (meant.address !== address || meant.epoch !== epoch) throw new Rejection(RESET_TOKEN_INVALID);
    const hash = await hasher.hash(password);
    const passwordId = context.newId();
    const rows = [passwordWrite(passwordId, hash)];
    const shown = { epoch };
    // With the epoch for which it was mailed the token is dead: of several uses at once one counts, and one that comes to nothing may be repeated.
    await onAccount(context, account, null, { type: 'changePassword', by: 'reset', passwordId, shown }, rows);
    await tried.spend();
  }

  private async send(email: string, pagesUrl: string | undefined, context: RequestContext): Promise<void> {
    const { lanes, vault, tokens, mail, mailLimit } = this.services;
    const account = email.includes('@') ? await findAccountByLogin(lanes, email) : undefined;
    if (!account || !(await mailLimit.take(account.email))) return;
    const { token, rows } = tokens.make('reset', account.userId, meaningOf(account));
    const to = { name: account.name, address: account.email };
    const letter = passwordResetMail({ id: context.newId(), to, pagesUrl, token });
    // Nothing in the log: whoever sees how it grows would learn that the address has an account.
    await vault.write([...rows, mail.row(letter)]);
    mail.wake();
  }
}
