import type { Histories, Language } from '../../../kernel/events/history.js';
import { counted, entity } from '../../../kernel/events/history.js';
import type { Role } from '../../contracts/permissions.js';
import type { AccessEvent } from './events.js';

/** What each role is called where people read of it. */
const ROLE_NAMES: Readonly<Record<Role, Readonly<Record<Language, string>>>> = {
  OWNER: { pt: 'dono', en: 'owner' },
  MANAGER: { pt: 'gerente', en: 'manager' },
  CASHIER: { pt: 'caixa', en: 'cashier' },
  BAKER: { pt: 'padeiro', en: 'baker' },
  ACCOUNTANT: { pt: 'contador', en: 'accountant' },
};

const user = (id: string) => entity('user', id);
const key = ({ keyId }: { readonly keyId: string }) => [entity('apiKey', keyId)];

export const accessHistory: Histories<AccessEvent> = {
  MemberAdded: {
    about: ({ memberId, userId }) => [user(memberId), user(userId)],
    pt: ({ memberId, role }, say) => `${say.name('user', memberId)} entrou na loja como ${ROLE_NAMES[role].pt}.`,
    en: ({ memberId, role }, say) => `${say.name('user', memberId)} joined the store as ${ROLE_NAMES[role].en}.`,
  },
  InvitationAccepted: {
    about: ({ memberId, userId }) => [user(memberId), user(userId)],
    pt: ({ memberId }, say) => `${say.name('user', memberId)} aceitou o convite.`,
    en: ({ memberId }, say) => `${say.name('user', memberId)} accepted the invitation.`,
  },
  MemberChanged: {
    about: ({ memberId }) => [user(memberId)],
    pt: ({ memberId, role, active, permissions }, say) =>
      `O acesso de ${say.name('user', memberId)} mudou: ${ROLE_NAMES[role].pt}${permissions ? ` com ${counted(permissions.length, 'permissão própria', 'permissões próprias')}` : ''}${active ? '' : ', inativo'}.`,
    en: ({ memberId, role, active, permissions }, say) =>
      `The access of ${say.name('user', memberId)} changed: ${ROLE_NAMES[role].en}${permissions ? ` with ${counted(permissions.length, 'permission', 'permissions')} of their own` : ''}${active ? '' : ', inactive'}.`,
  },
  MemberRemoved: {
    about: ({ memberId, userId }) => [user(memberId), user(userId)],
    pt: ({ memberId }, say) => `${say.name('user', memberId)} saiu da loja.`,
    en: ({ memberId }, say) => `${say.name('user', memberId)} left the store.`,
  },
  ApiKeyCreated: {
    about: key,
    pt: ({ name, permissions }) =>
      `A chave de API ${name} foi criada, com ${counted(permissions.length, 'permissão', 'permissões')}.`,
    en: ({ name, permissions }) =>
      `The API key ${name} was created, with ${counted(permissions.length, 'permission', 'permissions')}.`,
  },
  ApiKeyRevoked: {
    about: key,
    pt: ({ keyId }, say) => `A chave de API ${say.name('apiKey', keyId)} foi revogada.`,
    en: ({ keyId }, say) => `The API key ${say.name('apiKey', keyId)} was revoked.`,
  },
};
