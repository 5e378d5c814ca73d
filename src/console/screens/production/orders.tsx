import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import type { Tone } from '../../parts/status.js';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Order = components['schemas']['ProductionOrder'];

const TONES: Readonly<Record<Order['status'], Tone>> = {
  PLANNED: 'calm',
  IN_PROGRESS: 'active',
  COMPLETED: 'good',
  PARTIALLY_REVERSED: 'warn',
  REVERSED: 'bad',
  CANCELLED: 'calm',
};

export function OrderStatus({ status }: { readonly status: Order['status'] }) {
  const t = useWords(words);
  return <Status tone={TONES[status]}>{t(status)}</Status>;
}

/** What tells an order apart by ear from others of the same recipe. */
export const spokenName = ({ recipeName, number }: Order): string => `${recipeName} ${String(number)}`;

export const isOpen = ({ status }: Order): boolean => status === 'PLANNED' || status === 'IN_PROGRESS';

export const useStart = (id: string) =>
  useCommand({
    send: (_: null, headers) =>
      body(api.POST('/bakery-production/orders/{id}/start', { params: { path: { id } }, headers })),
    kinds: ['order'],
  });

/** A stage ticked off, or taken back. */
export const useStage = (id: string) =>
  useCommand({
    send: ({ stageId, done }: { readonly stageId: string; readonly done: boolean }, headers) =>
      body(
        api.POST('/bakery-production/orders/{id}/stages/{stageId}', {
          params: { path: { id, stageId } },
          body: { done },
          headers,
        }),
      ),
    kinds: ['order'],
  });
