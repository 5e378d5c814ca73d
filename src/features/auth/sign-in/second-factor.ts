import { Rejection } from '../../../kernel/rejection.js';
import type { RequestContext } from '../../../kernel/route.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Lanes } from '../../../kernel/lanes.js';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import type { Account } from '../accounts/decider.js';
import { findAccount } from '../accounts/directory.js';
import { makeBackupCodes } from './backup-codes.js';
import { noteFact, onAccount } from './facts.js';
import { NO_STEP, matchTotp, newTotpSecret, otpauthUrl, qrCode } from './one-time-codes.js';
import type { OneTimeTokens } from './one-time-tokens.js';
import { CODE_INVALID, ENROLLMENT_REQUIRED, TOKEN_INVALID, TWO_FACTOR_OFF, TWO_FACTOR_ON } from './rejections.js';
import type { SecondFactors } from './second-factors.js';
import { enrolmentRows, removalRows } from './second-factors.js';
import type { Halfway, SignIn, SignedIn } from './sign-in.js';
import type { Throttle } from './throttle.js';

export interface SecondFactorServices {
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly tokens: OneTimeTokens;
  readonly factors: SecondFactors;
  readonly codeThrottle: Throttle;
  readonly signIn: SignIn;
}

interface Enrollment extends Halfway {
  readonly secret?: string;
}

/** The second half of a sign-in, and how a second factor is set up and given up. */
export class SecondFactor {
  constructor(private readonly services: SecondFactorServices) {}

  /** With a code of the app, or one of those on paper. */
  async verify(
    pendingToken: string,
    code: string,
    by: 'totp' | 'backupCode',
    context: RequestContext,
  ): Promise<SignedIn> {
    const { tokens, factors, signIn } = this.services;
    const tried = await tokens.tryOnce('pending', pendingToken);
    if (!tried) throw new Rejection(TOKEN_INVALID);
    const userId = tried.owner;
    let remaining: number | undefined;
    await this.expectCode(userId, context, async () => {
      if (by === 'totp') return factors.useTotp(userId, code);
      remaining = await factors.useBackupCode(userId, code);
      return remaining !== undefined;
    });
    if (!(await tried.spend())) throw new Rejection(TOKEN_INVALID);
    const signedIn = await signIn.complete(userId, tried.value as Halfway, by, context);
    if (remaining !== undefined) {
      await noteFact(context, signedIn.account, signedIn.store.id, { type: 'BackupCodeUsed', data: { remaining } });
    }
    return signedIn;
  }

  /** For a signed-in user who wants a second factor. */
  async beginEnrollment(account: Account, storeId: string): Promise<string> {
    if (account.twoFactor) throw new Rejection(TWO_FACTOR_ON);
    const halfway: Halfway = { storeId, epoch: account.epoch };
    return this.services.tokens.issue('enrollment', account.userId, halfway);
  }

  async setup(enrollmentToken: string) {
    const { tokens, lanes } = this.services;
    const issued = await tokens.look('enrollment', enrollmentToken);
    const account = issued && (await findAccount(lanes, issued.owner));
    if (!account || account.twoFactor) throw new Rejection(TOKEN_INVALID);
    const secret = newTotpSecret();
    const enrollment: Enrollment = { ...(issued.value as Halfway), secret };
    if (!(await tokens.replace('enrollment', enrollmentToken, enrollment))) throw new Rejection(TOKEN_INVALID);
    const url = otpauthUrl(secret, account.username);
    return { secret, otpauthUrl: url, qrCode: await qrCode(url) };
  }

  async confirm(enrollmentToken: string, code: string, context: RequestContext) {
    const { tokens, clock, hasher, lanes, signIn } = this.services;
    const tried = await tokens.tryOnce('enrollment', enrollmentToken);
    if (!tried) throw new Rejection(TOKEN_INVALID);
    const enrollment = tried.value as Enrollment;
    const { secret } = enrollment;
    const lastStep = secret === undefined ? undefined : matchTotp(secret, code, NO_STEP, clock.now());
    if (secret === undefined || lastStep === undefined) throw new Rejection(CODE_INVALID);
    const account = await findAccount(lanes, tried.owner);
    const { codes, kept } = await makeBackupCodes(hasher);
    if (!account || account.twoFactor || !(await tried.spend())) throw new Rejection(TOKEN_INVALID);
    const rows = enrolmentRows(account.userId, { secret, lastStep }, kept);
    await onAccount(context, account, enrollment.storeId, { type: 'enableTwoFactor' }, rows);
    const signedIn = await signIn.complete(account.userId, enrollment, 'enrollment', context);
    return { signedIn, backupCodes: codes };
  }

  /** By its holder, with password and code, unless the store asks for it. */
  async switchOff(account: Account, password: string, code: string, context: RequestContext): Promise<void> {
    const { signIn, factors } = this.services;
    if (!account.twoFactor) throw new Rejection(TWO_FACTOR_OFF);
    const stores = await signIn.storesOf(account);
    if (stores.some((store) => store.requireTwoFactor)) throw new Rejection(ENROLLMENT_REQUIRED);
    if (!(await signIn.checkPassword(account.username, password, context.client.address))) {
      throw new Rejection(CODE_INVALID);
    }
    await this.expectCode(account.userId, context, () => factors.useTotp(account.userId, code));
    await onAccount(context, account, context.storeId, { type: 'disableTwoFactor' }, removalRows(account.userId));
  }

  private async expectCode(userId: string, context: RequestContext, check: () => Promise<boolean>): Promise<void> {
    const attempt = { account: userId, address: context.client.address };
    const right = await this.services.codeThrottle.guard(attempt, async () => ((await check()) ? true : undefined));
    if (right === undefined) throw new Rejection(CODE_INVALID);
  }
}
