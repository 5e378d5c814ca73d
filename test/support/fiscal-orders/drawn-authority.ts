import type {
  AuthorizationAnswer,
  Authorized,
  EventAnswer,
  KeyAnswer,
  Refused,
  Registered,
  SignedDocument,
  SignedEvent,
  SignedVoid,
} from '../../../src/ports/fiscal-authority.js';
import type { Schedule } from './schedule.js';

/** A document that the authority has. */
interface Taken {
  readonly digest: string;
  readonly at: number;
  readonly number: string;
  state: 'authorized' | 'cancelled' | 'undecided';
  decidesAt: number;
  cancelledAt: number;
}

const MINUTE = 60_000;
/** So long after its time a consumer's note may arrive. */
const FRESH = 5 * MINUTE;
const CANCELLABLE = { '55': 1_440 * MINUTE, '65': 30 * MINUTE } as const;
/** So long what was taken may not be found yet. */
const LAG = 2_000;

const refused = (code: string): Refused => ({ kind: 'refused', code, message: code, protocol: null });

/** Model, series and number of a key from its model on, or of the id of a request to give numbers up. */
const numberAt = (text: string, from: number): string =>
  `${text.slice(from, from + 2)}/${String(Number(text.slice(from + 2, from + 5)))}/${String(Number(text.slice(from + 5, from + 14)))}`;

const numberIn = (accessKey: string): string => numberAt(accessKey, 20);
const isConsumers = (accessKey: string): boolean => accessKey.startsWith('65', 20);

/** A tax authority that keeps to its rules, and refuses by chance until it is calm. */
export class DrawnAuthority {
  /** By key. */
  readonly taken = new Map<string, Taken>();
  readonly givenUp = new Set<string>();
  /** The only certificate whose signatures it takes. */
  certificate = 'CERTIFICATE-1';

  constructor(
    private readonly schedule: Schedule,
    /** How many of the documents it refuses. */
    private readonly refusing: number,
  ) {}

  authorize({ accessKey, digestValue, xml }: SignedDocument): AuthorizationAnswer {
    this.decide();
    const { draws, now, isCalm } = this.schedule;
    const number = numberIn(accessKey);
    const known = this.taken.get(accessKey);
    if (known) return refused(known.state === 'cancelled' ? '218' : '204');
    if (this.givenUp.has(number)) return refused('206');
    if ([...this.taken.values()].some((one) => one.number === number)) return refused('539');
    if (!xml.includes(this.certificate)) return refused('280');
    const emission = accessKey.slice(34, 35);
    const issuedAt = Date.parse(/<dhEmi>([^<]+)</.exec(xml)?.[1] ?? '');
    if (isConsumers(accessKey) && emission === '1' && now - issuedAt > FRESH) return refused('704');
    if (!isCalm && draws.chance(this.refusing)) {
      const code = draws.of(['778', '778', '280', '778', '113']);
      return refused(code === '113' && emission !== '7' ? '778' : code);
    }
    const isUndecided = !isCalm && draws.chance(0.08);
    const state = isUndecided ? 'undecided' : 'authorized';
    const decidesAt = now + (isUndecided ? draws.under(20_000) : 0);
    const one: Taken = { digest: digestValue, at: now, number, state, decidesAt, cancelledAt: 0 };
    this.taken.set(accessKey, one);
    return isUndecided ? { kind: 'undecided', code: '105', message: '' } : authorizedAs(accessKey, one);
  }

  query(accessKey: string): KeyAnswer {
    this.decide();
    const { draws, now, isCalm } = this.schedule;
    const one = this.taken.get(accessKey);
    if (!one || (!isCalm && now - one.at < LAG && draws.chance(0.2)))
      return { kind: 'unknown', code: '217', message: '' };
    if (one.state === 'undecided') return { kind: 'undecided', code: '105', message: '' };
    const document = authorizedAs(accessKey, one);
    if (one.state === 'authorized') return document;
    return { kind: 'cancelled', document, event: registered('135', one.cancelledAt) };
  }

  cancel({ accessKey, xml }: SignedEvent): EventAnswer {
    this.decide();
    const { now } = this.schedule;
    const one = this.taken.get(accessKey);
    if (!xml.includes(this.certificate)) return refused('280');
    if (!one || one.state === 'undecided') return refused('217');
    if (one.state === 'cancelled') return refused('573');
    if (xml.includes('<tpEvento>110112')) {
      const substitute = this.taken.get(/<chNFeRef>([^<]+)/.exec(xml)?.[1] ?? '');
      if (substitute?.state !== 'authorized') return refused('910');
    } else if (now - one.at > CANCELLABLE[isConsumers(accessKey) ? '65' : '55']) return refused('501');
    one.state = 'cancelled';
    one.cancelledAt = now;
    return registered('135', now);
  }

  voidNumbers({ id, xml }: SignedVoid): EventAnswer {
    this.decide();
    const number = numberAt(id, 20);
    if (!xml.includes(this.certificate)) return refused('280');
    if (this.givenUp.has(number)) return refused('563');
    if ([...this.taken.values()].some((one) => one.number === number)) return refused('241');
    this.givenUp.add(number);
    return registered('102', this.schedule.now);
  }

  private decide(): void {
    for (const one of this.taken.values())
      if (one.state === 'undecided' && this.schedule.now >= one.decidesAt) one.state = 'authorized';
  }
}

const authorizedAs = (accessKey: string, { digest, at }: Taken): Authorized => ({
  kind: 'authorized',
  code: '100',
  message: 'Autorizado o uso',
  protocol: `1${accessKey.slice(-14)}`,
  receivedAt: new Date(at).toISOString(),
  digestValue: digest,
  protocolXml: `<protNFe><digVal>${digest}</digVal></protNFe>`,
});

const registered = (code: string, at: number): Registered => ({
  kind: 'registered',
  code,
  message: '',
  protocol: '99',
  registeredAt: new Date(at).toISOString(),
  answerXml: '<ret/>',
});
