/** Slow, salted hashes of secrets that people choose or type. Never holds the event loop. */
export interface PasswordHasher {
  /** The hash carries its own salt. Who gives other people passwords names their store: it waits for its own ones alone, and nobody for all of them. */
  hash(password: string, storeId?: string): Promise<string>;
  /** Without a hash it does the same work and answers false, so that an unknown user costs the same time. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
  /** A salt that several codes of one user share. */
  newCodeSalt(): string;
  /** With one salt for all of a user's codes, a typed one is found among them by a single computation. */
  hashCode(code: string, salt: string): Promise<string>;
  close(): Promise<void>;
}

/** In bytes of UTF-8: bcrypt ignores what follows. */
export const LONGEST_PASSWORD = 72;
