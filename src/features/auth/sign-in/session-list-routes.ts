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
import { firstIdOf, sessionsOf, signedInAt } from './sessions.js';

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

const mySessions = (services: AuthServices, { session }: RequestContext): Promise<readonly Session[]> =>
  sessionsOf(services, session?.userId ?? '');

/** One that switches to another store meanwhile goes on as a session that was not there before. */
async function endAll(
  services: AuthServices,
  context: RequestContext,
  isMeant: (session: Session) => boolean,
): Promise<void> {
  const ended = new Set<string>();
  for (;;) {
    const found = await mySessions(services, context);
    const left = found.filter((session) => isMeant(session) && !ended.has(session.sessionId));
    if (left.length === 0) return;
    await endSessions(context, await ownAccount(services, context), left);
    for (const { sessionId } of left) ended.add(sessionId);
  }
}

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
      const wanted = (await mySessions(services, context)).find(({ sessionId }) => sessionId === params.id);
      if (!wanted) throw new Rejection(NOT_FOUND);
      await endAll(services, context, (session) => firstIdOf(session) === firstIdOf(wanted));
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
      await endAll(services, context, ({ sessionId }) => sessionId !== context.session?.sessionId);
      return {};
    },
  }),
];
