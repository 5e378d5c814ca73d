import { CustomerChanges } from '../features/customers/changes.js';
import { uuidV5 } from '../kernel/values/ids.js';
import type { StoredAddress } from '../features/contracts/fiscal-settings.js';
import type { Commands } from '../kernel/lanes/commands.js';
import type { Vault } from '../ports/vault.js';

/** Name, document and phone number of those whom the bakery knows; nobody has these documents. */
export const CUSTOMERS: readonly (readonly [name: string, document: string | null, phone: string | null])[] = [
  ['Ana Beatriz Ferreira', '529.982.247-25', '+5511987650101'],
  ['Bruno Carvalho', null, '+5511987650102'],
  ['Carla Menezes', '111.444.777-35', null],
  ['Café da Esquina Ltda.', '12.345.678/0001-95', '+551132650104'],
  ['Diego Nascimento', null, '+5511987650105'],
  ['Escola Pequeno Mundo', '11.444.777/0001-61', '+551132650106'],
  ['Fernanda Queiroz', null, '+5511987650107'],
  ['Gustavo Pires', null, '+5511987650108'],
  ['Helena Duarte', '123.456.789-09', '+5511987650109'],
  ['Igor Santana', null, null],
  ['Joana Tavares', null, '+5511987650111'],
  ['Lucas Andrade', '987.654.321-00', null],
  ['Marina Lopes', null, '+5511987650113'],
  ['Núcleo de Eventos Aurora', null, '+551132650114'],
  ['Otávio Ramos', null, '+5511987650115'],
  ['Paula Siqueira', null, '+5511987650116'],
];

/** Customers that get documents of model 55 need an address. */
const ADDRESSES: Readonly<Record<string, StoredAddress>> = {
  'Escola Pequeno Mundo': {
    street: 'Rua dos Ipês',
    number: '45',
    complement: null,
    district: 'Vila Clementino',
    cityCode: '3550308',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '04038001',
    phone: '1132650106',
  },
};

const customerIdsOf = ({ storeId }: Commands): readonly string[] =>
  CUSTOMERS.map(([name]) => uuidV5(storeId, `customer ${name}`));

/** Customers of the table; one that an earlier start has registered stays as it is. Gives their ids. */
export async function fillCustomers(commands: Commands, vault: Vault): Promise<readonly string[]> {
  const changes = new CustomerChanges(vault);
  const ids = customerIdsOf(commands);
  for (const [index, [name, document, phone]] of CUSTOMERS.entries()) {
    const plain = document?.replace(/[./-]/g, '') ?? null;
    const claimId = uuidV5(commands.storeId, `claim of ${name}`);
    const address = ADDRESSES[name] ? JSON.stringify(ADDRESSES[name]) : null;
    await changes.register(
      commands,
      ids[index] ?? '',
      { name, document: plain, email: null, phone, stateRegistration: null, address },
      claimId,
    );
  }
  return ids;
}
