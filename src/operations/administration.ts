import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { createKey } from '../features/auth/access/api-keys.js';
import { access } from '../features/auth/access/decider.js';
import type { Members } from '../features/auth/access/members.js';
import { ROLES } from '../features/contracts/permissions.js';
import { memberServices } from '../features/auth/access/services.js';
import { findAccountByLogin, findAccountByName } from '../features/auth/accounts/directory.js';
import { emailAddress, newPassword, userName } from '../features/auth/accounts/fields.js';
import { foldName } from '../features/auth/accounts/names.js';
import { passwordHashOf } from '../features/auth/accounts/password-rows.js';
import { USERNAME_TAKEN } from '../features/auth/accounts/rejections.js';
import type { Store } from '../features/stores/decider.js';
import { SLUG_TAKEN, STORES_STREAM, planOf, stores } from '../features/stores/decider.js';
import type { StoresBySlug } from '../features/stores/directory.js';
import { storeDirectory } from '../features/stores/directory.js';
import type { StoreRecord } from '../features/stores/events.js';
import { PLANS, SEGMENTS } from '../features/stores/events.js';
import { RESERVATION_GRACE } from '../kernel/patterns/reservations.js';
import { CommandContext } from '../kernel/lanes/command-context.js';
import type { FeatureServices } from '../features/contracts/feature.js';
import { digits, name } from '../kernel/values/fields.js';
import { newId, newSeed } from '../kernel/values/ids.js';
import { TurnsByKey } from '../kernel/values/turns.js';
import { DEFAULT_KEY_PERMISSIONS, PERMISSIONS } from '../features/permissions.js';
import { NOT_FOUND, Rejection } from '../kernel/events/rejection.js';
import { SYSTEM } from '../kernel/routes/request-context.js';
import type { Commands } from '../kernel/lanes/commands.js';
import { timeZone } from '../features/contracts/time-zone.js';
import { FiscalAdministration } from './fiscal-administration.js';
import { UserAdministration } from './user-administration.js';

/** What the administration command line does, in this process or, over a socket, in the running service. */

const NAME_LENGTH = 120;

const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
  error: 'takes lower-case letters, digits and hyphens inside, 63 at most',
});

export const createStoreInput = z.strictObject({
  slug,
  name: name(NAME_LENGTH),
  segment: z.enum(SEGMENTS).default('RETAIL'),
  activityCode: digits(7).nullable().default(null),
  timeZone: timeZone.default('America/Sao_Paulo'),
  plan: z.enum(PLANS).default('api'),
  requireTwoFactor: z.boolean().default(false),
});

const credentials = { username: userName, email: emailAddress, password: newPassword };

export const createOwnedStoreInput = createStoreInput.extend(credentials);

export const setPlanInput = z.strictObject({ store: slug, plan: z.enum(PLANS) });

export const createUserInput = z.strictObject({
  store: slug,
  ...credentials,
  name: name(NAME_LENGTH).optional(),
  role: z.enum(ROLES),
});

const permissionList = z
  .string()
  .transform((text) => (text === 'all' ? [...PERMISSIONS] : text.split(',')))
  .pipe(z.array(z.enum(PERMISSIONS)).min(1));

export const createApiKeyInput = z.strictObject({
  store: slug,
  name: name(NAME_LENGTH),
  permissions: permissionList.default([...DEFAULT_KEY_PERMISSIONS]),
});

type NewUser = Omit<z.output<typeof createUserInput>, 'store'> & { readonly name: string };

interface OwnedStore {
  readonly storeId: string;
  readonly slug: string;
  readonly userId: string;
}

interface AdministrationServices extends Pick<
  FeatureServices,
  'lanes' | 'vault' | 'clock' | 'hasher' | 'mail' | 'authority'
> {
  /** Where the links of mails lead; undefined without pages for people, and where nobody knows their address. */
  readonly pagesUrl: () => string | undefined;
}

export class Administration {
  readonly users: UserAdministration;
  readonly stores: StoresBySlug;
  readonly fiscal: FiscalAdministration;
  private readonly members: Members;
  private readonly creations = new TurnsByKey();

  constructor(private readonly services: AdministrationServices) {
    this.stores = storeDirectory(services.lanes);
    this.members = memberServices({ ...services, stores: this.stores }).members;
    this.users = new UserAdministration({
      ...services,
      expectStore: (wanted) => this.expectStore(wanted),
      contextFor: (id) => this.contextFor(id),
    });
    this.fiscal = new FiscalAdministration({ ...services, stores: this.stores });
  }

  /** A store without anybody in it. */
  async createStore(input: z.output<typeof createStoreInput>): Promise<{ storeId: string; slug: string }> {
    const id = newId(this.services.clock.now());
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
    await this.contextFor(id).executeOn(stores, STORES_STREAM, { type: 'create', store }, { storeId: id });
    return { storeId: id, slug: input.slug };
  }

  /** With its first administrator. Asked again after a crash, it goes on where that happened; whoever asks at once for the same slug waits. */
  createOwnedStore(input: z.output<typeof createOwnedStoreInput>): Promise<OwnedStore> {
    return this.creations.take(input.slug, () => this.ownedStore(input));
  }

  private async ownedStore(input: z.output<typeof createOwnedStoreInput>): Promise<OwnedStore> {
    const { username, slug: wanted } = input;
    const known = await this.storeBySlug(wanted);
    // Refused before it leaves a store without anybody in it.
    if (!known && (await findAccountByName(this.services.lanes, username))) throw new Rejection(USERNAME_TAKEN);
    const storeId = known?.id ?? (await this.createStore(input)).storeId;
    const context = this.contextFor(storeId);
    const { members } = await context.current(access);
    if (members.size > 0) {
      const made = await this.madeBefore(context, input);
      if (made === undefined) throw new Rejection(SLUG_TAKEN);
      return { storeId, slug: wanted, userId: made };
    }
    return {
      storeId,
      slug: wanted,
      userId: await this.addUser(storeId, { ...input, name: username, role: 'OWNER' }),
    };
  }

  async listStores(): Promise<{ stores: readonly object[] }> {
    const listed = (await this.stores.all()).map(({ id, slug: short, tradeName, segment, plan }) => ({
      id,
      slug: short,
      name: tradeName,
      segment,
      plan: plan.name,
    }));
    return { stores: listed };
  }

  async setPlan(input: z.output<typeof setPlanInput>): Promise<{ storeId: string; plan: string }> {
    const { id } = await this.expectStore(input.store);
    const { plan } = input;
    await this.contextFor(id).executeOn(stores, STORES_STREAM, { type: 'setPlan', id, plan }, { storeId: id });
    return { storeId: id, plan };
  }

  async createUser(input: z.output<typeof createUserInput>): Promise<{ userId: string; username: string }> {
    const { id } = await this.expectStore(input.store);
    const { username } = input;
    const userId = await this.addUser(id, { ...input, name: input.name ?? username });
    return { userId, username };
  }

  async createApiKey(
    input: z.output<typeof createApiKeyInput>,
  ): Promise<{ id: string; key: string; permissions: readonly string[] }> {
    const { id } = await this.expectStore(input.store);
    const { keyId, key } = await createKey(this.contextFor(id), this.services.vault, {
      name: input.name,
      permissions: input.permissions,
      expiresAt: null,
      by: 'commandLine',
    });
    return { id: keyId, key, permissions: input.permissions };
  }

  storeBySlug(wanted: string): Promise<Store | undefined> {
    return this.stores.bySlug(wanted);
  }

  private async expectStore(wanted: string): Promise<StoreRecord> {
    const store = await this.storeBySlug(wanted);
    if (!store) throw new Rejection(NOT_FOUND, `there is no store ${wanted}`);
    return store;
  }

  private async addUser(storeId: string, { username, email, name: called, password, role }: NewUser): Promise<string> {
    const profile = { username, email, name: called };
    const rights = { role, permissions: null, active: true };
    const add = () =>
      this.members.add(
        this.contextFor(storeId),
        { profile, password, rights, addressProved: true },
        'commandLine',
        this.services.pagesUrl(),
      );
    try {
      return (await add()).record.id;
    } catch (error) {
      if (!(error instanceof Rejection && error.kind === USERNAME_TAKEN)) throw error;
      // Perhaps by an earlier run of the same command, which a crash ended a moment ago.
      await pause(RESERVATION_GRACE);
      return (await add()).record.id;
    }
  }

  /** The administrator that an earlier run of the same command made. */
  private async madeBefore(
    context: Commands,
    { username, email, password }: z.output<typeof createOwnedStoreInput>,
  ): Promise<string | undefined> {
    const { lanes, vault, hasher } = this.services;
    const found = await findAccountByLogin(lanes, username);
    if (!found || foldName(found.email) !== foldName(email)) return undefined;
    const memberId = (await context.current(access)).memberByUser.get(found.userId);
    const same = await hasher.verify(password, await passwordHashOf(vault, found));
    return same ? memberId : undefined;
  }

  private contextFor(storeId: string): Commands {
    const seed = newSeed(this.services.clock.now());
    const facts = { storeId, actor: SYSTEM, requestId: 'administration', seed };
    return new CommandContext(this.services.lanes, {
      ...facts,
      keyed: false,
      claim: undefined,
      repeatSince: undefined,
    });
  }
}
