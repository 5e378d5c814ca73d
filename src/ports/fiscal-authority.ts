import type { ConsumerAddresses } from '../brazil/consumer-addresses.js';

/**
 * The tax authority. It is told of a document once and afterwards only asked: who tells it again blindly risks a second number for one
 * sale. Whoever speaks to it must expect that its answer is lost on the way.
 */
export interface FiscalAuthority {
  readonly name: 'simulator' | 'sefaz' | 'http';
  /** Hands a signed document in. */
  authorize(issuer: AuthorityClient, document: SignedDocument): Promise<AuthorizationAnswer>;
  /** What it knows under a key. */
  query(issuer: AuthorityClient, accessKey: string): Promise<KeyAnswer>;
  /** Whether it takes documents now. */
  status(issuer: AuthorityClient): Promise<ServiceAnswer>;
  /** Hands the signed event of a cancellation in. */
  cancel(issuer: AuthorityClient, event: SignedEvent): Promise<EventAnswer>;
  /** Hands the signed request in by which numbers are given up. */
  voidNumbers(issuer: AuthorityClient, request: SignedVoid): Promise<EventAnswer>;
  /** Who stands in for the state's authority now, which only the state can switch on: of model 55. */
  fallback(issuer: AuthorityClient): Promise<FallbackAuthority | undefined>;
  /** Where consumers look notes up, as far as an operator says so: states move. */
  consumerAddresses(issuer: Pick<AuthorityClient, 'state' | 'environment'>): Partial<ConsumerAddresses>;
  close(): Promise<void>;
}

export type FallbackAuthority = 'SVC_AN' | 'SVC_RS';

/** Who speaks to it, and which of its services is meant. */
export interface AuthorityClient {
  readonly storeId: string;
  readonly taxId: string;
  /** Two letters. */
  readonly state: string;
  readonly model: 55 | 65;
  readonly environment: 'PRODUCTION' | 'HOMOLOGATION';
  /** With which it proves who it is: PEM. */
  readonly certificate: { readonly key: string; readonly chain: readonly string[] };
  /** The store tries what it is like when the authority is away; real authorities know nothing of it. */
  readonly triesOutage: boolean;
}

export interface SignedDocument {
  readonly accessKey: string;
  readonly digestValue: string;
  readonly xml: string;
}

export interface SignedEvent {
  readonly accessKey: string;
  readonly xml: string;
}

export interface SignedVoid {
  /** The id of the signed part. */
  readonly id: string;
  readonly xml: string;
}

export interface Authorized {
  readonly kind: 'authorized';
  /** 100, or 150 when it came late. */
  readonly code: string;
  readonly message: string;
  readonly protocol: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** The digest of the document that it has under the key. */
  readonly digestValue: string;
  /** `protNFe`, as it came. */
  readonly protocolXml: string;
}

export interface Refused {
  readonly kind: 'refused';
  readonly code: string;
  readonly message: string;
  /** The protocol of a denial that is kept: the number is used up for good. */
  readonly protocol: string | null;
}

/** It has the document and has not decided: to be asked by key after a while. */
interface Undecided {
  readonly kind: 'undecided';
  readonly code: string;
  readonly message: string;
}

export type AuthorizationAnswer = Authorized | Refused | Undecided;

export type KeyAnswer =
  | Authorized
  | Refused
  | Undecided
  /** Nothing lives under the key. */
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string }
  | { readonly kind: 'cancelled'; readonly document: Authorized | undefined; readonly event: Registered };

export interface Registered {
  readonly kind: 'registered';
  readonly code: string;
  readonly message: string;
  readonly protocol: string | null;
  /** ISO 8601. */
  readonly registeredAt: string;
  /** The answer as it came, to be kept beside what was sent; null where only the fact is known. */
  readonly answerXml: string | null;
}

export type EventAnswer = Registered | Refused;

export interface ServiceAnswer {
  readonly available: boolean;
  readonly code: string;
  readonly message: string;
  /** How many milliseconds its clock was ahead of this machine's; null where it did not say. */
  readonly clockAhead: number | null;
}

/** How far a question came that was not answered. */
export type AwayStage =
  /** It was not asked: it is known to be away, or a limit of its own is kept. */
  | 'not-asked'
  /** Its name has no address. */
  | 'address'
  | 'connection'
  /** It could not prove who it is. */
  | 'server-certificate'
  /** It does not take the certificate of who asks. */
  | 'own-certificate'
  /** Nothing came back that could be believed. */
  | 'answer';

/** What people are told, in each language. */
export interface Words {
  readonly pt: string;
  readonly en: string;
}

/** It could not be asked, or its answer did not come. Logs read it in English. */
export class AuthorityAway extends Error {
  readonly stage: AwayStage;

  constructor(
    readonly words: Words,
    /** Whether it may have got what was sent. */
    readonly mayHaveArrived: boolean,
    { stage = 'answer', ...options }: ErrorOptions & { readonly stage?: AwayStage } = {},
  ) {
    super(words.en, options);
    this.name = 'AuthorityAway';
    this.stage = stage;
  }
}
