import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { Clock } from '../../kernel/values/clock.js';
import { defined } from '../../kernel/values/defined.js';
import { isSameJson } from '../../kernel/values/difference.js';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { StoreDirectory } from '../contracts/feature.js';
import type {
  FiscalChange,
  FiscalSettings,
  FiscalSettingsAnswer,
  FiscalSettingsBody,
  FiscalSettingsKeeper,
  SettingsChange,
} from '../contracts/fiscal-settings.js';
import { completeAddress, withFiscalChange } from '../contracts/fiscal-settings.js';
import { fiscal } from './decider.js';
import { nextNumber } from './domain/state.js';
import type { Model } from './events.js';
import { MODELS } from './events.js';
import { modelKey } from './issuing/wishes.js';
import { CERTIFICATE_INVALID, NUMBER_TAKEN } from './rejections.js';
import { CertificateReader } from './signing/certificate-reader.js';
import type { StoredCertificate } from './signing/certificates.js';
import { CertificateRefused, identityOf, selfSignedCertificate } from './signing/certificates.js';
import type { SecurityCode } from './signing/qr-code-url.js';
import type { Identity } from './signing/xml-signature.js';

const CERTIFICATE = 'fiscal-certificate';
const SECURITY_CODE = 'fiscal-csc';
const certificateRow = z.object({ key: z.string(), chain: z.array(z.string()) });
const codeRow = z.object({ token: z.string() });
const STORES = 1_000;
/** How long a process trusts a certificate that it has read. */
const TRUST = 10_000;

/** With what a store signs, and shows who it is. */
export interface Signer {
  readonly identity: Identity;
  readonly certificate: StoredCertificate;
}

interface Owner {
  readonly taxId: string;
  readonly name: string;
}

/** The secrets of a store's fiscal settings, and the numbers beside them. */
export class SettingsKeeper implements FiscalSettingsKeeper {
  readonly rejections = [CERTIFICATE_INVALID, NUMBER_TAKEN];
  private readonly signers = new LRUCache<string, Signer>({ max: STORES, ttl: TRUST });
  /** Making a key takes long: those who ask meanwhile wait for the same. */
  private readonly opening = new Map<string, Promise<Signer | undefined>>();
  private readonly reader = new CertificateReader();

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly stores: Pick<StoreDirectory, 'all'>,
  ) {}

  async changed(
    context: Commands,
    before: FiscalSettings,
    body: FiscalSettingsBody,
    taxId: string | null,
  ): Promise<SettingsChange> {
    const { certificate, csc, nextNumbers, series, cancelMinutes, address, ...others } = body;
    const { certificateSubject: _subject, certificateExpiresAt: _expiresAt, ...plain } = others;
    const { storeId } = context;
    const rows: VaultWrite[] = [];
    let settings: FiscalChange = {
      ...defined(plain),
      ...(series ? { series: defined(series) } : {}),
      ...(cancelMinutes ? { cancelMinutes: defined(cancelMinutes) } : {}),
    };
    if (address !== undefined) settings = { ...settings, address: address && completeAddress(address) };
    if (csc !== undefined) {
      const code = await this.changedCode(context, before, csc);
      rows.push(...code.rows);
      settings = { ...settings, ...code.settings };
    }
    if (certificate) {
      const { stored, facts } = await this.accepted(storeId, certificate, taxId);
      const named = { ...facts, keyId: context.newId() };
      rows.push(row(CERTIFICATE, ownId(storeId, named), stored));
      settings = { ...settings, certificate: named };
    }
    await expectHigher(context, withFiscalChange(before, settings), nextNumbers);
    return { settings, rows };
  }

  /** A new token is a fact of its own, also under the same id, and stands beside the former until that is recorded. */
  private async changedCode(
    context: Commands,
    before: FiscalSettings,
    code: NonNullable<FiscalSettingsBody['csc']> | null,
  ): Promise<SettingsChange> {
    const { storeId } = context;
    if (code === null) return { settings: { cscId: null, cscTokenId: null }, rows: [] };
    const { id: cscId, token } = code;
    const known = await this.storedCode(storeId, before);
    if (token === undefined || token === known?.token) return { settings: { cscId }, rows: [] };
    const settings = { cscId, cscTokenId: context.newId() };
    return { settings, rows: [row(SECURITY_CODE, codeId(storeId, settings), { token })] };
  }

  private async accepted(
    storeId: string,
    { format, content, password }: NonNullable<FiscalSettingsBody['certificate']>,
    taxId: string | null,
  ) {
    try {
      const { stored, facts } = await this.reader.read(storeId, {
        format,
        content,
        password,
        taxId,
        now: this.clock.now(),
      });
      const { subject, expiresAt, fingerprint } = facts;
      return { stored, facts: { subject, expiresAt, fingerprint } };
    } catch (error) {
      if (!(error instanceof CertificateRefused)) throw error;
      const errors = [{ path: 'fiscal.certificate', message: error.message }];
      throw new Rejection(CERTIFICATE_INVALID, `The certificate cannot be used: ${error.message}`, { errors });
    }
  }

  /** Nothing is signed or shown with them any more, and their keys must not lie about: also not what others have put in force meanwhile. */
  ended(storeId: string, before: FiscalSettings, after: FiscalSettings): readonly VaultWrite[] {
    const certificates = [before, after].map(({ certificate }) => certificate && ownId(storeId, certificate));
    const codes = [before, after].map((settings) => (settings.cscId === null ? null : codeId(storeId, settings)));
    return [...endedRow(CERTIFICATE, certificates), ...endedRow(SECURITY_CODE, codes)];
  }

  async advance(context: Commands, { series }: FiscalSettings, { nextNumbers }: FiscalSettingsBody): Promise<void> {
    for (const model of MODELS) {
      const key = modelKey(model);
      const next = nextNumbers?.[key];
      if (next === undefined) continue;
      const command = { type: 'advance', model, series: series[key], next } as const;
      await context.execute(fiscal, command, { name: advanceOf(key) });
    }
  }

  async answer(context: Commands, settings: FiscalSettings): Promise<FiscalSettingsAnswer> {
    const state = await context.current(fiscal);
    const { certificate, cscId, cscTokenId: _tokenId, ...rest } = settings;
    const next = (model: Model) => nextNumber(state, model, settings.series[modelKey(model)]);
    return {
      ...rest,
      nextNumbers: { '55': next(55), '65': next(65) },
      certificateSubject: certificate?.subject ?? null,
      certificateExpiresAt: certificate?.expiresAt ?? null,
      csc: cscId === null ? null : { id: cscId },
    };
  }

  /** Undefined where there is none that may be used: for trials one is made. */
  signer(storeId: string, settings: FiscalSettings, owner: Owner): Promise<Signer | undefined> {
    return this.orReplacement(storeId, settings, (named) => this.namedSigner(storeId, named, owner));
  }

  /** Undefined unless id and token are both there. */
  securityCode(storeId: string, settings: FiscalSettings): Promise<SecurityCode | undefined> {
    return this.orReplacement(storeId, settings, (named) => this.storedCode(storeId, named));
  }

  /** What settings name is gone or over once other settings have replaced it, which may have happened since they were read. */
  private async orReplacement<T>(
    storeId: string,
    settings: FiscalSettings,
    find: (named: FiscalSettings) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    let named = settings;
    for (;;) {
      const found = await find(named);
      if (found !== undefined) return found;
      // Asked for by its id alone it may be as it was a moment ago.
      const store = (await this.stores.all()).find(({ id }) => id === storeId);
      if (!store || isSameJson(secretsOf(store.fiscal), secretsOf(named))) return undefined;
      named = { ...named, ...secretsOf(store.fiscal) };
    }
  }

  private async namedSigner(storeId: string, settings: FiscalSettings, owner: Owner): Promise<Signer | undefined> {
    const { certificate, environment } = settings;
    if (certificate === null && environment === 'PRODUCTION') return undefined;
    if (certificate !== null && Date.parse(certificate.expiresAt) <= this.clock.now()) return undefined;
    const id = certificate === null ? trialId(storeId, owner.taxId) : ownId(storeId, certificate);
    const known = this.signers.get(id);
    if (known) return known;
    const opening = this.opening.get(id) ?? this.opened(id, certificate === null ? owner : undefined);
    this.opening.set(id, opening);
    return opening;
  }

  private async opened(id: string, trialFor: Owner | undefined): Promise<Signer | undefined> {
    try {
      const stored = await this.stored(id, trialFor);
      if (!stored) return undefined;
      const signer = { certificate: stored, identity: identityOf(stored) };
      this.signers.set(id, signer);
      return signer;
    } finally {
      this.opening.delete(id);
    }
  }

  private async stored(id: string, trialFor: Owner | undefined): Promise<StoredCertificate | undefined> {
    const found = await this.vault.get(CERTIFICATE, id);
    if (found || !trialFor) return found && certificateRow.parse(found.value);
    const made = await selfSignedCertificate(trialFor.taxId, trialFor.name, this.clock.now());
    await this.vault.write([{ kind: CERTIFICATE, id, value: made, expected: 'absent' }]);
    const kept = await this.vault.get(CERTIFICATE, id);
    return kept && certificateRow.parse(kept.value);
  }

  private async storedCode(storeId: string, settings: FiscalSettings): Promise<SecurityCode | undefined> {
    const { cscId } = settings;
    const found = cscId === null ? undefined : await this.vault.get(SECURITY_CODE, codeId(storeId, settings));
    return found && cscId !== null ? { id: cscId, token: codeRow.parse(found.value).token } : undefined;
  }
}

async function expectHigher(
  context: Commands,
  { series }: FiscalSettings,
  nextNumbers: FiscalSettingsBody['nextNumbers'],
): Promise<void> {
  if (!nextNumbers) return;
  const state = await context.current(fiscal);
  for (const model of MODELS) {
    const key = modelKey(model);
    const next = nextNumbers[key];
    const present = nextNumber(state, model, series[key]);
    // Before a repeat documents may have taken the numbers.
    if (next === undefined || next >= present || (await context.recordedBefore(fiscal, advanceOf(key)))) continue;
    throw new Rejection(NUMBER_TAKEN, undefined, { model, series: series[key], next: present });
  }
}

/** The command that takes care of a model's next number. */
const advanceOf = (key: '55' | '65'): string => `numbers ${key}`;

const secretsOf = ({ certificate, cscId, cscTokenId = null }: FiscalSettings) => ({ certificate, cscId, cscTokenId });
const row = (kind: string, id: string, value: unknown): VaultWrite => ({
  kind,
  id,
  value,
  expected: 'any',
  endsWhenRefused: true,
});
const endedRow = (kind: string, [before, after]: readonly (string | null | undefined)[]): readonly VaultWrite[] =>
  before && before !== after ? [row(kind, before, undefined)] : [];
const codeId = (storeId: string, { cscTokenId }: Pick<FiscalSettings, 'cscTokenId'>): string =>
  typeof cscTokenId === 'string' ? `${storeId}/${cscTokenId}` : storeId;
const ownId = (storeId: string, { keyId, fingerprint }: NonNullable<FiscalSettings['certificate']>): string =>
  `${storeId}/own/${keyId ?? digest(fingerprint)}`;
const trialId = (storeId: string, taxId: string): string => `${storeId}/trial/${taxId}`;
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
