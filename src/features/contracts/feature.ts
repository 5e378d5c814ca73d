import type { Registry } from 'prom-client';
import type { CardFeeBook } from './card-fee-book.js';
import type { AuditedRecord } from './audited-record.js';
import type { Catalogue } from './catalogue.js';
import type { CategoryAdviser } from '../../ports/category-adviser.js';
import type { CustomerDirectory } from './customer-directory.js';
import type { FiscalAuthority } from '../../ports/fiscal-authority.js';
import type { FiscalSettings, FiscalSettingsKeeper } from './fiscal-settings.js';
import type { DocumentsOfSales, SalesToTax } from './sales-to-tax.js';
import type { HttpPoster } from '../../ports/http-poster.js';
import type { LiveChanges } from './live-changes.js';
import type { LocationDirectory } from './location-directory.js';
import type { OnWorked } from '../../kernel/reactors/work-line.js';
import type { KeptCheckpoints } from '../../ports/kept-checkpoints.js';
import type { Leases } from '../../ports/leases.js';
import type { EventStore, Position } from '../../ports/event-store.js';
import type { EventTeller } from '../../ports/event-teller.js';
import type { LogChecker } from '../../ports/log-checker.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { RecipeBook } from './recipe-book.js';
import type { StockKeeper } from './stock-keeper.js';
import type { TaxRuleDirectory } from './tax-rule-directory.js';
import type { Vault } from '../../ports/vault.js';
import type { Clock } from '../../kernel/values/clock.js';
import type { DomainEvent, EventCodec } from '../../kernel/events/event.js';
import type { CommandLanes } from '../../kernel/lanes/lanes.js';
import type { BackgroundWork } from '../../kernel/reactors/background.js';
import type { RetryPlan } from '../../kernel/reactors/retry-plan.js';
import type { OutgoingMail } from '../../kernel/reactors/mail-queue.js';
import type { Projections } from '../../kernel/projections/projections.js';
import type { Permission } from '../../kernel/values/permissions.js';
import type { Notification } from '../../kernel/routes/notification.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';

/** A folder under features/: its endpoints and the events that it records. */
export interface Feature {
  readonly name: string;
  readonly events: readonly EventCodec<DomainEvent>[];
  /** The kinds of records whose past an auditor can look at. */
  readonly records?: readonly AuditedRecord[];
  /** What one needs to look at the kinds of records that its events are about. */
  readonly viewing?: Readonly<Record<string, Permission | 'authenticated'>>;
  routes(services: FeatureServices): readonly Route[];
  /**
   * What it offers the other features. They can be given the services as they come, and must not ask anything of them yet: other features
   * have not provided theirs.
   */
  provides?(services: FeatureServices): Partial<Provided>;
  /** What must not be noticed too late by those who watch the service. */
  watch?(services: FeatureServices): Watch;
  /** What it sends to others. */
  readonly notifications?: readonly Notification[];
  /** What goes on apart from requests, in processes with that role; `everywhere` in all. */
  work?(services: FeatureServices): Partial<Record<WorkRole, BackgroundWork>>;
}

type WorkRole = 'webhooks' | 'schedule' | 'everywhere';

/** Looked after in every process: a member of `/healthz`, metrics, and the work that keeps both up. */
export interface Watch {
  readonly name: string;
  status(): { readonly ok: boolean };
  register(registry: Registry): void;
  background(): BackgroundWork;
}

/** What features ask of each other; each is provided by one of them. */
export interface Provided {
  readonly catalogue: Catalogue;
  readonly recipes: RecipeBook;
  readonly stock: StockKeeper;
  readonly customers: CustomerDirectory;
  readonly locations: LocationDirectory;
  readonly taxRules: TaxRuleDirectory;
  readonly cardFees: CardFeeBook;
  readonly fiscalSettings: FiscalSettingsKeeper;
  readonly salesToTax: SalesToTax;
  readonly documents: DocumentsOfSales;
}

/** What a feature may use beside the context of a request. */
export interface FeatureServices extends Provided {
  readonly lanes: CommandLanes;
  readonly eventStore: EventStore;
  readonly teller: EventTeller;
  readonly checker: LogChecker;
  readonly vault: Vault;
  readonly reads: ReadModels;
  readonly clock: Clock;
  /** The position of the last event of the log. */
  head(): Promise<Position>;
  readonly projections: Pick<Projections, 'waitFor'>;
  readonly hasher: PasswordHasher;
  readonly mail: OutgoingMail;
  readonly poster: HttpPoster;
  /** Waits before the tries of a delivery after its first. */
  readonly webhookRetryDelays: RetryPlan;
  /** Names this process, and whether it is the only one. */
  readonly leases: Leases;
  readonly holder: string;
  readonly alone: boolean;
  /** Where checkpoints of the log are kept, and who gets them by mail. */
  readonly checkpoints: KeptCheckpoints;
  /** Who is sent the checkpoint of each day; undefined where nobody wants it. */
  readonly auditMail: string | undefined;
  /** How many milliseconds an answer waits for the tax authority's, where that is not as ever. */
  readonly authorityPatience: number | undefined;
  readonly onWorked: OnWorked;
  /** From which the keys of tokens are derived. */
  readonly tokenSecret: Uint8Array;
  readonly stores: StoreDirectory;
  /** The audited records of all features. */
  readonly auditedRecords: readonly AuditedRecord[];
  /** How many owners of variants the catalogue may remember; undefined for as many as it likes. */
  readonly knownVariants: number | undefined;
  readonly authority: FiscalAuthority;
  readonly live: LiveChanges;
  /** For work that nobody's request asks for. */
  contextOf(storeId: string): RequestContext;
  /** Undefined when none is configured. */
  readonly adviser: CategoryAdviser | undefined;
  /** For work that goes on after its answer. */
  onError(error: unknown): void;
}

/** What features need to know of a store. */
export interface StoreFacts {
  readonly id: string;
  readonly slug: string;
  readonly legalName: string;
  readonly tradeName: string;
  readonly taxId: string | null;
  readonly fiscal: FiscalSettings;
  readonly timeZone: string;
  readonly segment: 'RETAIL' | 'BAKERY' | 'INDUSTRIAL';
  readonly modules: { readonly production: boolean; readonly scaleCode: boolean; readonly orders: boolean };
  /** CNAE. */
  readonly activityCode: string | null;
  readonly plan: { readonly apiAccess: boolean };
  readonly requireTwoFactor: boolean;
}

export interface StoreDirectory {
  byId(id: string): Promise<StoreFacts | undefined>;
  bySlug(slug: string): Promise<StoreFacts | undefined>;
  all(): Promise<readonly StoreFacts[]>;
}
