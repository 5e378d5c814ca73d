import type { FiscalAuthority } from '../ports/fiscal-authority.js';
import { AuthorityAway } from '../ports/fiscal-authority.js';
import type { HttpPoster } from '../ports/http-poster.js';

/** Parties outside that nobody speaks to while a command is only tried. */

const SILENCE = 'nothing is sent in a dry run';
const unsent = () => new AuthorityAway({ pt: 'nada é enviado em um ensaio', en: SILENCE }, true);

export const silentPoster = (poster: HttpPoster): HttpPoster => ({
  refusalOf: (url) => poster.refusalOf(url),
  post: () => Promise.resolve({ durationMs: 0, statusCode: null, error: SILENCE, snippet: null }),
  close: () => Promise.resolve(),
});

/** A document would be on its way, and nobody knows yet what becomes of it. */
export const silentAuthority = (authority: FiscalAuthority): FiscalAuthority => ({
  name: authority.name,
  authorize: () => Promise.resolve({ kind: 'undecided', code: '', message: SILENCE }),
  query: () => Promise.resolve({ kind: 'undecided', code: '', message: SILENCE }),
  status: () => Promise.resolve({ available: true, code: '', message: SILENCE, clockAhead: null }),
  cancel: () => Promise.reject(unsent()),
  voidNumbers: () => Promise.reject(unsent()),
  fallback: () => Promise.resolve(undefined),
  consumerAddresses: (issuer) => authority.consumerAddresses(issuer),
  close: () => Promise.resolve(),
});
