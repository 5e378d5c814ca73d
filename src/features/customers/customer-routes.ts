import { z } from 'zod';
import { cpfOrCnpj } from '../../brazil/cpf.js';
import { defined } from '../../kernel/values/defined.js';
import type { FeatureServices } from '../contracts/feature.js';
import { freeText, pathId } from '../../kernel/values/fields.js';
import { isUuid } from '../../kernel/values/ids.js';
import { listAnswer, listQuery, rangeOf } from '../../kernel/routes/lists.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import type { StoredAddress } from '../contracts/fiscal-settings.js';
import { addressAnswer, completeAddress } from '../contracts/fiscal-settings.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { customers } from '../../../projections/customers/customers.js';
import { CustomerChanges } from './changes.js';
import { CustomerRecords } from './directory.js';
import type { CustomerErasures } from './erasures.js';
import type { Told } from './events.js';
import { customerChanges, newCustomer } from './fields.js';
import { SearchKeys } from './keys.js';
import { CUSTOMER_ERASED, DOCUMENT_TAKEN } from './rejections.js';
import { documentTerm, queryTerms } from './search-terms.js';

const LONGEST_QUERY = 100;

const record = z
  .object({
    id: z.uuid(),
    name: z.string().nullable().meta({ description: 'null once the customer was erased' }),
    document: z.string().nullable().meta({ description: 'CPF or CNPJ without punctuation' }),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    stateRegistration: z.string().nullable().meta({ description: 'Digits of a taxpayer, ISENTO of an exempt one' }),
    address: addressAnswer.nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    erasedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Customer' });

const erasure = z
  .object({
    keptDocuments: z.array(
      z.object({
        id: z.uuid(),
        saleId: z.uuid(),
        model: z.int(),
        series: z.int(),
        number: z.int(),
        accessKey: z.string().nullable(),
        status: z.string(),
      }),
    ),
  })
  .meta({ id: 'CustomerErasure' });

const query = listQuery.extend({
  q: freeText(LONGEST_QUERY).optional().meta({
    description:
      'Beginnings of words of the name, of the document or of the phone number (3 digits on), or the e-mail address',
  }),
  document: cpfOrCnpj.optional(),
});
const params = z.strictObject({ id: pathId });

const reading = { tag: 'Customers', permission: 'customers.view' } as const;
const changing = { tag: 'Customers', permission: 'customers.manage' } as const;

const sealedForm = (address: StoredAddress | null): string | null =>
  address === null ? null : JSON.stringify(address);

export function customerRoutes(
  { vault, stores, documents }: FeatureServices,
  erasures: CustomerErasures,
): readonly Route[] {
  const records = new CustomerRecords(vault);
  const changes = new CustomerChanges(vault);
  const searchKeys = new SearchKeys(vault);

  async function reply(context: RequestContext, id: string): Promise<Reply> {
    const { record: body, revision } = await records.one(context, id);
    return { body, etag: revision };
  }

  /** As it was after a change, whatever has happened since: only of who was erased there is nothing left to tell. */
  async function replyAfter(context: RequestContext, told: Told): Promise<Reply> {
    const { storeId } = context;
    const now = await records.one(context, told.data.id);
    const then = now.revision === told.revision ? now : await records.after(storeId, told, now.record.createdAt);
    const { record: body, revision } = now.record.erasedAt === null && then ? then : now;
    return { body, etag: revision };
  }

  return [
    route({
      ...reading,
      method: 'get',
      path: '/customers',
      summary: 'Lists the customers, the newest first',
      request: { query },
      response: { status: 200, schema: listAnswer(record) },
      async handle({ query: { q, document, limit, cursor, ...period } }, context) {
        const { storeId } = context;
        const key = q !== undefined || document !== undefined ? await searchKeys.find(storeId) : undefined;
        const words = key && q !== undefined ? queryTerms(key, q) : undefined;
        // What is asked for has no letter and no digit.
        if (words === '' && q !== '') return { body: { items: [], nextCursor: null } };
        const timeZone = await timeZoneOf(stores, storeId);
        const page = await context.reads.find(customers, {
          sort: { column: 'createdAt', direction: 'desc' },
          limit,
          ...rangeOf('createdAt', period, timeZone),
          ...(cursor === undefined ? {} : { cursor }),
          ...(words ? { words } : {}),
          ...(key && document !== undefined ? { equal: { document: documentTerm(key, document) } } : {}),
        });
        const items = await records.open(storeId, page.items);
        return { body: { items: items.map((item) => item.record), nextCursor: page.nextCursor } };
      },
    }),
    route({
      ...reading,
      method: 'get',
      path: '/customers/{id}',
      summary: 'Gives one customer with its entity tag',
      description: 'Of one who was erased there are the id and the times; everything else is null.',
      request: { params },
      response: { status: 200, schema: record, etag: true },
      handle: (input, context) => reply(context, input.params.id),
    }),
    route({
      ...changing,
      method: 'post',
      path: '/customers',
      personal: true,
      summary: 'Registers a customer',
      description: 'A document belongs to one customer of the store at most.',
      request: { body: newCustomer },
      response: { status: 201, schema: record, etag: true },
      rejections: [DOCUMENT_TAKEN],
      async handle({ body }, context) {
        const id = context.newId();
        const { document = null, email = null, phone = null } = body;
        const { stateRegistration = null } = body;
        const address = body.address ? completeAddress(body.address) : null;
        const plain = { name: body.name, document, email, phone, stateRegistration };
        const person = { ...plain, address: sealedForm(address) };
        const event = await changes.register(context, id, person);
        if (!event) return reply(context, id);
        const { at } = event.meta;
        return { body: { id, ...plain, address, createdAt: at, updatedAt: at, erasedAt: null }, etag: event.revision };
      },
    }),
    route({
      ...changing,
      method: 'patch',
      path: '/customers/{id}',
      personal: true,
      summary: 'Changes a customer; omitted fields stay, null clears',
      request: { params, body: customerChanges },
      response: { status: 200, schema: record, etag: true },
      rejections: [DOCUMENT_TAKEN, CUSTOMER_ERASED],
      async handle(input, context) {
        const { id } = input.params;
        if (!isUuid(id)) throw new Rejection(NOT_FOUND);
        if (context.didNothing) return reply(context, id);
        const { address, ...plain } = input.body;
        const moved = address === undefined ? {} : { address: sealedForm(address && completeAddress(address)) };
        const changed = await changes.change(context, id, { ...defined(plain), ...moved });
        return changed ? replyAfter(context, changed) : reply(context, id);
      },
    }),
    route({
      ...changing,
      method: 'post',
      path: '/customers/{id}/erase',
      summary: 'Erases a person: the key of all that is known of them is destroyed',
      description:
        'Sales and the rest of the history stay whole; wherever they name the customer, name, document, e-mail and phone are null from now on. It cannot be undone. Erasing again changes nothing. Fiscal documents with a number are kept, encrypted, as tax law demands; the answer lists those of the customer.',
      request: { params },
      response: { status: 200, schema: erasure },
      async handle(input, context) {
        const { id } = input.params;
        if (!isUuid(id)) throw new Rejection(NOT_FOUND);
        await erasures.erase(context, id);
        return { body: { keptDocuments: await documents.keptOf(context, id) } };
      },
    }),
  ];
}
