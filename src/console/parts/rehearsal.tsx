import type { components } from 'openapi-client';
import type { ComponentChildren } from 'preact';
import { dryRun } from '../client/api.js';
import type { Kind } from '../client/queries.js';
import { useRead } from '../client/queries.js';
import { Shown } from './shown.js';

type Outcome = components['schemas']['DryRunAnswer'];

/** What a destructive command would do, asked of the service before anybody confirms it. */
export function useRehearsal({
  key,
  kinds,
  send,
}: {
  readonly key: readonly unknown[];
  readonly kinds: readonly Kind[];
  readonly send: (headers: Record<string, string>, signal: AbortSignal) => Parameters<typeof dryRun>[0];
}) {
  return useRead<Outcome>({
    key: ['rehearsal', ...key],
    kinds,
    read: (signal) => dryRun(send({ Prefer: 'dry-run' }, signal)),
  });
}

/** Says what would happen, or why it cannot. */
export function Rehearsed({
  rehearsal,
  children,
}: {
  readonly rehearsal: ReturnType<typeof useRehearsal>;
  readonly children: (body: unknown) => ComponentChildren;
}) {
  return <Shown reading={rehearsal}>{({ body }) => <div class="note warn">{children(body)}</div>}</Shown>;
}
