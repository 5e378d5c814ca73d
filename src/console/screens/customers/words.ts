import type { Catalogue } from '../../words/words.js';

export const words = {
  title: ['Clientes', 'Customers'],
  create: ['Novo cliente', 'New customer'],
  search: ['Buscar por nome, e-mail, telefone, CPF ou CNPJ', 'Search by name, e-mail, phone, CPF or CNPJ'],
  empty: ['Nenhum cliente ainda.', 'No customers yet.'],
  nothingFound: ['Nenhum cliente corresponde à busca.', 'No customer matches.'],
  found: ['{n} cliente encontrado|{n} clientes encontrados', '{n} customer found|{n} customers found'],
  foundMore: ['Mais de {n} clientes encontrados', 'More than {n} customers found'],
  name: ['Nome', 'Name'],
  document: ['CPF ou CNPJ', 'CPF or CNPJ'],
  email: ['E-mail', 'E-mail'],
  phone: ['Telefone', 'Phone'],
  stateRegistration: ['Inscrição estadual', 'State registration'],
  stateRegistrationHint: ['Só para quem compra com CNPJ e tem uma.', 'Only for who buys as a company and has one.'],
  address: ['Endereço', 'Address'],
  addressHint: [
    'Necessário para emitir NF-e e para avisar em um recall.',
    'Needed for an NF-e and to tell them in a recall.',
  ],
  since: ['Cadastrado em', 'Registered on'],
  changed: ['Última mudança', 'Last change'],
  basics: ['Dados', 'Details'],
  sales: ['Compras', 'Purchases'],
  noSales: ['Nenhuma compra ainda.', 'No purchases yet.'],
  allSales: ['Ver todas', 'See all'],
  erase: ['Eliminar dados', 'Erase the person'],
  eraseLead: [
    'A chave que protege os dados desta pessoa é destruída. Nome, documento, contatos e endereço deixam de existir em todas as telas, no histórico e nas cópias de segurança novas. Ninguém pode desfazer isto.',
    'The key that seals all that is known of this person is destroyed. Name, document, contacts and address are gone from every screen, from the history and from new backups. Nobody can undo this.',
  ],
  eraseKeeps: [
    'As vendas continuam, sem o nome. Documentos fiscais já emitidos guardam o que a lei manda guardar.',
    'Their sales stay, without the name. Fiscal documents that were issued keep what the law wants kept.',
  ],
  eraseAsked: ['Para confirmar, digite o nome do cliente: {name}', 'To confirm, type the name of the customer: {name}'],
  eraseSubmit: ['Eliminar para sempre', 'Erase for good'],
  erasedLead: [
    'Os dados pessoais deste cliente foram eliminados em {when}. As vendas dele continuam na lista, sem nome.',
    'What was known of this customer was erased on {when}. Their sales stay in the list, without a name.',
  ],
  erasedName: ['Cliente eliminado', 'Erased customer'],
} as const satisfies Catalogue;
