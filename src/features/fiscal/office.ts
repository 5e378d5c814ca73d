import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { grouped } from '../../kernel/values/grouped.js';
import { memoise } from '../../kernel/values/memoise.js';
import type { VaultRow } from '../../ports/vault.js';
import type { FeatureServices } from '../contracts/feature.js';
import { cancelDocument, issueDocument, transmitDocument, voidDocumentNumber } from './documents/issuing-routes.js';
import {
  documentPdf,
  documentXml,
  documentsOfSale,
  exportDocuments,
  listDocuments,
  readDocument,
} from './documents/reading-routes.js';
import { fiscalStatus } from './checking/status-route.js';
import type { DocumentServices } from './documents/services.js';
import { FiscalDesk } from './issuing/desk.js';
import { DocumentStore } from './issuing/document-store.js';
import type { IssuingServices } from './issuing/services.js';
import { AT_ONCE } from './issuing/transmission.js';
import { isUnsent, WorkRows } from './issuing/work-rows.js';
import { DocumentPrinter } from './print/printer.js';
import { taxRuleRoutes } from './rules/tax-rule-routes.js';
import { SettingsKeeper } from './settings-keeper.js';

/** Everything about fiscal documents in one process: its endpoints, and the work that goes on without them. */
class FiscalOffice {
  private readonly issuing: IssuingServices;
  private readonly desk: FiscalDesk;
  private hasBegun = false;

  constructor(private readonly services: FeatureServices) {
    const { vault, clock, salesToTax, authority } = services;
    this.issuing = {
      ...services,
      onError: (error) => {
        services.onError(error);
      },
      settings: settingsOf(services),
      sales: salesToTax,
      authority,
      documents: new DocumentStore(vault),
      work: new WorkRows(vault, clock),
    };
    this.desk = new FiscalDesk(this.issuing);
  }

  routes(): readonly Route[] {
    const documents: DocumentServices = { issuing: this.issuing, desk: this.desk, printer: new DocumentPrinter() };
    return [
      ...taxRuleRoutes(this.services.stores),
      fiscalStatus(this.issuing),
      listDocuments(documents),
      documentsOfSale(documents),
      exportDocuments(documents),
      readDocument(documents),
      documentXml(documents),
      documentPdf(documents),
      issueDocument(documents),
      transmitDocument(documents),
      cancelDocument(documents),
      voidDocumentNumber(documents),
    ];
  }

  /** The status of a document that holds a sale. */
  async statusOf(context: RequestContext, documentId: string): Promise<string | undefined> {
    return (await this.issuing.documents.find(context, documentId))?.facts.status;
  }

  /** Does what is due: documents in contingency, answers that were not heard, what a crash left. The oldest first. */
  async work(stopping: AbortSignal): Promise<void> {
    const { work, alone } = this.issuing;
    for (let isFirst = alone && !this.hasBegun; !stopping.aborted; isFirst = false) {
      this.hasBegun = true;
      const rows = await work.due(isFirst ? 'start' : undefined);
      if (rows.length === 0) return;
      // Its stores do not wait for each other; within one the authority's limit says how many go on at once.
      await Promise.all([...grouped(rows, storeOf)].map(([storeId, own]) => this.workOnStore(storeId, own, stopping)));
    }
  }

  /**
   * The oldest of which nothing left goes first, whether it is due or not: while the authority is away each waits for as long as it was tried,
   * and a young one would come before it. Once it went, nothing keeps the others.
   */
  private async workOnStore(storeId: string, due: readonly VaultRow[], stopping: AbortSignal): Promise<void> {
    const { work } = this.issuing;
    const [oldest] = due.some(isUnsent) ? await work.unsentOf(storeId) : [];
    if (!oldest) return this.workOn(due, stopping);
    await this.resume(oldest);
    const waiting = await work.unsentOf(storeId);
    const isGone = waiting.every(({ id }) => id !== oldest.id);
    const known = new Set([oldest.id, ...(isGone ? waiting.map(({ id }) => id) : [])]);
    const rest = due.filter(({ id }) => !known.has(id));
    const next = isGone ? [...waiting, ...rest] : rest;
    await this.workOn(
      next.sort((a, b) => (a.id < b.id ? -1 : 1)),
      stopping,
    );
  }

  private async workOn(rows: readonly VaultRow[], stopping: AbortSignal): Promise<void> {
    const left = [...rows];
    const worker = async (): Promise<void> => {
      for (let row = left.shift(); row && !stopping.aborted; row = left.shift()) await this.resume(row);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async resume(row: VaultRow): Promise<void> {
    try {
      const taken = await this.issuing.work.take(row);
      if (taken) await this.desk.resume(this.services.contextOf(taken.storeId), taken);
    } catch (error) {
      this.issuing.onError(error);
    }
  }
}

const storeOf = ({ id }: VaultRow): string => id.split('/')[0] ?? '';

/** One for each service: what others ask it about settings and what it signs with is the same. */
export const settingsOf = memoise(
  ({ vault, clock, stores }: FeatureServices) => new SettingsKeeper(vault, clock, stores),
);
export const officeOf = memoise((services: FeatureServices) => new FiscalOffice(services));
