import { z } from 'zod';
import type { Permission } from '../../../kernel/values/permissions.js';
import { PERMISSIONS } from '../../../kernel/values/permissions.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';

/** The permissions as people see them when they choose. */

type Entry = readonly [name: Permission, label: string, description: string];

interface Group {
  readonly group: string;
  readonly label: string;
  readonly entries: readonly Entry[];
}

const GROUPS: readonly Group[] = [
  {
    group: 'catalogue',
    label: 'Catálogo',
    entries: [
      ['products.view', 'Ver produtos', 'Consultar produtos, categorias, marcas, etiquetas e preços.'],
      ['products.manage', 'Gerenciar produtos', 'Cadastrar, alterar e excluir produtos, variações e preços.'],
      ['categories.manage', 'Gerenciar categorias', 'Cadastrar, alterar e excluir categorias e aplicar o NCM padrão.'],
      ['brands.manage', 'Gerenciar marcas', 'Cadastrar, alterar e excluir marcas.'],
      ['tags.manage', 'Gerenciar etiquetas', 'Cadastrar, alterar e excluir etiquetas de produtos.'],
    ],
  },
  {
    group: 'stock',
    label: 'Estoque',
    entries: [
      ['stock.view', 'Ver estoque', 'Consultar saldos, lotes, locais e movimentações.'],
      ['stock.manage', 'Gerenciar estoque', 'Registrar entradas, ajustes e transferências e bloquear lotes.'],
    ],
  },
  {
    group: 'sales',
    label: 'Vendas e clientes',
    entries: [
      ['sales.view', 'Ver vendas', 'Consultar vendas, pagamentos e devoluções.'],
      ['sales.manage', 'Registrar vendas', 'Registrar e cancelar vendas e receber devoluções.'],
      ['customers.view', 'Ver clientes', 'Consultar o cadastro de clientes.'],
      ['customers.manage', 'Gerenciar clientes', 'Cadastrar, alterar e apagar dados de clientes.'],
    ],
  },
  {
    group: 'production',
    label: 'Produção',
    entries: [
      ['production.view', 'Ver produção', 'Consultar receitas, ordens de produção e rastreabilidade.'],
      ['production.manage', 'Gerenciar produção', 'Alterar receitas e planejar, iniciar e concluir ordens.'],
      ['production.costs', 'Ver custos de produção', 'Consultar o custo padrão e o custo real das ordens.'],
      ['production.reverse', 'Estornar produção', 'Estornar ordens concluídas, no todo ou em parte.'],
    ],
  },
  {
    group: 'finance',
    label: 'Relatórios e taxas',
    entries: [
      ['reports.view', 'Ver relatórios', 'Consultar relatórios, inclusive o de recall.'],
      ['cardFees.view', 'Ver taxas de cartão', 'Consultar maquininhas, bandeiras e taxas.'],
      ['cardFees.manage', 'Gerenciar taxas de cartão', 'Alterar maquininhas, taxas e faixas e recalcular vendas.'],
    ],
  },
  {
    group: 'fiscal',
    label: 'Fiscal',
    entries: [
      ['fiscal.view', 'Ver documentos fiscais', 'Consultar documentos fiscais e entregas de webhooks.'],
      ['fiscal.manage', 'Gerenciar fiscal', 'Emitir e cancelar documentos e configurar webhooks.'],
    ],
  },
  {
    group: 'administration',
    label: 'Administração',
    entries: [
      ['users.manage', 'Gerenciar usuários', 'Incluir e retirar usuários e mudar o que cada um pode fazer.'],
      ['apiKeys.manage', 'Gerenciar chaves de API', 'Criar e revogar chaves de API.'],
      ['store.manage', 'Gerenciar a loja', 'Alterar os dados e as configurações da loja.'],
      ['audit.view', 'Ver auditoria', 'Consultar o histórico de tudo o que aconteceu na loja.'],
    ],
  },
];

const permissionCatalogue = GROUPS.map(({ group, label, entries }) => ({
  group,
  label,
  permissions: entries.map(([name, called, description]) => ({ name, label: called, description })),
}));

const catalogue = z.array(
  z.object({
    group: z.string(),
    label: z.string(),
    permissions: z.array(z.object({ name: z.enum(PERMISSIONS), label: z.string(), description: z.string() })),
  }),
);

export const catalogueRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/auth/permissions/catalog',
    tag: 'Authentication',
    summary: 'Lists all permissions in groups, with what they mean',
    permission: 'authenticated',
    request: {},
    response: { status: 200, schema: catalogue },
    handle: () => ({ body: permissionCatalogue }),
  }),
];
