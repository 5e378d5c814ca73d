import type { components } from 'openapi-client';

export type RecallAnswer = components['schemas']['Recall'];

/** The code as the lot bears it, however it was typed; as it was asked for where lots with different codes match. */
export function ownCode({ lots, lotCode }: Pick<RecallAnswer, 'lots' | 'lotCode'>): string {
  const codes = new Set(lots.filter(({ kind }) => kind === 'MATCHED').map(({ lotCode: own }) => own));
  const [own] = codes;
  return codes.size === 1 && own ? own : lotCode;
}

/** What is left of a lot at one place. */
export type Left = components['schemas']['RecallRemaining'];

/** What the status of a lot is told by: what has expired is not available, also before anybody blocks it. */
export function lotFacts({ status, expiresAt, expiresOn }: Pick<Left, 'status' | 'expiresAt' | 'expiresOn'>) {
  const expired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return { status: status ?? 'AVAILABLE', expired, expiresOn } as const;
}
