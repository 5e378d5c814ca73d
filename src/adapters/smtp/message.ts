import type { SendMailOptions } from 'nodemailer';
import type { Mail } from '../../ports/mailer.js';

// A line break in a name would begin another header, a comma or bracket in an address another receiver.
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
const ADDRESS = /^[^\p{Cc}\p{Z}<>()[\],;:\\"@]+@[^\p{Cc}\p{Z}<>()[\],;:\\"@]+$/u;

export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** A mail as the library wants it. `sender` may carry a name: `Shop <shop@example.com>`. */
export function messageOf(mail: Mail, sender: string): SendMailOptions {
  const host = /@([^\s>]+)/.exec(sender)?.[1] ?? 'localhost';
  return {
    messageId: `<${mail.id}@${host}>`,
    from: sender,
    to: { name: oneLine(mail.to.name), address: mail.to.address },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    // No automatic answers.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
