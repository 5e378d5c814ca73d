import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../kernel/values/clock.js';
import { streamName } from '../../../kernel/events/decider.js';
import type { StoreDirectory, StoreFacts } from '../../contracts/feature.js';
import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { Credentials } from '../../../kernel/routes/credentials.js';
import type { Principal } from '../../../kernel/routes/request-context.js';
import type { Vault } from '../../../ports/vault.js';
import type { AccessCache, CachedAccess } from './access-cache.js';
import { API_KEY_ROW, apiKeyRow, hashSecret, parseKey } from './api-keys.js';
import { access } from './decider.js';
import { KeyUses } from './key-uses.js';
import { CREDENTIAL_INVALID, KEY_OF_ANOTHER_STORE, PLAN_WITHOUT_API, STORE_SLUG_REQUIRED } from './rejections.js';

interface AuthenticationServices {
  readonly lanes: CommandLanes;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly stores: StoreDirectory;
}

export interface KnownKey extends CachedAccess {
  readonly secretHash: Buffer;
  readonly store: StoreFacts;
  readonly principal: Principal;
  readonly expiresAt: number;
}

/** Recognises API keys: one hash and a cached lookup for a key that was seen before. */
export class ApiKeyAuthentication {
  private readonly uses: KeyUses;

  constructor(
    private readonly services: AuthenticationServices,
    private readonly cache: AccessCache<KnownKey>,
  ) {
    this.uses = new KeyUses(services.vault, services.clock);
  }

  authenticate({ bearer, storeSlug }: Credentials): Principal | Promise<Principal> {
    const parsed = bearer === undefined ? undefined : parseKey(bearer);
    if (!parsed) throw new Rejection(CREDENTIAL_INVALID);
    const found = this.cache.get(parsed.keyId, () => this.lookUp(parsed.keyId));
    if (found instanceof Promise) return found.then((key) => this.admit(key, parsed.secret, storeSlug));
    return this.admit(found, parsed.secret, storeSlug);
  }

  /** What a key that was admitted before may do now; undefined once it opens nothing any more. */
  async readmit({ actor }: Principal): Promise<Principal | undefined> {
    const key = await this.cache.get(actor.id, () => this.lookUp(actor.id));
    return key && this.isInForce(key) && key.store.plan.apiAccess ? key.principal : undefined;
  }

  private isInForce({ expiresAt }: KnownKey): boolean {
    return expiresAt > this.services.clock.now();
  }

  private admit(key: KnownKey | undefined, secret: string, storeSlug: string | undefined): Principal {
    const given = Buffer.from(hashSecret(secret), 'hex');
    if (!key || !timingSafeEqual(given, key.secretHash) || !this.isInForce(key)) {
      throw new Rejection(CREDENTIAL_INVALID);
    }
    if (!storeSlug) throw new Rejection(STORE_SLUG_REQUIRED);
    if (storeSlug !== key.store.slug) throw new Rejection(KEY_OF_ANOTHER_STORE);
    if (!key.store.plan.apiAccess) throw new Rejection(PLAN_WITHOUT_API);
    this.uses.note(key.storeId, key.principal.actor.id);
    return key.principal;
  }

  /** A row in the vault without its event is inert: the key must stand in its store's access stream. */
  private async lookUp(keyId: string): Promise<KnownKey | undefined> {
    const { lanes, vault } = this.services;
    const row = await vault.get(API_KEY_ROW, keyId);
    if (!row) return undefined;
    const { storeId, secretHash } = apiKeyRow.parse(row.value);
    const { state } = await lanes.current(access, streamName(access.category, storeId));
    const key = state.keys.get(keyId);
    const store = await this.services.stores.byId(storeId);
    if (!key || !store) return undefined;
    return {
      storeId,
      secretHash: Buffer.from(secretHash, 'hex'),
      store,
      principal: {
        storeId,
        actor: { kind: 'apiKey', id: keyId, name: key.name },
        permissions: new Set(key.permissions),
      },
      expiresAt: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
    };
  }
}
