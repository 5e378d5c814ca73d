import { randomInt } from 'node:crypto';
import { STATE_CODES } from '../../../brazil/states.js';
import type { Clock } from '../../../kernel/values/clock.js';
import { dayOf } from '../../../kernel/values/days.js';
import type { AuthorityClient, FiscalAuthority } from '../../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../../ports/fiscal-authority.js';
import type { StoreFacts } from '../../contracts/feature.js';
import { accessKey, randomCode } from '../domain/access-key.js';
import type { Model } from '../events.js';
import type { SettingsKeeper } from '../settings-keeper.js';
import { chainGap, sameCompany, taxIdOf } from '../signing/certificates.js';

/** Goes the whole way to the authority and back without issuing anything, and says of each step whether it went well. */

export const CHECKS = ['certificate', 'chain', 'address', 'service', 'clock', 'registration'] as const;
type CheckName = (typeof CHECKS)[number];

export interface Check {
  readonly name: CheckName;
  readonly ok: boolean;
  readonly detail: string;
}

interface CheckServices {
  readonly settings: Pick<SettingsKeeper, 'signer'>;
  readonly authority: FiscalAuthority;
  readonly clock: Clock;
}

const DAY = 86_400_000;
/** A document of which the authority believes that it comes from the future is refused. */
const CLOCK_TOLERANCE = 3 * 60_000;
const UNUSED_SERIES = 889;

const good = (name: CheckName, detail: string): Check => ({ name, ok: true, detail });
const bad = (name: CheckName, detail: string): Check => ({ name, ok: false, detail });

/** In the order in which they build on each other; what could not be tried says so. */
export async function checkAuthority(
  services: CheckServices,
  store: StoreFacts,
  model: Model,
): Promise<readonly Check[]> {
  const { certificate, client } = await certificateCheck(services, store, model);
  if (!client) return [certificate, ...untried(CHECKS.slice(1), 'there is no certificate to ask with')];
  const chain = chainCheck(client);
  return [certificate, chain, ...(await serviceChecks(services, client, store.timeZone))];
}

const untried = (names: readonly CheckName[], why: string): readonly Check[] =>
  names.map((name) => bad(name, `Not tried: ${why}`));

async function certificateCheck(
  { settings, authority, clock }: CheckServices,
  { id: storeId, taxId, legalName, fiscal }: StoreFacts,
  model: Model,
): Promise<{ readonly certificate: Check; readonly client: AuthorityClient | undefined }> {
  const failed = (detail: string) => ({ certificate: bad('certificate', detail), client: undefined });
  if (taxId === null || !fiscal.address)
    return failed('The store lacks its tax id or its address: set taxId and fiscal.address');
  const { certificate: own, environment } = fiscal;
  if (own === null && environment === 'PRODUCTION')
    return failed('The store has no certificate: set fiscal.certificate');
  if (own && Date.parse(own.expiresAt) <= clock.now()) {
    return failed(
      `The certificate of ${own.subject} expired on ${own.expiresAt}: have it renewed, and set fiscal.certificate`,
    );
  }
  const signer = await settings.signer(storeId, fiscal, { taxId, name: legalName });
  if (!signer) return failed('The certificate cannot be read any more: set fiscal.certificate again');
  const client: AuthorityClient = {
    storeId,
    taxId,
    state: fiscal.address.state,
    model,
    environment,
    certificate: signer.certificate,
    triesOutage: fiscal.simulatorOutage,
  };
  const owner = taxIdOf(signer.certificate.chain[0] ?? '');
  if (!sameCompany(owner, taxId)) {
    const detail = `The certificate belongs to ${owner ?? 'nobody'}, the store is ${taxId}: what it signs would be refused (213)`;
    return { certificate: bad('certificate', detail), client };
  }
  if (own) {
    const days = Math.floor((Date.parse(own.expiresAt) - clock.now()) / DAY);
    return { certificate: good('certificate', `${own.subject}, valid for ${String(days)} days more`), client };
  }
  const detail = 'A certificate that the service made for trials';
  const isEnough = authority.name === 'simulator';
  const certificate = isEnough
    ? good('certificate', detail)
    : bad('certificate', `${detail}: the authority takes only one of ICP-Brasil; set fiscal.certificate`);
  return { certificate, client };
}

function chainCheck({ certificate: { chain } }: AuthorityClient): Check {
  const gap = chainGap(chain);
  return gap === undefined
    ? good('chain', `${String(chain.length)} certificates, each issued by the next`)
    : bad('chain', `${gap}: some authorities ask for the whole chain; export the file with it`);
}

async function serviceChecks(
  services: CheckServices,
  client: AuthorityClient,
  timeZone: string,
): Promise<readonly Check[]> {
  const { authority } = services;
  const authorized = `${authority.name}, ${client.state}, model ${String(client.model)}, ${client.environment}`;
  try {
    const { available, code, message, clockAhead } = await authority.status(client);
    const words = `${code} ${message}`.trim();
    return [
      good('address', `Reached: ${authorized}`),
      available ? good('service', words) : bad('service', words),
      clockCheck(clockAhead),
      await registrationCheck(services, client, timeZone),
    ];
  } catch (error) {
    if (!(error instanceof AuthorityAway)) throw error;
    const { stage, message } = error;
    const rest = (names: readonly CheckName[]) => untried(names, 'the service was not reached');
    if (stage === 'own-certificate') {
      const reached = good('address', `Reached: ${authorized}`);
      return [reached, ...rest(['service', 'clock']), bad('registration', message)];
    }
    if (stage === 'not-asked') {
      return [
        ...untried(['address'], 'nothing is asked now'),
        bad('service', message),
        ...rest(['clock', 'registration']),
      ];
    }
    if (stage !== 'answer') return [bad('address', message), ...rest(['service', 'clock', 'registration'])];
    return [good('address', `Reached: ${authorized}`), bad('service', message), ...rest(['clock', 'registration'])];
  }
}

function clockCheck(ahead: number | null): Check {
  if (ahead === null) return bad('clock', 'The authority did not say what time it has');
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const side = ahead > 0 ? 'behind' : 'ahead of';
  if (seconds * 1_000 <= CLOCK_TOLERANCE) return good('clock', `${String(seconds)} s ${side} the authority's`);
  return bad(
    'clock',
    `This machine's clock is ${String(seconds)} s ${side} the authority's: documents would be refused; set it by NTP`,
  );
}

/** A key that nobody has is asked about: whose certificate is refused gets another answer than that it is not known. */
async function registrationCheck(
  { authority, clock }: CheckServices,
  client: AuthorityClient,
  timeZone: string,
): Promise<Check> {
  const { state, taxId, model } = client;
  const number = randomInt(1, 1_000_000_000);
  const key = accessKey({
    stateCode: STATE_CODES[state as keyof typeof STATE_CODES],
    issuedOn: dayOf(clock.now(), timeZone),
    taxId,
    model,
    series: UNUSED_SERIES,
    number,
    emissionType: 1,
    randomCode: randomCode(randomInt(100_000_000), number),
  });
  try {
    const answer = await authority.query(client, key);
    if (answer.kind === 'refused') return bad('registration', `${answer.code} ${answer.message}`);
    return good(
      'registration',
      "The authority answers the store's certificate. Whether the store may issue shows with its first document",
    );
  } catch (error) {
    if (!(error instanceof AuthorityAway)) throw error;
    return bad('registration', error.message);
  }
}
