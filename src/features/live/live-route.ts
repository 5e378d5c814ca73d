import { z } from 'zod';
import { Followed, route } from '../../kernel/routes/route.js';
import type { LiveChanges } from '../contracts/live-changes.js';

export const watchStore = (live: LiveChanges) =>
  route({
    method: 'get',
    path: '/live',
    operationId: 'watchStore',
    tag: 'Store',
    summary: 'Tells what changes in the store, as it happens',
    description: `Server-sent events that go on until the client leaves, the credential is revoked or the service stops.

Each message is \`{ "collections": ["sale", "lot"], "position": "…" }\`: the kinds of records that were written since the last one, as far as the credential may view them. Kinds are those of \`/audit/entities/{kind}/{id}\`. The \`id\` of a message is its \`position\`; in the form of \`X-Position\`, so that a query with it as \`X-Min-Position\` sees the change.

A client that comes back with \`Last-Event-ID\`, as browsers do, first gets one message with all kinds that changed meanwhile, or \`{ "reset": true }\` where that is not known any more: everything may have changed. A comment every 20 seconds keeps the connection open.`,
    permission: 'authenticated',
    request: { query: z.strictObject({}) },
    response: { status: 200, alternatives: ['text/event-stream'] },
    handle(_input, { storeId, actor, permissions, session, client }) {
      const principal = { storeId, actor, permissions, ...(session ? { session } : {}) };
      const body = new Followed('text/event-stream; charset=utf-8', (stream) => {
        live.watch(principal, client.lastEventId, stream);
      });
      // A proxy that gathers what it passes on would hold changes back.
      return { body, headers: { 'X-Accel-Buffering': 'no' } };
    },
  });
