import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { State } from '../../brazil/states.js';
import { isState, STATES } from '../../brazil/states.js';
import type { Fallback, FiscalService, ServiceAddresses } from '../../brazil/tax-authorities.js';
import { AUTHORIZERS, authorizerOf, fallbackOf, FISCAL_SERVICES } from '../../brazil/tax-authorities.js';
import { validationMessages } from '../../kernel/values/validation-messages.js';
import type { AuthorityClient } from '../../ports/fiscal-authority.js';
import { StartRefused } from '../../ports/start-refused.js';

/** Which authority answers a store, where, and how it wants to be spoken to; an operator's file replaces what it names. */

const address = z.url({ protocol: /^https$/ });
const services = z.strictObject(
  Object.fromEntries(FISCAL_SERVICES.map((service) => [service, address.optional()])) as Record<
    FiscalService,
    z.ZodOptional<typeof address>
  >,
);
const tlsVersion = z.enum(['TLSv1.2', 'TLSv1.3']);
const tls = z.strictObject({
  minVersion: tlsVersion.optional(),
  maxVersion: tlsVersion.optional(),
  ciphers: z.string().min(1).max(1_000).optional(),
  /** Takes servers that renegotiate in the old way. */
  legacyRenegotiation: z.boolean().optional(),
});
const authorizer = z.strictObject({
  production: services.optional(),
  homologation: services.optional(),
  tls: tls.optional(),
  /** Sends the header of SOAP 1.1 as well. */
  soapAction: z.boolean().optional(),
  /** The service of the events' namespace, where it is not the usual one. */
  eventService: z.string().min(1).max(60).optional(),
});
const byName = z.record(z.string().max(20), authorizer);
const state = z.enum(STATES as readonly [State, ...State[]]);
const byState = z.partialRecord(state, z.string().max(20));
/** Printed beside the key; the layout takes 21 to 85 characters of it. */
const consumer = z.strictObject({
  qrCode: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .refine((text) => !text.includes('?'), { error: 'must end before ?p=' })
    .optional(),
  consultation: z.string().min(21).max(85).optional(),
});
const consumers = z.strictObject({ production: consumer.optional(), homologation: consumer.optional() });
const seconds = z.number().positive().max(600);

const fileSchema = z.strictObject({
  authorizers: z.strictObject({ 55: byName.optional(), 65: byName.optional() }).optional(),
  /** Who authorizes the documents of a state. */
  states: z.strictObject({ 55: byState.optional(), 65: byState.optional() }).optional(),
  /** Who stands in for them, of model 55. */
  fallbacks: z.partialRecord(state, z.enum(['SVC-AN', 'SVC-RS'])).optional(),
  /** Where consumers look up what a state's shops issued. */
  consumers: z.partialRecord(state, consumers).optional(),
  timeouts: z.strictObject({ connect: seconds.optional(), 55: seconds.optional(), 65: seconds.optional() }).optional(),
});
export type AddressFile = z.output<typeof fileSchema>;
export type TlsSettings = z.output<typeof tls>;

export async function readAddressFile(path: string | undefined): Promise<AddressFile> {
  if (path === undefined) return {};
  let given: unknown;
  try {
    given = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new StartRefused(`wrong setting: SEFAZ_ADDRESSES: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
  const parsed = fileSchema.safeParse(given, { error: validationMessages });
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')} ${message}`);
  throw new StartRefused(`wrong setting: SEFAZ_ADDRESSES: ${reasons.join('; ')}`);
}

/** Servers that ask for a certificate by renegotiation cannot do so in a newer version. */
const USUAL_TLS: TlsSettings = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' };
const WANTS_SOAP_ACTION: ReadonlySet<string> = new Set(['PE']);
const SECOND = 1_000;

interface AuthorityPlace {
  /** With its environment and model: what is watched together. */
  readonly name: string;
  readonly addresses: ServiceAddresses;
  readonly tls: TlsSettings;
  readonly soapAction: boolean;
  readonly eventService: string | undefined;
}

export class AuthorityBook {
  private readonly places = new Map<string, AuthorityPlace>();

  constructor(private readonly file: AddressFile) {}

  placeOf({ model, state, environment }: AuthorityClient, fallback: Fallback | undefined): AuthorityPlace {
    const name = fallback ?? (isState(state) ? this.authorizer(model, state) : state);
    const key = `${name} ${String(model)} ${environment}`;
    const known = this.places.get(key) ?? this.made(key, name, model, environment);
    this.places.set(key, known);
    return known;
  }

  fallbackOf(state: State): Fallback {
    return this.file.fallbacks?.[state] ?? fallbackOf(state);
  }

  consumerAddresses({ state, environment }: Pick<AuthorityClient, 'state' | 'environment'>) {
    const given = isState(state) ? this.file.consumers?.[state] : undefined;
    return withoutGaps(given?.[environment === 'PRODUCTION' ? 'production' : 'homologation'] ?? {});
  }

  /** Milliseconds. */
  get connectWithin(): number {
    return (this.file.timeouts?.connect ?? 10) * SECOND;
  }

  /** A consumer waits at the counter; a company's document may take its time. */
  answerWithin(model: 55 | 65): number {
    return (this.file.timeouts?.[model] ?? (model === 55 ? 60 : 20)) * SECOND;
  }

  private authorizer(model: 55 | 65, state: State): string {
    return this.file.states?.[model]?.[state] ?? authorizerOf(model, state);
  }

  private made(key: string, name: string, model: 55 | 65, environment: AuthorityClient['environment']): AuthorityPlace {
    const usual = AUTHORIZERS[model][name];
    const own = this.file.authorizers?.[model]?.[name];
    const kind = environment === 'PRODUCTION' ? 'production' : 'homologation';
    return {
      name: key,
      addresses: { ...usual?.[kind], ...withoutGaps(own?.[kind] ?? {}) },
      tls: { ...USUAL_TLS, ...own?.tls },
      soapAction: own?.soapAction ?? WANTS_SOAP_ACTION.has(name),
      eventService: own?.eventService,
    };
  }
}

const withoutGaps = <K extends string>(
  given: Partial<Record<K, string | undefined>>,
): Readonly<Partial<Record<K, string>>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  ) as Partial<Record<K, string>>;
