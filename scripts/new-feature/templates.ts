import type { FeatureNames } from './names.js';

const events = ({ singular, noun }: FeatureNames) => `
import { z } from 'zod';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';

export const ${singular}Created = defineEvent('${noun}Created', 1, z.object({ id: z.string(), name: z.string() }));

export const ${singular}Events = eventCodec(${singular}Created);
export type ${noun}Event = EventOf<typeof ${singular}Created>;
`;

const decider = ({ folder, singular, noun, nouns, plainPlural }: FeatureNames) =>
  `
import { Map as ImmutableMap } from 'immutable';
import type { Decider, StreamType } from '../../kernel/events/decider.js';
import { NAME_TAKEN } from '../../kernel/patterns/named-set.js';
import { Rejection } from '../../kernel/events/rejection.js';
import { foldText } from '../../kernel/values/words.js';
import type { ${noun}Event } from './events.js';
import { ${singular}Events } from './events.js';

/** The ${plainPlural} of one store: their names are unique. */
export interface ${nouns} {
  readonly idByName: ImmutableMap<string, string>;
}

export interface Create${noun} {
  readonly type: 'create';
  readonly id: string;
  readonly name: string;
}

const decider: Decider<${nouns}, Create${noun}, ${noun}Event> = {
  initial: { idByName: ImmutableMap() },
  evolve: ({ idByName }, { data }) => ({ idByName: idByName.set(foldText(data.name), data.id) }),
  decide({ idByName }, { id, name }) {
    const holder = idByName.get(foldText(name));
    if (holder === id) return [];
    if (holder !== undefined) throw new Rejection(NAME_TAKEN);
    return [{ type: '${noun}Created', data: { id, name } }];
  },
};

export const ${singular}: StreamType<${nouns}, Create${noun}, ${noun}Event> = {
  category: '${folder}',
  decider,
  events: ${singular}Events,
  weigh: ({ idByName }) => idByName.size,
};
`;

const routes = ({ folder, singular, plural, noun, title, plainPlural, one }: FeatureNames) => `
import { z } from 'zod';
import { ${plural} } from '../../../projections/${folder}/${folder}.js';
import { cursorText, name, pathId, queryInteger } from '../../kernel/values/fields.js';
import { NAME_TAKEN } from '../../kernel/patterns/named-set.js';
import { listAnswer } from '../../kernel/routes/lists.js';
import { RawJson, route } from '../../kernel/routes/route.js';
import { recordReply } from '../../kernel/routes/stored-records.js';
import { ${singular} } from './decider.js';

const answer = z
  .object({ id: z.uuid(), name: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: '${noun}' });

const list = route({
  method: 'get',
  path: '/${folder}',
  tag: '${title}',
  summary: 'Lists the ${plainPlural} by name',
  permission: '${plural}.view',
  request: { query: z.strictObject({ cursor: cursorText.optional(), limit: queryInteger(1, 200).default(50) }) },
  response: { status: 200, schema: listAnswer(answer) },
  async handle({ query: { cursor, limit } }, { reads }) {
    const sort = { column: 'name', direction: 'asc' } as const;
    const page = await reads.find(${plural}, { sort, limit, ...(cursor === undefined ? {} : { cursor }) });
    const items = page.items.map(({ body }) => body).join(',');
    return { body: new RawJson(\`{"items":[\${items}],"nextCursor":\${JSON.stringify(page.nextCursor)}}\`) };
  },
});

const read = route({
  method: 'get',
  path: '/${folder}/{id}',
  tag: '${title}',
  summary: 'Gives ${one} with its entity tag',
  permission: '${plural}.view',
  request: { params: z.strictObject({ id: pathId }) },
  response: { status: 200, schema: answer, etag: true },
  handle: async ({ params }, { reads }) => recordReply(await reads.get(${plural}, params.id)),
});

const create = route({
  method: 'post',
  path: '/${folder}',
  tag: '${title}',
  summary: 'Creates ${one}',
  permission: '${plural}.manage',
  request: { body: z.strictObject({ name: name(120) }).meta({ id: '${noun}Body' }) },
  response: { status: 201, schema: answer, etag: true },
  rejections: [NAME_TAKEN],
  async handle({ body }, context) {
    const id = context.newId();
    await context.execute(${singular}, { type: 'create', id, name: body.name });
    return recordReply(await context.reads.get(${plural}, id));
  },
});

export const routes = [list, read, create];
`;

const permissions = ({ singular, plural, plainPlural }: FeatureNames) => `
import type { PermissionDeclaration } from '../contracts/permissions.js';

export const ${singular}Permissions = [
  {
    name: '${plural}.view',
    group: 'catalogue',
    label: 'Ver ${plainPlural}',
    description: 'Consultar ${plainPlural}.',
    english: { label: 'See ${plainPlural}', description: 'Look up ${plainPlural}.' },
    roles: ['MANAGER'],
    everyKey: false,
  },
  {
    name: '${plural}.manage',
    group: 'catalogue',
    label: 'Gerenciar ${plainPlural}',
    description: 'Cadastrar ${plainPlural}.',
    english: { label: 'Manage ${plainPlural}', description: 'Create ${plainPlural}.' },
    roles: ['MANAGER'],
    everyKey: false,
  },
] as const satisfies readonly PermissionDeclaration[];
`;

const history = ({ singular, noun, plainSingular }: FeatureNames) => `
import type { Histories } from '../../kernel/events/history.js';
import { entity } from '../../kernel/events/history.js';
import type { ${noun}Event } from './events.js';

export const ${singular}History: Histories<${noun}Event> = {
  ${noun}Created: {
    about: ({ id }) => [entity('${singular}', id)],
    pt: ({ name }) => \`${plainSingular} \${name}: criação.\`,
    en: ({ name }) => \`The ${plainSingular} \${name} was created.\`,
  },
};
`;

const feature = ({ folder, singular, plural }: FeatureNames) => `
import { ${plural}Projector } from '../../../projections/${folder}/${folder}.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { ${singular}Events } from './events.js';
import { routes } from './${singular}-routes.js';

export const ${plural}Feature: Feature = {
  name: '${folder}',
  routes: () => routes,
  events: [${singular}Events],
  viewing: { ${singular}: '${plural}.view' },
  records: [projectedRecord('${singular}', ${plural}Projector, 'name')],
};
`;

const projection = ({ folder, singular, plural, noun, one }: FeatureNames) => `
import { ${singular}Events } from '../../src/features/${folder}/events.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { foldText } from '../../src/kernel/values/words.js';

/** What queries give of ${one}. */
export interface ${noun}Document {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Becomes the entity tag. */
  readonly revision: number;
}

export const ${plural} = recordCollection<${noun}Document>({
  name: '${folder}',
  version: 1,
  hidden: ['revision'],
  columns: { name: { type: 'text', of: ({ name }) => foldText(name) } },
  indexes: [['name']],
});

export const ${plural}Projector = recordProjector(${plural}, [${singular}Events], {
  ${noun}Created: {
    ids: ({ data }) => [data.id],
    evolve: (_, { data, meta, revision }) => ({ id: data.id, name: data.name, createdAt: meta.at, revision }),
  },
});
`;

const test = ({ folder, singular, noun, one }: FeatureNames) => `
import { describe, test } from '@jest/globals';
import { ${singular} } from '../../src/features/${folder}/decider.js';
import { NAME_TAKEN } from '../../src/kernel/patterns/named-set.js';
import { given } from '../support/given.js';

const created = (id: string, name: string) => ({ type: '${noun}Created' as const, data: { id, name } });
const create = (id: string, name: string) => ({ type: 'create' as const, id, name });

describe('${one}', () => {
  test('is created', () => {
    given(${singular}).when(create('1', 'Café')).then(created('1', 'Café'));
  });
  test('is created once', () => {
    given(${singular}, created('1', 'Café')).when(create('1', 'Café')).thenNothing();
  });
  test('has a name of its own, whatever case and accents', () => {
    given(${singular}, created('1', 'Café')).when(create('2', 'CAFE')).thenRefused(NAME_TAKEN);
  });
});
`;

const sample = () => `{ "id": "019a9f3e-5c00-7a10-8b20-1c2d3e4f5a6b", "name": "Café" }\n`;

/** The files of a new feature: one record with a unique name that is created, read and listed. */
export const filesOf = (names: FeatureNames): ReadonlyMap<string, string> =>
  new Map([
    [`src/features/${names.folder}/events.ts`, events(names)],
    [`src/features/${names.folder}/decider.ts`, decider(names)],
    [`src/features/${names.folder}/${names.singular}-routes.ts`, routes(names)],
    [`src/features/${names.folder}/feature.ts`, feature(names)],
    [`src/features/${names.folder}/history.ts`, history(names)],
    [`src/features/${names.folder}/permissions.ts`, permissions(names)],
    [`projections/${names.folder}/${names.folder}.ts`, projection(names)],
    [`test/features/${names.folder}.test.ts`, test(names)],
    [`test/fixtures/events/${names.noun}Created.v1.json`, sample()],
  ]);
