import { z } from 'zod';
import { PASSWORD_RULE, passwordProblem } from '../sign-in/passwords.js';

/** Kept as typed; compared without case. */
export const userName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{3,40}$/, { error: 'takes 3 to 40 letters, digits, points, underscores and hyphens' });

const LONGEST_ADDRESS = 254;

export const emailAddress = z.email({ error: 'must be an e-mail address' }).max(LONGEST_ADDRESS);

export const newPassword = z
  .string()
  .superRefine((text, context) => {
    const message = passwordProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({ type: 'string', format: 'password', description: PASSWORD_RULE });
