import { generateSecret, generateURI, verifySync } from 'otplib';
import { toBuffer } from 'qrcode';

/** Time-based codes of authenticator apps (RFC 6238): 6 digits, 30 seconds. */

const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
const ISSUER = 'Store Management';

export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** What the QR code says to an authenticator app. */
export const otpauthUrl = (secret: string, account: string): string =>
  generateURI({ issuer: ISSUER, label: account, secret });

/** Greys without filters: an image of two colours is made sooner so, and smaller. */
const PNG_OPTIONS = { colorType: 0, filterType: 0, deflateLevel: 6, deflateStrategy: 0 };

/** A PNG as data URL. */
export async function qrCode(url: string): Promise<string> {
  const png = await toBuffer(url, { errorCorrectionLevel: 'M', margin: 2, rendererOpts: { ...PNG_OPTIONS } });
  return `data:image/png;base64,${png.toString('base64')}`;
}

/**
 * The time step whose code it is: this one, the one before or the next, but none up to `lastStep`, whose codes were used.
 * `now` in milliseconds since 1970.
 */
export function matchTotp(secret: string, code: string, lastStep: number, now: number): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  const epoch = Math.floor(now / 1000);
  if (!/^[0-9]{6}$/.test(token) || lastStep > Math.floor(epoch / STEP_SECONDS)) return undefined;
  const result = verifySync({ secret, token, epoch, epochTolerance: STEP_SECONDS, afterTimeStep: lastStep });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** It lies before every step that a code can belong to. */
export const NO_STEP = 0;
