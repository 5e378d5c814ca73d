import { createHash } from 'node:crypto';
import type { FeatureServices } from '../features/contracts/feature.js';
import { FiscalDesk } from '../features/fiscal/issuing/desk.js';
import { DocumentStore } from '../features/fiscal/issuing/document-store.js';
import type { IssuingServices } from '../features/fiscal/issuing/services.js';
import { storeOf } from '../features/fiscal/issuing/services.js';
import { WorkRows } from '../features/fiscal/issuing/work-rows.js';
import { SettingsKeeper } from '../features/fiscal/settings-keeper.js';
import type { RequestContext } from '../kernel/routes/request-context.js';
import type { Clock } from '../kernel/values/clock.js';
import type { Seed } from '../kernel/values/ids.js';
import type { FiscalAuthority } from '../ports/fiscal-authority.js';
import { AuthorityAway } from '../ports/fiscal-authority.js';
import { HOUR, MINUTE } from './days.js';
import type { PlannedDocument } from './planned-documents.js';

/** What documents are issued with as of the moments of their sales. */
export interface DocumentServices {
  readonly features: FeatureServices;
  readonly clock: Clock;
  contextAt(storeId: string, seed: Seed): RequestContext;
  /** Undefined where a real authority is spoken to: it is told of nothing that a demonstration made up. */
  readonly simulatedAt: ((clock: Clock) => FiscalAuthority) | undefined;
}

/** A document is issued so long after its sale. */
const ISSUED_AFTER = 40_000;
const ENDED_AFTER = 6 * MINUTE;
/** So long one that was given to its customer offline can be looked at before it is handed in. */
const WAITS = 18 * HOUR;
const CANCELLED_BECAUSE = 'Cliente desistiu da compra no caixa';
const VOIDED_BECAUSE = 'Numero recusado e nao reaproveitado pela loja';

/** Issues the documents, each as of its moment; those that an earlier start has issued stay as they are. */
export async function fillDocuments(
  services: DocumentServices,
  storeId: string,
  planned: readonly PlannedDocument[],
): Promise<void> {
  const { simulatedAt } = services;
  if (!simulatedAt) return;
  const office = new DemoOffice(services, simulatedAt, storeId);
  for (const one of planned) await office.issue(one);
}

class DemoOffice {
  private at = 0;
  private refusal: PlannedDocument['refusal'];
  private isDeaf = false;
  private readonly issuing: IssuingServices;
  private readonly desk: FiscalDesk;

  constructor(
    private readonly services: DocumentServices,
    simulatedAt: (clock: Clock) => FiscalAuthority,
    private readonly storeId: string,
  ) {
    const { features } = services;
    const { vault, salesToTax, stores } = features;
    const clock = { now: () => this.at };
    this.issuing = {
      ...features,
      clock,
      settings: new SettingsKeeper(vault, clock, stores),
      sales: salesToTax,
      authority: this.moody(simulatedAt(clock)),
      documents: new DocumentStore(vault),
      // Who looks for work that is left over knows the present alone.
      work: new WorkRows(vault, features.clock),
    };
    this.desk = new FiscalDesk(this.issuing);
  }

  async issue(planned: PlannedDocument): Promise<void> {
    const { saleId, model, at, end } = planned;
    const context = this.begin(planned, at + ISSUED_AFTER, 'issue');
    const documentId = context.newId();
    if (!(await this.issuing.documents.find(context, documentId))) {
      this.refusal = planned.refusal;
      this.isDeaf = end === 'replaced';
      const contingency = end === 'waiting';
      const wish = { saleId, model, contingency, contingencyReason: undefined };
      await (
        await this.desk.issue(context, documentId, wish)
      ).ended;
      this.refusal = undefined;
      this.isDeaf = false;
    }
    if (end === 'waiting') await this.letWait(documentId, planned);
    const later = this.begin(planned, at + ENDED_AFTER, end);
    if (end === 'cancelled') await this.cancel(later, documentId, planned);
    if (end === 'voided') await this.giveUp(later, documentId);
    if (end === 'replaced') await this.settle(later, documentId, planned);
  }

  /** The same ids for the same step, however often it is begun. */
  private begin({ saleId, model }: PlannedDocument, at: number, step: string): RequestContext {
    this.at = at;
    const entropy = createHash('sha256')
      .update(`${this.storeId} ${saleId} ${String(model)} ${step}`)
      .digest('hex');
    return this.services.contextAt(this.storeId, { at, entropy });
  }

  private async letWait(documentId: string, { saleId, at }: PlannedDocument): Promise<void> {
    const { work, vault } = this.issuing;
    const row = work.row({ storeId: this.storeId, documentId, saleId, unsent: true });
    await vault.write([{ ...row, dueAt: at + WAITS }]);
  }

  private async cancel(context: RequestContext, documentId: string, { model }: PlannedDocument): Promise<void> {
    const document = await this.desk.known(context, documentId);
    if (document.facts.status !== 'AUTHORIZED') return;
    const store = await storeOf(this.issuing, context);
    const within = store.fiscal.cancelMinutes[model === 55 ? '55' : '65'] * MINUTE;
    const asked = { reason: CANCELLED_BECAUSE, within };
    await this.desk.transmission.requestCancellation(context, store, document, asked);
    await this.desk.cancelRequested(context, store, documentId).ended;
  }

  private async giveUp(context: RequestContext, documentId: string): Promise<void> {
    const document = await this.desk.known(context, documentId);
    if (document.facts.status !== 'REJECTED') return;
    const store = await storeOf(this.issuing, context);
    await this.desk.voiding.void(context, store, document, VOIDED_BECAUSE);
  }

  /** The line is back: the first turns out to be authorized and is taken back, the one that the customer got is handed in. */
  private async settle(context: RequestContext, documentId: string, { saleId }: PlannedDocument): Promise<void> {
    const { storeId } = this;
    const { replacedBy } = await this.desk.known(context, documentId);
    await this.desk.resume(context, { storeId, documentId, saleId });
    if (replacedBy === null) return;
    await this.desk.resume(context, { storeId, documentId: replacedBy, saleId, unsent: true });
  }

  /** The simulated authority, which refuses what is to be refused, and of which nothing is heard while the line is down. */
  private moody(authority: FiscalAuthority): FiscalAuthority {
    const heard = <T>(answer: T): T => {
      if (this.isDeaf) throw new AuthorityAway({ pt: 'a linha caiu', en: 'the line is down' }, true);
      return answer;
    };
    return {
      name: authority.name,
      authorize: async (issuer, document) => {
        if (this.refusal) return { kind: 'refused', ...this.refusal, protocol: null };
        return heard(await authority.authorize(issuer, document));
      },
      query: async (issuer, accessKey) => heard(await authority.query(issuer, accessKey)),
      status: (issuer) => authority.status(issuer),
      cancel: (issuer, event) => authority.cancel(issuer, event),
      voidNumbers: (issuer, request) => authority.voidNumbers(issuer, request),
      fallback: (issuer) => authority.fallback(issuer),
      consumerAddresses: (issuer) => authority.consumerAddresses(issuer),
      close: () => authority.close(),
    };
  }
}
