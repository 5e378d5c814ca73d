import { z } from 'zod';
import { makeKey } from './features/auth/access/api-keys.js';
import { access } from './features/auth/access/decider.js';
import { STORES_STREAM, planOf, stores } from './features/stores/decider.js';
import type { StoreRecord } from './features/stores/events.js';
import { PLANS, SEGMENTS } from './features/stores/events.js';
import type { Clock } from './kernel/clock.js';
import { toIso } from './kernel/clock.js';
import { streamName } from './kernel/decider.js';
import { digits, name } from './kernel/fields.js';
import { newId } from './kernel/ids.js';
import type { Lanes } from './kernel/lanes.js';
import { DEFAULT_KEY_PERMISSIONS, PERMISSIONS } from './kernel/permissions.js';
import { NOT_FOUND, Rejection } from './kernel/rejection.js';
import { SYSTEM } from './kernel/request-context.js';
import { timeZone } from './kernel/time-zone.js';
import type { VaultWrite } from './ports/vault.js';

/** What the administration command line does, in this process or, over a socket, in the running service. */

const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
  error: 'takes lower-case letters, digits and hyphens inside, 63 at most',
});

export const createStoreInput = z.strictObject({
  slug,
  name: name(120),
  segment: z.enum(SEGMENTS).default('RETAIL'),
  activityCode: digits(7).nullable().default(null),
  timeZone: timeZone.default('America/Sao_Paulo'),
  plan: z.enum(PLANS).default('api'),
  requireTwoFactor: z.boolean().default(false),
});

const permissionList = z
  .string()
  .transform((text) => (text === 'all' ? [...PERMISSIONS] : text.split(',')))
  .pipe(z.array(z.enum(PERMISSIONS)).min(1));

export const createApiKeyInput = z.strictObject({
  store: slug,
  name: name(120),
  permissions: permissionList.default([...DEFAULT_KEY_PERMISSIONS]),
});

export class Administration {
  constructor(
    private readonly lanes: Lanes,
    private readonly clock: Clock,
  ) {}

  async createStore(input: z.output<typeof createStoreInput>): Promise<{ storeId: string; slug: string }> {
    const id = newId(this.clock.now());
    const bakes = input.segment !== 'RETAIL';
    const store: StoreRecord = {
      id,
      slug: input.slug,
      legalName: input.name,
      tradeName: input.name,
      taxId: null,
      segment: input.segment,
      activityCode: input.activityCode,
      timeZone: input.timeZone,
      plan: planOf(input.plan),
      modules: { production: bakes, scaleCode: true, orders: bakes },
      requireTwoFactor: input.requireTwoFactor,
    };
    await this.lanes.execute(stores, STORES_STREAM, { type: 'create', store }, this.envelope(id));
    return { storeId: id, slug: input.slug };
  }

  async createApiKey(input: z.output<typeof createApiKeyInput>): Promise<{ id: string; key: string }> {
    const store = await this.storeBySlug(input.store);
    if (!store) throw new Rejection(NOT_FOUND, `there is no store ${input.store}`);
    const keyId = newId(this.clock.now());
    const { key, row } = makeKey(keyId, store.id);
    await this.lanes.execute(
      access,
      streamName(access.category, store.id),
      {
        type: 'createKey',
        key: { keyId, name: input.name, permissions: input.permissions, expiresAt: null },
        granter: 'everything',
      },
      this.envelope(store.id, [row]),
    );
    return { id: keyId, key };
  }

  async storeBySlug(wanted: string): Promise<StoreRecord | undefined> {
    const { state } = await this.lanes.current(stores, STORES_STREAM);
    return state.byId.get(state.idBySlug.get(wanted) ?? '');
  }

  async storeById(id: string): Promise<StoreRecord | undefined> {
    const { state } = await this.lanes.current(stores, STORES_STREAM);
    return state.byId.get(id);
  }

  private envelope(storeId: string, rows: readonly VaultWrite[] = []) {
    const now = this.clock.now();
    return {
      commandId: newId(now),
      storeId,
      actor: SYSTEM,
      requestId: 'administration',
      at: toIso(now),
      ...(rows.length > 0 ? { rows } : {}),
    };
  }
}
