import type { Clock } from '../../kernel/values/clock.js';
import type { ServiceAnswer, Words } from '../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';
import { AskedTooOften, ServiceStopped, spoken } from './answers.js';

/** So many questions in a row without an answer, and the authority counts as away. */
const FAILURES = 5;
/** Whose certificate is not taken does not ask on everybody's behalf for so long. */
const OWN_FAULT = 60_000;

interface Watched {
  failures: number;
  away: { readonly since: number; readonly why: Words } | undefined;
  /** What the last probe found, or that it found nobody. */
  probed: { readonly at: number; readonly found: ServiceAnswer | AuthorityAway } | undefined;
  probing: Promise<ServiceAnswer> | undefined;
}

/** The probe got no answer; what was to be asked did not leave. */
function notAsked(error: unknown): undefined {
  if (!(error instanceof AuthorityAway) || error instanceof AskedTooOften) throw error;
  if (error.stage !== 'own-certificate') return undefined;
  throw new AuthorityAway(error.words, false, { stage: error.stage, cause: error });
}

/** What all stores know together of one authority: while it is away nobody but one probe now and then asks it. */
export class ServiceWatch {
  private readonly authorities = new Map<string, Watched>();
  private readonly ownFaults = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    /** At least so long between two probes of one authority. */
    private readonly probeEvery: number,
    private readonly onChange: (authority: string, change: string) => void,
  ) {}

  /** Asks for the state of the service, unless somebody did so lately. */
  status(authority: string, issuer: string, probe: () => Promise<ServiceAnswer>): Promise<ServiceAnswer> {
    const watched = this.of(authority);
    const { probed } = watched;
    if (!probed || this.clock.now() - probed.at >= this.probeEvery) return this.probe(authority, issuer, probe);
    const { found } = probed;
    return found instanceof AuthorityAway ? Promise.reject(found) : Promise.resolve(found);
  }

  /** Asks something, unless the authority is away. */
  async ask<T>(
    authority: string,
    issuer: string,
    probe: () => Promise<ServiceAnswer>,
    question: () => Promise<T>,
  ): Promise<T> {
    const watched = this.of(authority);
    if (watched.away) await this.expectBack(authority, issuer, probe, watched);
    try {
      const answer = await question();
      watched.failures = 0;
      return answer;
    } catch (error) {
      this.note(authority, issuer, watched, error);
      throw error;
    }
  }

  private async expectBack(
    authority: string,
    issuer: string,
    probe: () => Promise<ServiceAnswer>,
    watched: Watched,
  ): Promise<void> {
    const { away, probed } = watched;
    if (!away) return;
    const isFresh = probed && this.clock.now() - probed.at < this.probeEvery;
    const mayProbe = watched.probing ?? (!isFresh && (this.ownFaults.get(issuer) ?? 0) <= this.clock.now());
    const back = mayProbe ? await this.probe(authority, issuer, probe).catch(notAsked) : undefined;
    if (back?.available !== true) {
      const { pt, en } = away.why;
      const words = { pt: `${authority} está fora do ar: ${pt}`, en: `${authority} is away: ${en}` };
      throw new AuthorityAway(words, false, { stage: 'not-asked' });
    }
  }

  private probe(authority: string, issuer: string, probe: () => Promise<ServiceAnswer>): Promise<ServiceAnswer> {
    const watched = this.of(authority);
    watched.probing ??= this.probed(authority, issuer, watched, probe).finally(() => {
      watched.probing = undefined;
    });
    return watched.probing;
  }

  private async probed(
    authority: string,
    issuer: string,
    watched: Watched,
    probe: () => Promise<ServiceAnswer>,
  ): Promise<ServiceAnswer> {
    try {
      const answer = await probe();
      watched.probed = { at: this.clock.now(), found: answer };
      if (answer.available) {
        if (watched.away) this.onChange(authority, 'is back');
        watched.away = undefined;
        watched.failures = 0;
      } else {
        const words = spoken(answer);
        this.setAway(authority, watched, { pt: words, en: words });
      }
      return answer;
    } catch (error) {
      if (!(error instanceof AuthorityAway)) throw error;
      this.note(authority, issuer, watched, error);
      if (error.stage === 'own-certificate') throw error;
      if (watched.away) watched.probed = { at: this.clock.now(), found: error };
      throw error;
    }
  }

  private note(authority: string, issuer: string, watched: Watched, error: unknown): void {
    if (!(error instanceof AuthorityAway)) return;
    if (error.stage === 'own-certificate') this.ownFaults.set(issuer, this.clock.now() + OWN_FAULT);
    if (error instanceof ServiceStopped) {
      const answer = { available: false, ...error.said, clockAhead: null };
      watched.probed = { at: this.clock.now(), found: answer };
      this.setAway(authority, watched, error.words);
      return;
    }
    if (error.stage === 'own-certificate' || error.stage === 'not-asked') return;
    watched.failures += 1;
    if (watched.failures >= FAILURES) this.setAway(authority, watched, error.words);
  }

  private setAway(authority: string, watched: Watched, why: Words): void {
    if (!watched.away) this.onChange(authority, `is away: ${why.en}`);
    watched.away ??= { since: this.clock.now(), why };
  }

  private of(authority: string): Watched {
    const known = this.authorities.get(authority);
    if (known) return known;
    const fresh: Watched = { failures: 0, away: undefined, probed: undefined, probing: undefined };
    this.authorities.set(authority, fresh);
    return fresh;
  }
}
