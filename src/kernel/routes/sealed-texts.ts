import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const SEAL = 16;

/**
 * Texts that clients keep for the service without reading them, and bring back as they are. One text always has the same token, in every
 * process of an installation and after a restart.
 */
export class SealedTexts {
  private readonly cipherKey: Buffer;
  private readonly sealKey: Buffer;

  /** `longest`: no longer token is looked at. */
  constructor(
    secret: Uint8Array,
    purpose: string,
    private readonly longest: number,
  ) {
    const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `${purpose} ${use}`, 32));
    this.cipherKey = keyFor('cipher');
    this.sealKey = keyFor('seal');
  }

  seal(text: string): string {
    const seal = this.sealOf(text);
    const cipher = createCipheriv('aes-256-ctr', this.cipherKey, seal);
    return Buffer.concat([seal, cipher.update(text, 'utf8'), cipher.final()]).toString('base64url');
  }

  /** Undefined for what this service did not make. */
  open(token: string): string | undefined {
    if (token.length > this.longest) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= SEAL || bytes.toString('base64url') !== token) return undefined;
    const seal = bytes.subarray(0, SEAL);
    const decipher = createDecipheriv('aes-256-ctr', this.cipherKey, seal);
    const text = decipher.update(bytes.subarray(SEAL), undefined, 'utf8') + decipher.final('utf8');
    return timingSafeEqual(seal, this.sealOf(text)) ? text : undefined;
  }

  private sealOf(text: string): Buffer {
    return createHmac('sha256', this.sealKey).update(text).digest().subarray(0, SEAL);
  }
}
