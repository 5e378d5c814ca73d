import { z } from 'zod';
import { isNcm } from '../../brazil/ncm.js';
import type { Clock } from '../../kernel/values/clock.js';
import { toIso } from '../../kernel/values/clock.js';
import type {
  AuthorityClient,
  AuthorizationAnswer,
  Authorized,
  EventAnswer,
  FiscalAuthority,
  KeyAnswer,
  Refused,
  ServiceAnswer,
  SignedDocument,
  SignedEvent,
  SignedVoid,
} from '../../ports/fiscal-authority.js';
import { AuthorityAway } from '../../ports/fiscal-authority.js';
import type { Vault } from '../../ports/vault.js';
import { eventAnswerXml, protocolXml, voidAnswerXml } from './answers.js';

const KIND = 'fiscal-simulator';

const kept = z.object({
  protocol: z.string(),
  digestValue: z.string(),
  receivedAt: z.string(),
  code: z.string(),
  cancelled: z.object({ protocol: z.string(), registeredAt: z.string(), kind: z.string().optional() }).nullable(),
});
type Kept = z.output<typeof kept>;

/** Where a test lets an answer get lost, or the authority be away. */
export type Fault = 'away' | 'answer-lost' | undefined;
export type Operation = 'authorize' | 'query' | 'status' | 'cancel' | 'void';

export interface SimulatorOptions {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly faultAt?: (operation: Operation, key: string) => Fault;
}

/**
 * A tax authority for trials: what it answers follows from what it gets. It remembers every key in the vault, so that a restart changes
 * nothing of what it knows.
 */
export class FiscalSimulator implements FiscalAuthority {
  readonly name = 'simulator';

  constructor(private readonly options: SimulatorOptions) {}

  authorize(client: AuthorityClient, document: SignedDocument): Promise<AuthorizationAnswer> {
    return this.spokenTo(client, 'authorize', document.accessKey, () => this.decided(client, document));
  }

  query(client: AuthorityClient, accessKey: string): Promise<KeyAnswer> {
    return this.spokenTo(client, 'query', accessKey, async () => {
      const found = await this.find(client, accessKey);
      if (!found) return { kind: 'unknown', code: '217', message: 'Rejeicao: NF-e nao consta na base de dados' };
      const document = authorizedAs(client, accessKey, found);
      if (!found.cancelled) return document;
      return { kind: 'cancelled', document, event: registered(client, accessKey, found.cancelled) };
    });
  }

  status(client: AuthorityClient): Promise<ServiceAnswer> {
    return this.spokenTo(client, 'status', '', () =>
      Promise.resolve({ available: true, code: '107', message: 'Servico em Operacao', clockAhead: 0 }),
    );
  }

  cancel(client: AuthorityClient, { accessKey, xml }: SignedEvent): Promise<EventAnswer> {
    return this.spokenTo(client, 'cancel', accessKey, async () => {
      const row = await this.options.vault.get(KIND, rowId(client, accessKey));
      const found = row && kept.parse(row.value);
      if (!row || !found) return refused('217', 'Rejeicao: NF-e nao consta na base de dados');
      if (found.cancelled) return refused('573', 'Rejeicao: Duplicidade de evento');
      const kind = /<tpEvento>([0-9]{6})/.exec(xml)?.[1];
      const cancelled = { protocol: this.newProtocol(client, accessKey, '2'), registeredAt: this.now(), kind };
      const value = { ...found, cancelled };
      await this.options.vault.write([{ kind: KIND, id: row.id, value, expected: row.version }]);
      return registered(client, accessKey, cancelled);
    });
  }

  voidNumbers(client: AuthorityClient, { id }: SignedVoid): Promise<EventAnswer> {
    return this.spokenTo(client, 'void', id, async () => {
      const value = { protocol: this.newProtocol(client, id, '3') };
      const isNew = await this.options.vault.write([{ kind: KIND, id: rowId(client, id), value, expected: 'absent' }]);
      if (!isNew) return refused('563', 'Rejeicao: Ja existe pedido de inutilizacao com a mesma faixa');
      const registeredAt = this.now();
      const answerXml = voidAnswerXml(client, id, value.protocol, registeredAt);
      const words = { code: '102', message: 'Inutilizacao de numero homologado' };
      return { kind: 'registered', ...words, protocol: value.protocol, registeredAt, answerXml };
    });
  }

  /** No state switches its fallback on in a simulation. */
  fallback(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  consumerAddresses(): Readonly<Record<string, never>> {
    return {};
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async spokenTo<T>(
    client: AuthorityClient,
    operation: Operation,
    key: string,
    answer: () => Promise<T>,
  ): Promise<T> {
    const fault = this.options.faultAt?.(operation, key);
    if (client.triesOutage || fault === 'away') {
      const words = { pt: 'A autoridade simulada está fora do ar', en: 'The simulated authority is away' };
      throw new AuthorityAway(words, false, { stage: 'connection' });
    }
    const given = await answer();
    if (fault === 'answer-lost') {
      const words = {
        pt: 'A resposta da autoridade simulada se perdeu',
        en: 'The answer of the simulated authority was lost',
      };
      throw new AuthorityAway(words, true);
    }
    return given;
  }

  private async decided(client: AuthorityClient, document: SignedDocument): Promise<AuthorizationAnswer> {
    const { accessKey, digestValue, xml } = document;
    const wrong = [...xml.matchAll(/<NCM>([^<]*)<\/NCM>/g)].findIndex(([, ncm]) => !isNcm(ncm ?? ''));
    if (wrong >= 0) return refused('778', `Rejeicao: Informado NCM inexistente [nItem:${String(wrong + 1)}]`);
    const value: Kept = {
      protocol: this.newProtocol(client, accessKey, '1'),
      digestValue,
      receivedAt: this.now(),
      code: '100',
      cancelled: null,
    };
    const id = rowId(client, accessKey);
    const isNew = await this.options.vault.write([{ kind: KIND, id, value, expected: 'absent' }]);
    return isNew ? authorizedAs(client, accessKey, value) : refused('204', 'Rejeicao: Duplicidade de NF-e');
  }

  private async find(client: AuthorityClient, accessKey: string): Promise<Kept | undefined> {
    const row = await this.options.vault.get(KIND, rowId(client, accessKey));
    return row && kept.parse(row.value);
  }

  private now(): string {
    return toIso(this.options.clock.now());
  }

  /** Fifteen digits that follow from the key: state, year, kind, and a number of ten digits. */
  private newProtocol({ environment }: AuthorityClient, key: string, kind: string): string {
    let number = environment === 'PRODUCTION' ? 1 : 2;
    for (let at = 0; at < key.length; at++) number = (number * 131 + key.charCodeAt(at)) % 10_000_000_000;
    const digits = key.replace(/[^0-9]/g, '');
    return `${digits.slice(0, 2)}${digits.slice(2, 4)}${kind}${String(number).padStart(10, '0')}`;
  }
}

const rowId = ({ storeId, environment }: AuthorityClient, key: string): string => `${storeId}/${environment}/${key}`;

const refused = (code: string, message: string): Refused => ({ kind: 'refused', code, message, protocol: null });

function authorizedAs(client: AuthorityClient, accessKey: string, found: Kept): Authorized {
  const { code, protocol, receivedAt, digestValue } = found;
  const message = 'Autorizado o uso da NF-e';
  const xml = protocolXml(client, { accessKey, code, message, protocol, receivedAt, digestValue });
  return { kind: 'authorized', code, message, protocol, receivedAt, digestValue, protocolXml: xml };
}

function registered(client: AuthorityClient, accessKey: string, cancelled: NonNullable<Kept['cancelled']>) {
  const words = { code: '135', message: 'Evento registrado e vinculado a NF-e' };
  const { protocol, registeredAt, kind = '110111' } = cancelled;
  const answerXml = eventAnswerXml(client, accessKey, { ...words, protocol, registeredAt, kind });
  return { kind: 'registered' as const, ...words, protocol, registeredAt, answerXml };
}
