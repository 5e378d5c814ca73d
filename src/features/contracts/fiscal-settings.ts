import { z } from 'zod';
import { isState, STATES } from '../../brazil/states.js';
import { cnpj } from '../../brazil/cnpj.js';
import { name } from '../../kernel/values/fields.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { RejectionKind } from '../../kernel/events/rejection.js';
import type { VaultWrite } from '../../ports/vault.js';

/** What a store must say before its sales can be taxed. */

const text = z.string();

const state = z
  .string()
  .refine(isState, { error: `must be one of ${STATES.join(', ')}` })
  .meta({ type: 'string', enum: [...STATES] });
function digitsOnly(minimum: number, maximum: number) {
  const error = minimum === maximum ? `must be ${minimum} digits` : `must be ${minimum} to ${maximum} digits`;
  return z
    .string()
    .max(30)
    .transform((given) => given.replace(/[\s./-]/g, ''))
    .refine((given) => new RegExp(`^[0-9]{${minimum},${maximum}}$`).test(given), { error })
    .meta({ type: 'string', description: `${error.replace('must be ', '')}, with or without punctuation` });
}
const phone = z
  .string()
  .max(30)
  .transform((given) => given.replace(/[\s().-]/g, ''))
  .refine((given) => /^\+?[0-9]{6,15}$/.test(given), { error: 'must be a phone number' })
  .meta({ type: 'string', description: '6 to 15 digits, with or without punctuation' });

/** An address as requests give it; `cityCode` is the statistics office's. */
export const addressBody = z
  .strictObject({
    street: name(60),
    number: name(60),
    complement: name(60).nullable().optional(),
    district: name(60),
    cityCode: digitsOnly(7, 7).meta({ description: 'IBGE’s code of the city: 7 digits' }),
    city: name(60),
    state,
    postalCode: digitsOnly(8, 8),
    phone: phone.nullable().optional(),
  })
  .meta({ id: 'AddressBody' });

export const storedAddress = z.object({
  street: text,
  number: text,
  complement: text.nullable(),
  district: text,
  cityCode: text,
  city: text,
  state: text.refine(isState),
  postalCode: text,
  phone: text.nullable(),
});
export type StoredAddress = z.output<typeof storedAddress>;

export const addressAnswer = z
  .object({
    street: text,
    number: text,
    complement: text.nullable(),
    district: text,
    cityCode: text,
    city: text,
    state: text,
    postalCode: text,
    phone: text.nullable(),
  })
  .meta({ id: 'Address' });

export const completeAddress = ({
  complement = null,
  phone: number = null,
  ...rest
}: z.output<typeof addressBody>): StoredAddress => ({
  ...rest,
  complement,
  phone: number,
});

const TAX_REGIMES = ['SIMPLES', 'SIMPLES_EXCESS', 'NORMAL', 'MEI'] as const;
export type TaxRegime = (typeof TAX_REGIMES)[number];
export const ENVIRONMENTS = ['PRODUCTION', 'HOMOLOGATION'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
const byModel = <S extends z.ZodType>(schema: S) => z.object({ '55': schema, '65': schema });
const technicalContact = z.object({ taxId: text, name: text, email: text, phone: text });
const certificate = z.object({
  subject: text,
  expiresAt: text,
  fingerprint: text,
  /** Names the row of its key, which a certificate has for itself each time it is handed in; absent in settings of earlier releases. */
  keyId: text.optional(),
});

export const storedFiscalSettings = z.object({
  environment: z.enum(ENVIRONMENTS),
  taxRegime: z.enum(TAX_REGIMES),
  stateRegistration: text.nullable(),
  address: storedAddress.nullable(),
  series: byModel(z.int()),
  certificate: certificate.nullable(),
  cancelMinutes: byModel(z.int()),
  offline65: z.boolean(),
  allow65ToCompany: z.boolean(),
  technicalContact: technicalContact.nullable(),
  qrCode: z.literal([2, 3]),
  cscId: text.nullable(),
  /** Names the row of the token, which every new token has for itself; absent in settings of earlier releases. */
  cscTokenId: text.nullable().optional(),
  simulatorOutage: z.boolean(),
});
export type FiscalSettings = z.output<typeof storedFiscalSettings>;

/** The settings of a store that said nothing yet. */
export const NO_FISCAL_SETTINGS: FiscalSettings = {
  environment: 'HOMOLOGATION',
  taxRegime: 'SIMPLES',
  stateRegistration: null,
  address: null,
  series: { '55': 1, '65': 1 },
  certificate: null,
  cancelMinutes: { '55': 1_440, '65': 30 },
  offline65: true,
  allow65ToCompany: false,
  technicalContact: null,
  qrCode: 3,
  cscId: null,
  simulatorOutage: false,
};

/** What a change leaves out stays; of what each model has of its own as well. */
export type FiscalChange = Partial<Omit<FiscalSettings, 'series' | 'cancelMinutes'>> & {
  readonly [K in 'series' | 'cancelMinutes']?: Partial<FiscalSettings[K]>;
};

export const withFiscalChange = (
  before: FiscalSettings,
  { series, cancelMinutes, ...plain }: FiscalChange,
): FiscalSettings => ({
  ...before,
  ...plain,
  series: { ...before.series, ...series },
  cancelMinutes: { ...before.cancelMinutes, ...cancelMinutes },
});

const perModel = <S extends z.ZodType>(schema: S) =>
  z.strictObject({ '55': schema.optional(), '65': schema.optional() });
const MOST_BASE64 = 400_000;
/** Whoever sends back what they read is understood. */
const readOnly = z
  .string()
  .max(1_000)
  .nullable()
  .optional()
  .meta({ description: 'Of the certificate; what is sent is ignored' });

export const fiscalSettingsBody = z
  .strictObject({
    environment: z.enum(ENVIRONMENTS).optional(),
    taxRegime: z.enum(TAX_REGIMES).optional(),
    stateRegistration: digitsOnly(2, 14).nullable().optional(),
    address: addressBody.nullable().optional(),
    series: perModel(z.int().min(0).max(889)).optional().meta({ description: 'By model; 1 unless set' }),
    certificate: z
      .strictObject({
        format: z.enum(['PFX', 'PEM']),
        content: z.base64().min(1).max(MOST_BASE64),
        password: z.string().max(200).default(''),
      })
      .optional()
      .meta({ description: 'Write-only. Its key and password are kept encrypted and never shown' }),
    cancelMinutes: perModel(z.int().min(0).max(1_000_000))
      .optional()
      .meta({ description: 'How long after its authorization a document may be cancelled; 1440 and 30 unless set' }),
    nextNumbers: perModel(z.int().min(1).max(999_999_999))
      .optional()
      .meta({ description: 'Of the series in force, upwards only: for a store that comes from elsewhere' }),
    offline65: z
      .boolean()
      .optional()
      .meta({ description: 'Whether model 65 is issued offline while the authority is away; true unless set' }),
    allow65ToCompany: z
      .boolean()
      .optional()
      .meta({ description: 'Whether model 65 may name a company (CNPJ) as its buyer; false unless set' }),
    technicalContact: z
      .strictObject({ taxId: cnpj, name: name(60), email: z.email().max(60), phone })
      .nullable()
      .optional()
      .meta({ description: 'Who answers for the program, where a state wants that named (infRespTec)' }),
    qrCode: z
      .literal([2, 3])
      .optional()
      .meta({ description: 'Version of the QR code; 3 unless set. Version 2 needs `csc`' }),
    csc: z
      .strictObject({ id: digitsOnly(1, 6), token: name(60).optional() })
      .nullable()
      .optional()
      .meta({ description: 'The code of security that version 2 of the QR code needs; its token is write-only' }),
    simulatorOutage: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the simulator behaves as an authority that is away' }),
    certificateSubject: readOnly,
    certificateExpiresAt: readOnly,
  })
  .meta({ id: 'FiscalSettingsBody' });
export type FiscalSettingsBody = z.output<typeof fiscalSettingsBody>;

const numbers = z.object({ '55': z.int(), '65': z.int() });

export const fiscalSettingsAnswer = z
  .object({
    environment: z.enum(ENVIRONMENTS),
    taxRegime: z.enum(TAX_REGIMES),
    stateRegistration: text.nullable(),
    address: addressAnswer.nullable(),
    series: numbers,
    nextNumbers: numbers,
    cancelMinutes: numbers,
    certificateSubject: text.nullable(),
    certificateExpiresAt: z.iso.datetime().nullable(),
    offline65: z.boolean(),
    allow65ToCompany: z.boolean(),
    technicalContact: technicalContact.nullable(),
    qrCode: z.literal([2, 3]),
    csc: z.object({ id: text }).nullable(),
    simulatorOutage: z.boolean(),
  })
  .meta({ id: 'FiscalSettings' });
export type FiscalSettingsAnswer = z.output<typeof fiscalSettingsAnswer>;

/** What becomes of a request to change settings: facts, and secrets that never become facts. */
export interface SettingsChange {
  readonly settings: FiscalChange;
  readonly rows: readonly VaultWrite[];
}

/** The part of the settings that is not the store's own to keep: secrets, and the numbers that were taken. */
export interface FiscalSettingsKeeper {
  /** Refusals that a change may meet. */
  readonly rejections: readonly RejectionKind[];
  /** Refuses what cannot be before anything is recorded. */
  changed(
    context: Commands,
    before: FiscalSettings,
    body: FiscalSettingsBody,
    taxId: string | null,
  ): Promise<SettingsChange>;
  /** The rows of the secrets that a store had before a fact and has not behind it. */
  ended(storeId: string, before: FiscalSettings, after: FiscalSettings): readonly VaultWrite[];
  /** Takes care of the next numbers. */
  advance(context: Commands, settings: FiscalSettings, body: FiscalSettingsBody): Promise<void>;
  answer(context: Commands, settings: FiscalSettings): Promise<FiscalSettingsAnswer>;
}
