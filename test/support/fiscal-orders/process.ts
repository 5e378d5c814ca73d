import crypto, { generateKeyPairSync } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { FeatureServices, StoreDirectory } from '../../../src/features/contracts/feature.js';
import type { FiscalDesk } from '../../../src/features/fiscal/issuing/desk.js';
import type { IssuingServices } from '../../../src/features/fiscal/issuing/services.js';
import { officeOf, settingsOf } from '../../../src/features/fiscal/office.js';
import { TaxedSales } from '../../../src/features/inventory/sales/taxing.js';
import { StoreContext, SYSTEM } from '../../../src/kernel/routes/request-context.js';
import type { Seed } from '../../../src/kernel/values/ids.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import type { FiscalAuthority } from '../../../src/ports/fiscal-authority.js';
import type { Vault, VaultWrite } from '../../../src/ports/vault.js';
import type { VariantFacts } from '../../../src/features/contracts/catalogue.js';
import type { Actor } from './schedule.js';
import { Dead } from './schedule.js';
import type { Shop } from './shop.js';
import { STORE } from './shop.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });

/** Signatures are made in threads, whose order no seed tells: here they cost nothing, and nobody checks them. */
type Signed = (error: Error | null, signature: Buffer) => void;
Object.assign(crypto, {
  sign: (_algorithm: string, _text: Buffer, _key: unknown, signed: Signed) => {
    signed(null, Buffer.from('signed'));
  },
});
syncBuiltinESMExports();

const variantOf = (variantId: string): VariantFacts => ({
  variantId,
  productId: variantId,
  description: 'Pao',
  productType: 'MERCHANDISE',
  active: true,
  saleUnit: 'UN',
  gtin: '',
  sku: null,
  priceCash: Decimal.one,
  ncm: '19059090',
  cest: null,
  taxRuleId: null,
  issueBy: 'ENTRY',
  managerialCost: null,
  netWeightKg: null,
  packagingTareKg: null,
  volumeSpecies: null,
  unitVolumeLiters: null,
  tribUnit: null,
  tribUnitFactor: null,
  components: undefined,
});

/** Which request it is: a repeat has the same seed. */
export interface RequestIdentity {
  readonly seed: Seed;
  readonly isKeyed: boolean;
  readonly repeatSince?: number;
}

const toldOf = ({ kind, value }: VaultWrite): string =>
  `${kind.replace('fiscal-', '')}${value === undefined ? '-' : '+'}`;

/** A process of the service, as far as it is at fiscal documents. */
export class Process implements Actor {
  isDead = false;
  readonly desk: FiscalDesk;
  readonly issuing: IssuingServices;
  private working: Promise<void> | undefined;
  private readonly office: ReturnType<typeof officeOf>;

  constructor(
    private readonly shop: Shop,
    readonly name: string,
  ) {
    const stores = { byId: () => Promise.resolve(shop.facts), all: () => Promise.resolve([shop.facts]) };
    const parties = { tBand: null, acquirerTaxId: null };
    const services = {
      vault: this.vault(),
      clock: { now: () => shop.schedule.now },
      authority: this.authority(),
      stores,
      salesToTax: new TaxedSales(stores as unknown as StoreDirectory),
      catalogue: {
        variants: (_: unknown, ids: readonly string[]) =>
          Promise.resolve(new Map(ids.map((id) => [id, variantOf(id)]))),
      },
      customers: { byIds: () => Promise.resolve(new Map()) },
      recipes: { finished: () => Promise.resolve(new Set()) },
      cardFees: { partiesOf: () => Promise.resolve(parties) },
      alone: shop.isAlone,
      eventStore: { storesRows: !shop.areRowsApart },
      contextOf: () => this.contextOf({ seed: shop.newSeed(), isKeyed: false }),
      onError: shop.logged,
    } as unknown as FeatureServices;
    Object.assign(settingsOf(services), {
      signer: () => {
        const { certificate } = shop.authority;
        return Promise.resolve({ identity: { privateKey, certificate }, certificate: { key: '', chain: [] } });
      },
      securityCode: () => Promise.resolve(undefined),
    });
    this.office = officeOf(services);
    // What routes do with them takes read models, which are not tried here.
    const { desk, issuing } = this.office as unknown as {
      readonly desk: FiscalDesk;
      readonly issuing: IssuingServices;
    };
    this.desk = desk;
    this.issuing = issuing;
  }

  get isWorking(): boolean {
    return this.working !== undefined;
  }

  /** Does what is due. */
  work(): void {
    const { schedule, logged } = this.shop;
    schedule.tell(this, 'WORKS');
    const work = this.office.work(new AbortController().signal);
    this.working = work.catch(logged).finally(() => (this.working = undefined));
  }

  contextOf({ seed, isKeyed, repeatSince }: RequestIdentity): StoreContext {
    const services = {
      lanes: this.shop.streams.lanesOf(this),
      eventStore: { exclusive: true, storesRows: !this.shop.areRowsApart },
      reads: { get: () => Promise.resolve(undefined), getMany: () => Promise.resolve([]) },
      cursors: {},
      projections: { pace: () => undefined, waitFor: () => Promise.resolve(true), shared: false },
      collections: [],
      touchedBy: () => [],
      acknowledged: { of: () => '' },
    };
    return new StoreContext(services as unknown as ConstructorParameters<typeof StoreContext>[0], {
      principal: { storeId: STORE, actor: SYSTEM, permissions: new Set() },
      requestId: 'request',
      seed,
      keyed: isKeyed,
      claim: undefined,
      repeatSince,
      client: {} as never,
      ifMatch: undefined,
      minPosition: undefined,
    });
  }

  private vault(): Vault {
    const { vault, schedule, areRowsApart } = this.shop;
    const act = <T>(what: string, act: () => Promise<T>): Promise<T> => schedule.act(this, what, act);
    return {
      atomic: !areRowsApart,
      get: (kind, id) => act(`reads ${kind}`, () => vault.get(kind, id)),
      getMany: (kind, ids) => act(`reads ${kind}`, () => vault.getMany(kind, ids)),
      write: (rows) => act(`writes ${rows.map(toldOf).join()}`, () => vault.write(rows)),
      list: (kind, options) => act(`lists ${kind}`, () => vault.list(kind, options)),
      due: (kind, before, limit) => act(`looks what is due of ${kind}`, () => vault.due(kind, before, limit)),
      sweep: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
  }

  private authority(): FiscalAuthority {
    const { authority, schedule, draws } = this.shop;
    const standIn = () => ({ kind: !schedule.isCalm && draws.chance(0.3) ? ('SVC_RS' as const) : ('none' as const) });
    return {
      name: 'simulator',
      authorize: (_, signed) => schedule.asked(this, 'authorize', () => authority.authorize(signed)),
      query: (_, accessKey) => schedule.asked(this, 'query', () => authority.query(accessKey)),
      cancel: (_, event) => schedule.asked(this, 'cancel', () => authority.cancel(event)),
      voidNumbers: (_, request) => schedule.asked(this, 'give up', () => authority.voidNumbers(request)),
      status: () => Promise.reject(new Dead()),
      fallback: async () => {
        const { kind } = await schedule.asked(this, 'stand-in', standIn);
        return kind === 'none' ? undefined : kind;
      },
      consumerAddresses: () => ({}),
      close: () => Promise.resolve(),
    };
  }
}
