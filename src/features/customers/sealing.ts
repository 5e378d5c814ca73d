import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** What is known of a person. */
export interface Person {
  readonly name: string;
  readonly document: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly stateRegistration: string | null;
  /** JSON. */
  readonly address: string | null;
}

/** Events from before there were fiscal documents say nothing of registration and address. */
type SealedPerson = Omit<Person, 'stateRegistration' | 'address'> & {
  readonly [K in 'stateRegistration' | 'address']?: Person[K] | undefined;
};

const ALGORITHM = 'aes-256-gcm';
const KEY = 32;
const NONCE = 12;
const TAG = 16;

/**
 * One customer's key: AES-256-GCM with a nonce made of the text itself, so that a text is always sealed to the same value (a
 * repeated command changes nothing) and no nonce serves two texts.
 */
export class CustomerKey {
  private readonly cipherKey: Buffer;
  private readonly nonceKey: Buffer;

  constructor(
    private readonly customerId: string,
    readonly bytes: Buffer,
  ) {
    this.cipherKey = bytes.subarray(0, KEY);
    this.nonceKey = bytes.subarray(KEY);
  }

  static fresh(customerId: string): CustomerKey {
    return new CustomerKey(customerId, randomBytes(2 * KEY));
  }

  seal<P extends Partial<Person>>(person: P): P {
    return Object.fromEntries(
      Object.entries(person).map(([field, text]) => [field, text === null ? null : this.sealText(field, text)]),
    ) as P;
  }

  open({ name, document, email, phone, stateRegistration = null, address = null }: SealedPerson): Person {
    const open = (field: keyof Person, sealed: string | null) =>
      sealed === null ? null : this.openText(field, sealed);
    return {
      name: this.openText('name', name),
      document: open('document', document),
      email: open('email', email),
      phone: open('phone', phone),
      stateRegistration: open('stateRegistration', stateRegistration),
      address: open('address', address),
    };
  }

  private sealText(field: string, text: string): string {
    const place = this.placeOf(field);
    const nonce = createHmac('sha256', this.nonceKey).update(place).update(text).digest().subarray(0, NONCE);
    const cipher = createCipheriv(ALGORITHM, this.cipherKey, nonce).setAAD(place);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  private openText(field: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const options = { authTagLength: TAG };
    const decipher = createDecipheriv(ALGORITHM, this.cipherKey, bytes.subarray(0, NONCE), options);
    decipher.setAAD(this.placeOf(field)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
  }

  /** What a value is bound to, so that it cannot be moved to another field or customer. */
  private placeOf(field: string): Buffer {
    return Buffer.from(`${this.customerId}/${field}/`);
  }
}
