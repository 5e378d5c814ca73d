import { z } from 'zod';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { toIso } from '../../../kernel/values/clock.js';
import { pathId } from '../../../kernel/values/fields.js';
import { endSessions } from './facts.js';
import { ownAccount } from './own-account.js';
import { tag } from './schemas.js';
import type { AuthServices } from './services.js';
import type { Session } from './sessions.js';
import { sessionsOf, signedInAt } from './sessions.js';

const record = z
  .object({
    id: z.uuid(),
    createdAt: z.iso.datetime().meta({ description: 'When its user signed in' }),
    lastSeenAt: z.iso
      .datetime()
      .meta({ description: 'When it was last renewed, which happens every 15 minutes of use' }),
    userAgent: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });

const recordOf = (session: Session, context: RequestContext): z.output<typeof record> => ({
  id: session.sessionId,
  createdAt: toIso(signedInAt(session)),
  lastSeenAt: toIso(session.refresh.rotatedAt),
  userAgent: session.userAgent ?? null,
  current: session.sessionId === context.session?.sessionId,
});

const end = async (services: AuthServices, context: RequestContext, ended: readonly Session[]): Promise<void> =>
  endSessions(context, await ownAccount(services, context), ended);

const mySessions = (services: AuthServices, { session }: RequestContext): Promise<readonly Session[]> =>
  sessionsOf(services, session?.userId ?? '');

/** Where a user is signed in, in whichever store, and how they sign out from afar. */
export const sessionListRoutes = (services: AuthServices): readonly Route[] => [
  route({
    method: 'get',
    path: '/auth/sessions',
    tag,
    summary: 'Where the user is signed in, the newest first',
    permission: 'session',
    request: {},
    response: { status: 200, schema: z.object({ items: z.array(record) }) },
    async handle(_input, context) {
      const found = await mySessions(services, context);
      return { body: { items: found.map((session) => recordOf(session, context)) } };
    },
  }),
  route({
    method: 'delete',
    path: '/auth/sessions/{id}',
    tag,
    summary: 'Ends one session of the user at once',
    permission: 'session',
    request: { params: z.strictObject({ id: pathId }) },
    response: { status: 204 },
    async handle({ params }, context) {
      const found = (await mySessions(services, context)).filter(({ sessionId }) => sessionId === params.id);
      if (found.length === 0) throw new Rejection(NOT_FOUND);
      await end(services, context, found);
      return {};
    },
  }),
  route({
    method: 'delete',
    path: '/auth/sessions',
    tag,
    summary: 'Ends all sessions of the user but this one',
    permission: 'session',
    request: {},
    response: { status: 204 },
    async handle(_input, context) {
      const known = new Set([context.session?.sessionId]);
      // One that switches to another store meanwhile goes on as a session that was not there before.
      for (;;) {
        const others = (await mySessions(services, context)).filter(({ sessionId }) => !known.has(sessionId));
        if (others.length === 0) return {};
        await end(services, context, others);
        for (const { sessionId } of others) known.add(sessionId);
      }
    },
  }),
];
