import type { FeatureServices } from '../../contracts/feature.js';
import { Presence } from '../accounts/presence.js';
import { AddressProofs } from '../sign-in/address-proofs.js';
import { MailLimit } from '../sign-in/mail-limit.js';
import { OneTimeTokens } from '../sign-in/one-time-tokens.js';
import { Invitations } from './invitations.js';
import { Members } from './members.js';

/** What users of a store are managed with, by request or by the command line. */
export function memberServices(
  services: Pick<FeatureServices, 'lanes' | 'vault' | 'clock' | 'hasher' | 'mail' | 'stores'>,
): { readonly members: Members; readonly invitations: Invitations } {
  const { vault, clock } = services;
  const mailing = { tokens: new OneTimeTokens(vault, clock), mailLimit: new MailLimit(services) };
  const invitations = new Invitations({ ...services, ...mailing });
  const addressProofs = new AddressProofs({ ...services, ...mailing });
  const presence = new Presence(vault, clock);
  return { members: new Members({ ...services, invitations, addressProofs, presence }), invitations };
}
