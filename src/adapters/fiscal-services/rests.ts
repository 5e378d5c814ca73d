import { z } from 'zod';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/values/clock.js';
import { toIso } from '../../kernel/values/clock.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';
import type { Vault } from '../../ports/vault.js';

const KIND = 'fiscal-rest';
const ISSUERS = 10_000;
/** `why` is what the authority said. */
const value = z.object({ until: z.number(), why: z.string() });
type Rest = z.output<typeof value>;

const HOUR = 3_600_000;
/** Not everybody comes back in the same moment. */
const SPREAD = 300_000;
/** No rest ends later, however far the clocks of two processes are apart: one that seems to is of a clock that was ahead. */
const LONGEST = 2 * HOUR;
const NO_REST: Rest = { until: 0, why: '' };
/** Another process may be told to rest at any time. */
const BELIEVED = 5_000;

/** Who asked too often asks nothing for an hour, not even after a restart: asking on would renew it. */
export class IssuerRests {
  private readonly rests = new LRUCache<string, Rest>({ max: ISSUERS });

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async expectNone(issuer: string): Promise<void> {
    const now = this.clock.now();
    const known = this.rests.get(issuer);
    // One that is over says nothing of what another process was told since.
    const believed = known === NO_REST || (known && known.until > now) ? known : undefined;
    const { until, why } = believed ?? (await this.stored(issuer));
    if (until <= now || until > now + LONGEST) return;
    const pt = `A SEFAZ recebeu consultas demais (${why}); nada é perguntado até ${toIso(until)}`;
    const en = `The authority was asked too often (${why}); nothing is asked until ${toIso(until)}`;
    throw new AuthorityAway({ pt, en }, false, { stage: 'not-asked' });
  }

  async begin(issuer: string, why: string): Promise<void> {
    const until = this.clock.now() + HOUR + Math.floor(Math.random() * SPREAD);
    const rest = { until, why };
    this.rests.set(issuer, rest);
    await this.vault.write([{ kind: KIND, id: issuer, value: rest, expected: 'any', expiresAt: until }]);
  }

  private async stored(issuer: string): Promise<Rest> {
    const found = await this.vault.get(KIND, issuer);
    const rest = found ? value.parse(found.value) : NO_REST;
    this.rests.set(issuer, rest, found ? {} : { ttl: BELIEVED });
    return rest;
  }
}
