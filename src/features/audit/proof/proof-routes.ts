import { z } from 'zod';
import { leafOf } from '../../../../projections/audit/audit-tree.js';
import { CHAIN_START, hashOf } from '../../../kernel/events/chain.js';
import { counted } from '../../../kernel/events/history.js';
import { metaOf } from '../../../kernel/events/recorded.js';
import { NOT_FOUND, Rejection, rejection } from '../../../kernel/events/rejection.js';
import { consistencyPath, inclusionPath } from '../../../kernel/proof/merkle.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { pathId, queryInteger } from '../../../kernel/values/fields.js';
import type { EventStore, StoredEvent } from '../../../ports/event-store.js';
import { isChainedToCosts } from '../costs.js';
import { findEvent } from '../events/event-lookup.js';
import { checkpointAnswer, makeCheckpoint } from './checkpoint.js';
import type { LogTree } from './log-tree.js';
import type { SigningKey } from './signing-key.js';

interface ProofServices {
  readonly tree: LogTree;
  readonly key: SigningKey;
  readonly eventStore: EventStore;
}

const MOST_EVENTS = 4_000_000_000;
const COSTS_HIDDEN = rejection(
  403,
  'COSTS_HIDDEN',
  'The event holds costs, or is chained to one that does, which needs the permission production.costs',
);
const SIZE_NOT_REACHED = rejection(400, 'SIZE_NOT_REACHED', 'The tree does not have that many events');

const viewing = { tag: 'Audit', permission: 'audit.view' } as const;
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const storedEvent = z
  .strictObject({
    id: z.uuid(),
    stream: z.string(),
    revision: z.int(),
    type: z.string(),
    data: z.string().meta({ description: 'JSON, byte for byte as it is stored' }),
    meta: z
      .string()
      .meta({ description: 'JSON, byte for byte as it is stored; its `hash` chains the event to the one before it' }),
  })
  .meta({ id: 'StoredEvent' });

const proofAnswer = z
  .strictObject({
    event: storedEvent,
    leafIndex: z.int(),
    size: z.int(),
    leafHash: hash,
    previousHash: z.string().meta({
      description:
        'The hash of the event before it in its stream, empty where there is none: with it the hash of the event can be worked out from all that the event says',
    }),
    path: z.array(hash),
    checkpoint: checkpointAnswer,
  })
  .meta({ id: 'InclusionProof' });

const consistencyAnswer = z
  .strictObject({ from: z.int(), to: z.int(), path: z.array(hash) })
  .meta({ id: 'ConsistencyProof' });

const hex = (hashes: readonly Buffer[]): string[] => hashes.map((bytes) => bytes.toString('hex'));

/** What was asked of an event that shows costs, if only by the hashes that it is chained to, is refused to who may not see them: a part of it would prove nothing. */
function expectVisible(event: StoredEvent, context: RequestContext): void {
  if (isChainedToCosts(event.stream) && !context.may('production.costs')) throw new Rejection(COSTS_HIDDEN);
}

/** The hash that an event is chained to. */
async function hashBefore(eventStore: EventStore, { stream, revision }: StoredEvent): Promise<string> {
  if (revision === 0) return CHAIN_START;
  const [before] = await eventStore.readStream(stream, { from: revision - 1, limit: 1 });
  return before ? hashOf(before) : CHAIN_START;
}

/** What is given of a smaller tree proves nothing of what came after it. */
const notYetIn = (size: number): Rejection =>
  new Rejection(SIZE_NOT_REACHED, `the event came after the first ${counted(size, 'event', 'events')}`, {
    errors: [{ path: 'size', message: 'ends before the event' }],
  });

async function sizeUpTo(tree: LogTree, context: RequestContext, wanted: number | undefined): Promise<number> {
  const size = await tree.size(context);
  if (wanted !== undefined && wanted > size) throw new Rejection(SIZE_NOT_REACHED);
  return wanted ?? size;
}

export const proofRoutes = ({ tree, key, eventStore }: ProofServices): readonly Route[] => {
  const signed = { tree, key, logId: eventStore.logId };
  return [
    route({
      ...viewing,
      method: 'get',
      path: '/audit/checkpoint',
      summary:
        'Gives the signed size and root of the log: kept elsewhere, it shows later that nothing before it was changed',
      request: {},
      response: { status: 200, schema: checkpointAnswer },
      async handle(_, context) {
        return { body: await makeCheckpoint(signed, await tree.size(context), context.at) };
      },
    }),
    route({
      ...viewing,
      method: 'get',
      path: '/audit/proofs/{eventId}',
      summary: 'Shows that an event is part of the log of a size: the hashes that lead from it to the root',
      description: 'The answer can be checked without the service: `npm run audit -- check-proof FILE`.',
      request: {
        params: z.strictObject({ eventId: pathId }),
        query: z.strictObject({ size: queryInteger(1, MOST_EVENTS).optional() }),
      },
      response: { status: 200, schema: proofAnswer },
      rejections: [COSTS_HIDDEN, SIZE_NOT_REACHED],
      async handle({ params: { eventId }, query }, context) {
        const event = await findEvent(eventStore, context, eventId);
        if (!event) throw new Rejection(NOT_FOUND);
        expectVisible(event, context);
        const [size, previousHash] = await Promise.all([
          sizeUpTo(tree, context, query.size),
          hashBefore(eventStore, event),
        ]);
        const leaf = leafOf({ stored: event, meta: metaOf(event) });
        const leafIndex = await tree.leafIndex(event.position, leaf);
        if (leafIndex === undefined) throw new Rejection(SIZE_NOT_REACHED);
        if (leafIndex >= size) throw notYetIn(size);
        const path = await tree.compute((subtree) => inclusionPath(subtree, leafIndex, size));
        const { id, stream, revision, type, data, meta } = event;
        return {
          body: {
            event: { id, stream, revision, type, data, meta },
            leafIndex,
            size,
            leafHash: leaf.toString('hex'),
            previousHash,
            path: hex(path),
            checkpoint: await makeCheckpoint(signed, size, context.at),
          },
        };
      },
    }),
    route({
      ...viewing,
      method: 'get',
      path: '/audit/consistency',
      summary: 'Shows that the log of one size is the beginning of the log of a later size',
      request: {
        query: z.strictObject({ from: queryInteger(0, MOST_EVENTS), to: queryInteger(0, MOST_EVENTS).optional() }),
      },
      response: { status: 200, schema: consistencyAnswer },
      rejections: [SIZE_NOT_REACHED],
      async handle({ query: { from, to: wanted } }, context) {
        const to = await sizeUpTo(tree, context, wanted);
        if (from > to) throw new Rejection(SIZE_NOT_REACHED, 'from is greater than to');
        return { body: { from, to, path: hex(await tree.compute((subtree) => consistencyPath(subtree, from, to))) } };
      },
    }),
    route({
      method: 'get',
      path: '/.well-known/store-management-audit-key',
      operationId: 'getAuditKey',
      tag: 'Audit',
      summary: 'Gives the public key that checkpoints are signed with',
      permission: 'public',
      request: {},
      response: {
        status: 200,
        schema: z.strictObject({ algorithm: z.literal('Ed25519'), publicKey: z.string() }).meta({ id: 'AuditKey' }),
      },
      async handle() {
        return { body: { algorithm: 'Ed25519', publicKey: await key.publicKey() } };
      },
    }),
  ];
};
