import { isIP } from 'node:net';
import { z } from 'zod';
import { validationMessages } from './kernel/values/validation-messages.js';
import { StartRefused } from './ports/start-refused.js';

/** The environment, parsed once. A wrong setting stops the start with one clear line that names it. */

const ROLES = ['api', 'projections', 'webhooks', 'schedule'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A time such as `10s`, in milliseconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,5}(?:ms|s|m|h)$/, { error: 'must be a time such as 500ms, 10s, 5m or 1h' })
  .transform((text) => Number.parseInt(text, 10) * (MILLISECONDS[text.replace(/^\d+/, '')] ?? 0));

const DAY = 24 * 3_600_000;

/** How long somebody is waited for. A timer of many weeks is more than Node holds, and would end at once. */
const patience = duration.refine((milliseconds) => milliseconds <= DAY, { error: 'must be a time of 24h at most' });

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((text) => text === 'true' || text === '1');

const urlOf = (...schemes: readonly string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
    error: `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/** Whether it names a host, and a port at which one can be. */
const isReachable = (text: string): boolean => URL.canParse(text) && new URL(text).hostname !== '';

const mailServer = urlOf('smtp', 'smtps').refine(isReachable, {
  error: 'takes an address such as smtp://user:password@mail.example:587, with %40 for an @ of its own and %2F for a /',
});

const adviser = urlOf('http', 'https').refine(isReachable, { error: 'takes an address such as https://ai.example/v1' });

/** `shop@shop.example`, or with a name before it in one line. */
const sender = z.string().regex(/^(?:[^\p{Cc}<>]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u, {
  error: 'takes an address, or a name and an address: Shop <shop@shop.example>',
});

/** Any name a team gives its environments; one that is meant as production and is not written so would go without its rules. */
const environmentName = z.string().refine((name) => name === 'production' || !/^\s*prod/i.test(name), {
  error: 'takes production, written like that, or a name that does not begin like it',
});

/** A key as a text in base64. */
export const key32 = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, { error: 'must be 32 bytes in base64' });

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];
const proxy = z.string().refine(
  (text) => {
    const [address = '', bits, ...rest] = text.split('/');
    const family = isIP(address);
    const inRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    return PROXY_GROUPS.includes(text) || (family !== 0 && inRange && rest.length === 0);
  },
  { error: `takes addresses, subnets, or ${PROXY_GROUPS.join(', ')}` },
);

/** An address that clients use: no query, no credentials, nothing that a link could not be made of. */
const publicUrl = urlOf('http', 'https').refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { hostname, username, password, search, hash } = new URL(text);
    return hostname !== '' && [username, password, search, hash].every((part) => part === '');
  },
  { error: 'takes addresses such as https://shop.example' },
);

const FISCAL_AUTHORITIES = ['simulator', 'sefaz', 'http'] as const;

const gatewayUrl = urlOf('http', 'https').refine((text) => URL.canParse(text) && new URL(text).username === '', {
  error: 'takes an address such as https://transmitter.example/messages; a token has a setting of its own',
});

const environment = z.object({
  NODE_ENV: environmentName.default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  DATA_DIR: z.string().min(1).default('./data'),
  EVENTSTORE_URL: urlOf('esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover').optional(),
  MONGODB_URL: urlOf('mongodb', 'mongodb+srv').optional(),
  ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform(list)
    .pipe(z.array(z.enum(ROLES, { error: `takes ${ROLES.join(', ')}` })).min(1))
    .transform((roles): ReadonlySet<Role> => new Set(roles)),
  PUBLIC_URL: z.string().transform(list).pipe(z.array(publicUrl).min(1)).optional(),
  SECRETS_KEY: key32.optional(),
  JWT_SECRET: key32.optional(),
  SMTP_URL: mailServer.optional(),
  MAIL_FROM: sender.default('Store Management <no-reply@localhost>'),
  FISCAL_AUTHORITY: z
    .enum(FISCAL_AUTHORITIES, { error: `takes ${FISCAL_AUTHORITIES.join(', ')}` })
    .default('simulator'),
  FISCAL_GATEWAY_URL: gatewayUrl.optional(),
  FISCAL_GATEWAY_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  SEFAZ_ADDRESSES: z.string().min(1).optional(),
  SEFAZ_CA_FILE: z.string().min(1).optional(),
  AI_BASE_URL: adviser.optional(),
  AI_API_KEY: z.string().min(1).optional(),
  AI_MODEL: z.string().min(1).optional(),
  MEMORY: integer(128, 1_000_000).optional(),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  TRUSTED_PROXIES: z.string().transform(list).pipe(z.array(proxy)).optional(),
  RATE_LIMIT_PER_KEY: integer(0, 1_000_000).default(5000),
  RATE_LIMIT_OPEN: integer(0, 1_000_000).default(60),
  MAX_CONNECTIONS: integer(0, 1_000_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: integer(0, 1_000_000).default(512),
  HEADER_TIMEOUT: patience.default(10_000),
  BODY_TIMEOUT: patience.default(30_000),
  STALL_TIMEOUT: patience.default(30_000),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  WEBHOOK_RETRY_DELAYS: z
    .string()
    .default('1m,5m,15m,1h,3h,6h,12h,24h')
    .transform(list)
    .pipe(z.array(duration).min(1).max(20)),
  AUDIT_MAIL: z.email().optional(),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY: duration
    .refine((milliseconds) => milliseconds >= 1_000 && milliseconds <= DAY, {
      error: 'must be a time from 1s to 24h',
    })
    .default(15 * 60_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `takes ${LOG_LEVELS.join(', ')}` }).default('info'),
  DEMO: flag.default(true),
  CONSOLE: flag.default(true),
});

export type Config = Readonly<z.output<typeof environment>>;

/** Whether the data folder has any of what is stored: not where servers keep all of it. */
export const holdsData = ({ EVENTSTORE_URL, MONGODB_URL }: Config): boolean => !(EVENTSTORE_URL && MONGODB_URL);

export const SETTINGS: readonly string[] = Object.keys(environment.shape);

export class InvalidConfiguration extends StartRefused {}

export function parseConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is as good as none.
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given, { error: validationMessages });
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
    throw new InvalidConfiguration(`wrong setting: ${reasons.join('; ')}`);
  }
  const config = parsed.data;
  const missing = (['SECRETS_KEY', 'JWT_SECRET'] as const).filter((name) => !config[name]);
  if (config.NODE_ENV === 'production' && missing.length > 0) {
    throw new InvalidConfiguration(
      `missing setting: ${missing.join(' and ')} required in production (32 bytes in base64)`,
    );
  }
  if (config.NODE_ENV === 'production' && !config.PUBLIC_URL) {
    throw new InvalidConfiguration(
      'missing setting: PUBLIC_URL required in production (the address of clients, such as https://shop.example)',
    );
  }
  if (config.FISCAL_AUTHORITY === 'http' && !config.FISCAL_GATEWAY_URL) {
    throw new InvalidConfiguration(
      'missing setting: FISCAL_GATEWAY_URL says where the transmitter of FISCAL_AUTHORITY=http is',
    );
  }
  if (config.AI_BASE_URL && !config.AI_MODEL) {
    throw new InvalidConfiguration('missing setting: AI_MODEL names the model of AI_BASE_URL');
  }
  return config;
}

/** How the service listens. */
export const listenOptions = (config: Config) => ({
  host: config.HOST,
  port: config.PORT,
  headerMilliseconds: config.HEADER_TIMEOUT,
  bodyMilliseconds: config.BODY_TIMEOUT,
  maxConnections: config.MAX_CONNECTIONS,
  maxConnectionsPerAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
  trustedProxies: config.TRUSTED_PROXIES,
});
