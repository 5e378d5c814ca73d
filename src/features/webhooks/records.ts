import type { z } from 'zod';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { kindOf } from '../../kernel/reactors/work-line.js';
import type { ListQuery } from '../../kernel/routes/lists.js';
import { momentRange } from '../../kernel/values/days.js';
import { isUuid, timeOfId } from '../../kernel/values/ids.js';
import { cursorAt, placeAt } from '../../kernel/routes/list-cursors.js';
import type { Vault } from '../../ports/vault.js';
import type { DELIVERY_EVENTS } from './answers.js';
import type { Destination } from './decider.js';
import type { Delivery, DeliveryStatus } from './deliveries.js';
import { delivery, deliveryIdOf, rowIdAt, rowIdOf, standing } from './deliveries.js';

export const DELIVERY_QUEUE = 'webhook-delivery';

const READ_AT_ONCE = 200;
/** A request with a filter looks at so many deliveries at most, and then says where it goes on. */
const LOOKED_AT = 5_000;
const LIST = 'deliveries';
const ROW_ID = /^([0-9a-f]{12}-[0-9a-f-]{36})$/;

export interface FoundDelivery {
  readonly delivery: Delivery;
  readonly version: number;
}

type DeliveryQuery = ListQuery & {
  readonly status?: DeliveryStatus | undefined;
  readonly event?: z.output<z.ZodEnum<{ [E in (typeof DELIVERY_EVENTS)[number]]: E }>> | undefined;
};

interface DeliveryPage {
  readonly items: readonly Delivery[];
  readonly nextCursor: string | null;
}

/** Deliveries as they lie in the vault, read for those who ask. */
export class DeliveryRecords {
  constructor(private readonly vault: Vault) {}

  async find({ destinationId }: Destination, deliveryId: string): Promise<FoundDelivery> {
    const kind = kindOf(DELIVERY_QUEUE, destinationId);
    const row = isUuid(deliveryId) ? await this.vault.get(kind, rowIdOf(deliveryId)) : undefined;
    if (!row) throw new Rejection(NOT_FOUND);
    return { delivery: delivery.parse(row.value), version: row.version };
  }

  /** The newest first. */
  async page(destination: Destination, query: DeliveryQuery, timeZone: string): Promise<DeliveryPage> {
    const kind = kindOf(DELIVERY_QUEUE, destination.destinationId);
    const { from, before } = momentRange(query, timeZone);
    const items: { readonly id: string; readonly known: Delivery }[] = [];
    const [place] = query.cursor === undefined ? [] : placeAt(LIST, query.cursor, ROW_ID);
    let after = place ?? rowIdAt(before - 1);
    for (let looked = 0; looked < LOOKED_AT; looked += READ_AT_ONCE) {
      const rows = await this.vault.list(kind, { after, limit: READ_AT_ONCE });
      for (const { id, value } of rows) {
        if (timeOfId(deliveryIdOf(id)) < from) return pageOf(items, null);
        const known = standing(delivery.parse(value), destination);
        if (!fits(known, query)) continue;
        if (items.length === query.limit) return pageOf(items, items.at(-1)?.id ?? null);
        items.push({ id, known });
      }
      if (rows.length < READ_AT_ONCE) return pageOf(items, null);
      after = rows.at(-1)?.id ?? after;
    }
    return pageOf(items, after);
  }
}

const fits = (known: Delivery, { status, event }: DeliveryQuery): boolean =>
  (status === undefined || known.status === status) && (event === undefined || known.event === event);

const pageOf = (items: readonly { readonly known: Delivery }[], last: string | null): DeliveryPage => ({
  items: items.map(({ known }) => known),
  nextCursor: last === null ? null : cursorAt(LIST, last),
});
