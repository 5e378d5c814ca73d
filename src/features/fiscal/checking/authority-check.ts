import { randomInt } from 'node:crypto';
import { STATE_CODES } from '../../../brazil/states.js';
import type { Language } from '../../../kernel/events/history.js';
import { counted } from '../../../kernel/events/history.js';
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

/** What was found, or what to do, in each language. */
type Detail = Readonly<Record<Language, string>>;

export interface Check {
  readonly name: CheckName;
  readonly ok: boolean;
  /** False where a step before it failed, and so nothing is known of it. */
  readonly tried: boolean;
  readonly detail: Detail;
}

interface CheckServices {
  readonly settings: Pick<SettingsKeeper, 'signer'>;
  readonly authority: FiscalAuthority;
  readonly clock: Clock;
}

const ENVIRONMENT = { PRODUCTION: 'produção', HOMOLOGATION: 'homologação' } as const;
const DAY = 86_400_000;
/** A document of which the authority believes that it comes from the future is refused. */
const CLOCK_TOLERANCE = 3 * 60_000;
const UNUSED_SERIES = 889;

/** As people in Brazil write a day. */
const shortDay = (moment: string): string =>
  dayOf(Date.parse(moment), 'America/Sao_Paulo').split('-').reverse().join('/');

const inBoth = (pt: string, en: string): Detail => ({ pt, en });
/** What the authority says is told as it came. */
const asSaid = (words: string): Detail => inBoth(words, words);
const good = (name: CheckName, detail: Detail): Check => ({ name, ok: true, tried: true, detail });
const bad = (name: CheckName, detail: Detail): Check => ({ name, ok: false, tried: true, detail });

const NO_CERTIFICATE = inBoth('não há certificado com que perguntar', 'there is no certificate to ask with');
const NOT_REACHED = inBoth('o serviço não foi alcançado', 'the service was not reached');
const NOT_ASKED = inBoth('nada é perguntado agora', 'nothing is asked now');

/** In the order in which they build on each other; what could not be tried says so. */
export async function checkAuthority(
  services: CheckServices,
  store: StoreFacts,
  model: Model,
): Promise<readonly Check[]> {
  const { certificate, client } = await certificateCheck(services, store, model);
  if (!client) return [certificate, ...untried(CHECKS.slice(1), NO_CERTIFICATE)];
  const chain = chainCheck(client);
  return [certificate, chain, ...(await serviceChecks(services, client, store.timeZone))];
}

const untried = (names: readonly CheckName[], { pt, en }: Detail): readonly Check[] =>
  names.map((name) => ({
    ...bad(name, inBoth(`Não foi tentado: ${pt}`, `Not tried: ${en}`)),
    tried: false,
  }));

async function certificateCheck(
  { settings, authority, clock }: CheckServices,
  { id: storeId, taxId, legalName, fiscal }: StoreFacts,
  model: Model,
): Promise<{ readonly certificate: Check; readonly client: AuthorityClient | undefined }> {
  const failed = (pt: string, en: string) => ({
    certificate: bad('certificate', inBoth(pt, en)),
    client: undefined,
  });
  if (taxId === null || !fiscal.address)
    return failed('Falta o CNPJ ou o endereço da loja', 'The store lacks its CNPJ or its address');
  const { certificate: own, environment } = fiscal;
  if (own === null && environment === 'PRODUCTION')
    return failed('A loja não tem certificado', 'The store has no certificate');
  if (own && Date.parse(own.expiresAt) <= clock.now()) {
    return failed(
      `O certificado de ${own.subject} venceu em ${shortDay(own.expiresAt)}: renove-o e envie o novo`,
      `The certificate of ${own.subject} expired on ${own.expiresAt}: have it renewed, and send the new one`,
    );
  }
  const signer = await settings.signer(storeId, fiscal, { taxId, name: legalName });
  if (!signer) {
    return failed(
      'O certificado não pode mais ser lido: envie-o de novo',
      'The certificate cannot be read any more: send it again',
    );
  }
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
    const detail = inBoth(
      `O certificado é de ${owner ?? 'ninguém'}, a loja é ${taxId}: o que ele assina seria recusado (213)`,
      `The certificate belongs to ${owner ?? 'nobody'}, the store is ${taxId}: what it signs would be refused (213)`,
    );
    return { certificate: bad('certificate', detail), client };
  }
  if (own) {
    const days = Math.floor((Date.parse(own.expiresAt) - clock.now()) / DAY);
    const left = inBoth(
      `${own.subject}, vale por mais ${counted(days, 'dia', 'dias')}`,
      `${own.subject}, valid for ${counted(days, 'day', 'days')} more`,
    );
    return { certificate: good('certificate', left), client };
  }
  const pt = 'Um certificado que o serviço fez para testes';
  const en = 'A certificate that the service made for trials';
  const isEnough = authority.name === 'simulator';
  const certificate = isEnough
    ? good('certificate', inBoth(pt, en))
    : bad(
        'certificate',
        inBoth(
          `${pt}: a autoridade só aceita um da ICP-Brasil (fiscal.certificate)`,
          `${en}: the authority takes only one of ICP-Brasil; set fiscal.certificate`,
        ),
      );
  return { certificate, client };
}

function chainCheck({ certificate: { chain } }: AuthorityClient): Check {
  const gap = chainGap(chain);
  if (gap !== undefined) {
    const detail = inBoth(
      `Falta o certificado de ${gap}: algumas autoridades exigem a cadeia inteira; exporte o arquivo com ela`,
      `The certificate of ${gap} is missing: some authorities ask for the whole chain; export the file with it`,
    );
    return bad('chain', detail);
  }
  const count = String(chain.length);
  const isOne = chain.length === 1;
  return good(
    'chain',
    inBoth(
      isOne ? '1 certificado' : `${count} certificados, cada um emitido pelo seguinte`,
      isOne ? '1 certificate' : `${count} certificates, each issued by the next`,
    ),
  );
}

async function serviceChecks(
  services: CheckServices,
  client: AuthorityClient,
  timeZone: string,
): Promise<readonly Check[]> {
  const { authority } = services;
  const { state, model, environment } = client;
  const reached = good(
    'address',
    inBoth(
      `Alcançado: ${authority.name === 'simulator' ? 'simulador' : authority.name}, ${state}, modelo ${String(model)}, ${ENVIRONMENT[environment]}`,
      `Reached: ${authority.name}, ${state}, model ${String(model)}, ${environment}`,
    ),
  );
  try {
    const { available, code, message, clockAhead } = await authority.status(client);
    const words = asSaid(`${code} ${message}`.trim());
    return [
      reached,
      available ? good('service', words) : bad('service', words),
      clockCheck(clockAhead),
      await registrationCheck(services, client, timeZone),
    ];
  } catch (error) {
    if (!(error instanceof AuthorityAway)) throw error;
    const { stage, words: said } = error;
    const rest = (names: readonly CheckName[]) => untried(names, NOT_REACHED);
    if (stage === 'own-certificate') {
      return [reached, ...rest(['service', 'clock']), bad('registration', said)];
    }
    if (stage === 'not-asked') {
      return [...untried(['address'], NOT_ASKED), bad('service', said), ...rest(['clock', 'registration'])];
    }
    if (stage !== 'answer') return [bad('address', said), ...rest(['service', 'clock', 'registration'])];
    return [reached, bad('service', said), ...rest(['clock', 'registration'])];
  }
}

function clockCheck(ahead: number | null): Check {
  if (ahead === null) {
    return bad('clock', inBoth('A autoridade não disse que horas são', 'The authority did not say what time it has'));
  }
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const pt = `${String(seconds)} s ${ahead > 0 ? 'atrás do' : 'à frente do'} relógio da autoridade`;
  const en = `${String(seconds)} s ${ahead > 0 ? 'behind' : 'ahead of'} the authority's`;
  if (seconds * 1_000 <= CLOCK_TOLERANCE) return good('clock', inBoth(pt, en));
  return bad(
    'clock',
    inBoth(
      `O relógio desta máquina está ${pt}: os documentos seriam recusados; acerte-o por NTP`,
      `This machine's clock is ${en}: documents would be refused; set it by NTP`,
    ),
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
    if (answer.kind === 'refused') return bad('registration', asSaid(`${answer.code} ${answer.message}`));
    return good(
      'registration',
      inBoth(
        'A autoridade responde ao certificado da loja. Se a loja pode emitir, o primeiro documento mostra',
        "The authority answers the store's certificate. Whether the store may issue shows with its first document",
      ),
    );
  } catch (error) {
    if (!(error instanceof AuthorityAway)) throw error;
    return bad('registration', error.words);
  }
}
