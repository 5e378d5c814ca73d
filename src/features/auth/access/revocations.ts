import type { StoreEvent } from '../../stores/events.js';
import type { AccountEvent } from '../accounts/events.js';
import type { AccessEvent } from './events.js';

type Fact = (AccessEvent | AccountEvent | StoreEvent)['type'];

/** Facts that take away what a credential opened: they must hold everywhere once they are answered. */
const REVOCATIONS: ReadonlySet<string> = new Set<Fact>([
  'ApiKeyRevoked',
  'MemberChanged',
  'MemberRemoved',
  'SessionsRevoked',
  'SignedOut',
  'StoreSwitched',
  'RefreshTokenReused',
  'StorePlanChanged',
]);

export const isRevocation = ({ type }: { readonly type: string }): boolean => REVOCATIONS.has(type);
