import type { FeatureServices } from '../../contracts/feature.js';
import { Presence } from '../accounts/presence.js';
import { AddressProofs } from './address-proofs.js';
import { signInKeys } from './keys.js';
import { MailLimit } from './mail-limit.js';
import { OneTimeTokens } from './one-time-tokens.js';
import { PasswordReset } from './password-reset.js';
import { SecondFactor } from './second-factor.js';
import { SecondFactors } from './second-factors.js';
import { Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';
import { CODE_LIMITS, PASSWORD_LIMITS, Throttle } from './throttle.js';

/** What the endpoints of signing in work with. */
export function signInServices(services: FeatureServices) {
  const { lanes, vault, clock, tokenSecret } = services;
  const keys = signInKeys(tokenSecret);
  const tokens = new OneTimeTokens(vault, clock);
  const sessions = new Sessions({ lanes, vault, clock, keys });
  const throttling = { vault, clock, key: keys.throttle };
  const signIn = new SignIn({
    ...services,
    tokens,
    sessions,
    passwordThrottle: new Throttle(PASSWORD_LIMITS, throttling),
  });
  const mailLimit = new MailLimit(services);
  const factors = new SecondFactors(services);
  const codeThrottle = new Throttle(CODE_LIMITS, throttling);
  return {
    ...services,
    keys,
    tokens,
    sessions,
    signIn,
    secondFactor: new SecondFactor({ ...services, tokens, factors, codeThrottle, signIn }),
    passwordReset: new PasswordReset({ ...services, tokens, mailLimit }),
    addressProofs: new AddressProofs({ ...services, tokens, mailLimit }),
    presence: new Presence(vault, clock),
  };
}

export type AuthServices = ReturnType<typeof signInServices>;
