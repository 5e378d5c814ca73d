import { Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Clock } from '../../../kernel/values/clock.js';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import type { Account, Shown } from '../accounts/decider.js';
import { TWO_FACTOR_ON } from '../accounts/rejections.js';
import { makeBackupCodes } from './backup-codes.js';
import { noteFact, onAccount } from './facts.js';
import { NO_STEP, matchTotp, newTotpSecret, otpauthUrl, qrCode } from './one-time-codes.js';
import type { OneTimeTokens } from './one-time-tokens.js';
import { CODE_INVALID, ENROLLMENT_REQUIRED, PASSWORD_NEEDED, TOKEN_INVALID, TWO_FACTOR_OFF } from './rejections.js';
import type { SecondFactors } from './second-factors.js';
import { enrolmentRows } from './second-factors.js';
import type { Session } from './sessions.js';
import { signedInAt } from './sessions.js';
import type { Halfway, SignIn, SignedIn } from './sign-in.js';
import type { Throttle } from './throttle.js';

interface SecondFactorServices {
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

type CodeKind = 'totp' | 'backupCode';

/** For so long after a sign-in nobody is asked for the password again. */
const FRESH = 15 * 60_000;

const APP_CODE = /^\s*(?:\d\s*){6}$/;

/** The second half of a sign-in, and how a second factor is set up and given up. */
export class SecondFactor {
  constructor(private readonly services: SecondFactorServices) {}

  /** With a code of the app, or one of those on paper. */
  async verify(pendingToken: string, code: string, by: CodeKind, context: RequestContext): Promise<SignedIn> {
    const { tokens, signIn } = this.services;
    const tried = await tokens.tryOnce('pending', pendingToken);
    if (!tried) throw new Rejection(TOKEN_INVALID);
    const halfway = tried.value as Halfway;
    const { account } = await signIn.expectMeant(tried.owner, halfway);
    // Of several codes at once that are right one counts, and the others can still be used.
    const spend = async () => {
      if (!(await tried.spend())) throw new Rejection(TOKEN_INVALID);
    };
    const remaining = await this.useCode(account, code, by, context, spend);
    const signedIn = await signIn.complete(account.userId, halfway, by, context);
    if (by === 'backupCode') {
      await noteFact(context, signedIn.account, signedIn.store.id, { type: 'BackupCodeUsed', data: { remaining } });
    }
    return signedIn;
  }

  /** For a signed-in user who wants a second factor. */
  async beginEnrollment(
    account: Account,
    session: Session,
    password: string | undefined,
    { storeId, client }: RequestContext,
  ): Promise<string> {
    const { signIn, tokens, clock } = this.services;
    if (account.factorId !== null) throw new Rejection(TWO_FACTOR_ON);
    if (password !== undefined) await signIn.expectPassword(account, password, client.address);
    else if (clock.now() - signedInAt(session) > FRESH) throw new Rejection(PASSWORD_NEEDED);
    const { epoch, sessionId } = session;
    const halfway: Halfway = { storeId, epoch, sessionId };
    return tokens.issue('enrollment', account.userId, halfway);
  }

  async setup(enrollmentToken: string) {
    const { tokens, signIn } = this.services;
    const issued = await tokens.look('enrollment', enrollmentToken);
    if (!issued) throw new Rejection(TOKEN_INVALID);
    const { account } = await signIn.expectMeant(issued.owner, issued.value as Halfway);
    if (account.factorId !== null) throw new Rejection(TWO_FACTOR_ON);
    // Who asks again, as a page does that was left for the app, may have scanned the first secret.
    const kept = await tokens.replace('enrollment', enrollmentToken, (known) => ({
      secret: newTotpSecret(),
      ...(known as Enrollment),
    }));
    if (!kept) throw new Rejection(TOKEN_INVALID);
    const { secret } = kept;
    const url = otpauthUrl(secret, account.username);
    return { secret, otpauthUrl: url, qrCode: await qrCode(url) };
  }

  async confirm(enrollmentToken: string, code: string, context: RequestContext) {
    const { tokens, clock, hasher, signIn } = this.services;
    const tried = await tokens.tryOnce('enrollment', enrollmentToken);
    if (!tried) throw new Rejection(TOKEN_INVALID);
    const enrollment = tried.value as Enrollment;
    const { secret } = enrollment;
    const lastStep = secret === undefined ? undefined : matchTotp(secret, code, NO_STEP, clock.now());
    if (secret === undefined || lastStep === undefined) throw new Rejection(CODE_INVALID);
    const { account, store } = await signIn.expectMeant(tried.owner, enrollment);
    const { codes, kept } = await makeBackupCodes(hasher);
    if (!(await tried.spend())) throw new Rejection(TOKEN_INVALID);
    const factorId = context.newId();
    const rows = enrolmentRows(factorId, { secret, lastStep }, kept);
    const command = { type: 'enableTwoFactor', factorId, shown: enrollment } as const;
    await onAccount(context, account, enrollment.storeId, command, rows);
    const signedIn = await signIn.enter({ ...account, factorId }, store, enrollment, 'enrollment', context);
    return { signedIn, backupCodes: codes };
  }

  /** By its holder, with password and code, unless the store asks for it. */
  async switchOff(
    account: Account,
    shown: Shown,
    { password, code }: { readonly password: string; readonly code: string },
    context: RequestContext,
  ): Promise<void> {
    const { signIn } = this.services;
    if (account.factorId === null) throw new Rejection(TWO_FACTOR_OFF);
    const stores = await signIn.storesOf(account);
    if (stores.some((store) => store.requireTwoFactor)) throw new Rejection(ENROLLMENT_REQUIRED);
    await signIn.expectPassword(account, password, context.client.address);
    await this.useCode(account, code, APP_CODE.test(code) ? 'totp' : 'backupCode', context);
    await onAccount(context, account, context.storeId, { type: 'disableTwoFactor', shown });
  }

  /** Gives how many backup codes are left after one was used; `first` is done once the code is known to be right. */
  private async useCode(
    account: Account,
    code: string,
    by: CodeKind,
    context: RequestContext,
    first?: () => Promise<void>,
  ): Promise<number> {
    const { factors, codeThrottle } = this.services;
    const { factorId, userId } = account;
    if (factorId === null) throw new Rejection(TOKEN_INVALID);
    const attempt = { account: userId, address: context.client.address };
    const left = await codeThrottle.guard(attempt, async () => {
      if (by === 'backupCode') return factors.useBackupCode(factorId, code, first);
      return (await factors.useTotp(factorId, code, first)) ? 0 : undefined;
    });
    if (left === undefined) throw new Rejection(CODE_INVALID);
    return left;
  }
}
