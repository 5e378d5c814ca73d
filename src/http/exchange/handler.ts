import type { Request } from 'express';
import { newSeed } from '../../kernel/values/ids.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Principal } from '../../kernel/routes/request-context.js';
import type { Input, Reply, Route } from '../../kernel/routes/route.js';
import { Followed, RawJson, RawJsonBytes, Streamed } from '../../kernel/routes/route.js';
import { RowConflict, START, StoreUnavailable } from '../../ports/event-store.js';
import type { Client } from './client.js';
import { dryAnswer, startDryRun, wantsDryRun } from './dry-run.js';
import type { Answer, Exchange } from './exchange.js';
import { keyedRequest } from '../idempotency/key.js';
import type { Run } from '../idempotency/idempotency.js';
import type { Outcome } from '../idempotency/outcome.js';
import type { ShellContext } from '../options.js';
import { entityTag, revisionsOf } from './preconditions.js';
import { IDEMPOTENCY_IN_PROGRESS, MALFORMED_REQUEST } from './rejections.js';
import type { Shell } from './shell.js';

/** While a store is away nobody waits until all before them have heard so. */
const PATIENCE = 2_000;

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];

const cookiesOf = (session: NonNullable<Reply['session']>, { sessionCookies }: Client): readonly string[] =>
  session === 'ended' ? sessionCookies.clear() : sessionCookies.set(session.accessToken, session.refreshToken);

function answerOf(route: Route, reply: Reply, position: string | undefined, client: Client): Answer {
  const headers: string[] = [];
  if (reply.etag !== undefined) headers.push('ETag', entityTag(reply.etag));
  if (position !== undefined) headers.push('X-Position', position);
  if (reply.session) for (const cookie of cookiesOf(reply.session, client)) headers.push('Set-Cookie', cookie);
  if (reply.headers) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value);
  const { status } = route.response;
  if (status === 204 || reply.body === undefined) return { status, headers, body: undefined };
  if (reply.body instanceof Streamed) {
    const { contentType, pieces } = reply.body;
    return { status, headers: ['Content-Type', contentType, ...headers], body: undefined, pieces };
  }
  if (reply.body instanceof Followed) {
    const { contentType, follow } = reply.body;
    return { status, headers: ['Content-Type', contentType, ...headers], body: undefined, follow };
  }
  return { status, headers: [...JSON_TYPE, ...headers], body: jsonOf(reply.body) };
}

function jsonOf(body: unknown): string | Buffer {
  if (body instanceof RawJson) return body.text;
  return body instanceof RawJsonBytes ? body.bytes : JSON.stringify(body);
}

function minPositionOf(request: Request, { options, positions }: Shell): string | undefined {
  const token = request.headers['x-min-position'];
  if (token === undefined) return undefined;
  const position = typeof token === 'string' ? positions.open(token) : undefined;
  if (position !== undefined && options.eventStore.isPosition(position)) return position;
  throw new Rejection(MALFORMED_REQUEST, 'X-Min-Position is no position of this service');
}

/** What a change is of; undefined where answers speak of nothing that others change. */
function changedBy({ method, path, permission }: Route, { storeId, actor }: Principal, { params }: Input) {
  if (method !== 'patch' && method !== 'put') return undefined;
  const [id = path] = Object.values(params ?? {}) as readonly string[];
  return `${storeId}/${permission === 'session' ? actor.id : ''}/${id}`;
}

/** What a run of a handler left behind, as far as it came. */
const outcomeOf = (context: ShellContext | undefined): Pick<Outcome, 'recorded' | 'rightsAsked'> => ({
  recorded: context?.recorded() ?? false,
  rightsAsked: context?.rightsAsked ?? new Map<never, never>(),
});

/** Calls a route's handler with the context that the request deserves, once for each idempotency key. */
export function handlerRunner(route: Route, shell: Shell) {
  const { services } = shell.options;
  const repeatable = route.method !== 'get' && route.permission !== 'public';
  const positionAfter = (context: ShellContext): string | undefined => {
    const position = repeatable ? context.answerPosition() : (context.lastPosition() ?? START);
    return position === START ? undefined : shell.positions.seal(position);
  };

  return async (exchange: Exchange, principal: Principal, input: Input): Promise<Answer> => {
    const { request, requestId, traceparent, client } = exchange;
    const minPosition = minPositionOf(request, shell);
    // Nothing that is only read is guarded by it.
    const ifMatch = route.method === 'get' ? undefined : revisionsOf(request.headers['if-match']);
    const changed = changedBy(route, principal, input);
    let context: ShellContext | undefined;

    const handle = async (run: Run): Promise<Answer> => {
      const { seed, keyed, claim, claimLasts, repeatSince, didNothing } = run;
      const facts = {
        principal,
        client,
        requestId,
        traceparent,
        ifMatch,
        minPosition,
        seed,
        keyed,
        claim,
        claimLasts,
        repeatSince,
        didNothing,
      };
      context = services.contextFor(facts);
      const asked = context;
      const handled =
        changed === undefined
          ? route.handle(input, asked)
          : shell.changes.take(changed, async () => route.handle(input, asked), PATIENCE);
      const reply = handled instanceof Promise ? await handled : handled;
      const visible = context.visibleEverywhere();
      if (visible) await visible;
      return answerOf(route, reply, positionAfter(context), client);
    };

    const handleKeyed = async (run: Run): Promise<Outcome> => {
      try {
        const answer = await handle(run);
        return { answer, ...outcomeOf(context), uncertain: false };
      } catch (error) {
        if (error instanceof RowConflict) throw new Rejection(IDEMPOTENCY_IN_PROGRESS);
        const uncertain = error instanceof StoreUnavailable && error.unknown;
        return { answer: exchange.problem(error), ...outcomeOf(context), uncertain };
      }
    };

    const tryOnly = async (): Promise<Answer> => {
      const dry = startDryRun(route, shell);
      try {
        const facts = { seed: newSeed(shell.clock.now()), keyed: false, claim: undefined, repeatSince: undefined };
        const tried = dry.contextFor({ principal, client, requestId, traceparent, ifMatch, minPosition, ...facts });
        const reply = await dry.route.handle(input, tried);
        return dryAnswer(answerOf(route, reply, undefined, client), dry.events(tried));
      } finally {
        dry.end();
      }
    };

    const key = repeatable ? keyedRequest(request, principal, input.body) : undefined;
    if (wantsDryRun(route, request.headers)) return tryOnly();
    if (key) return shell.idempotency.answer(key, handleKeyed, route);
    const seed = newSeed(shell.clock.now());
    return handle({ seed, keyed: false, claim: undefined, repeatSince: undefined });
  };
}
