import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { InvalidConfiguration, parseConfig, SETTINGS } from '../../src/config.js';
import { misspeltSettings } from '../../src/misspelt-settings.js';
import { freshFolder, linesOf, startProcess, startProgram, stopAll } from '../support/service-process.js';

afterEach(stopAll);

const key = randomBytes(32).toString('base64');

describe('a setting that is wrong is named', () => {
  test.each<readonly [name: string, variables: Readonly<Record<string, string>>]>([
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '65536' }],
    ['SECRETS_KEY', { SECRETS_KEY: 'c2hvcnQ=' }],
    ['JWT_SECRET', { JWT_SECRET: key.slice(4) }],
    ['ROLES', { ROLES: 'foo' }],
    ['ROLES', { ROLES: ',' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'nonsense' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'padaria.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://padaria.example,https://' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://eu:senha@padaria.example' }],
    ['PUBLIC_URL', { NODE_ENV: 'production', JWT_SECRET: key, SECRETS_KEY: key }],
    ['RATE_LIMIT_OPEN', { RATE_LIMIT_OPEN: 'none' }],
    ['MAX_CONNECTIONS', { MAX_CONNECTIONS: '-1' }],
    ['MAX_CONNECTIONS_PER_ADDRESS', { MAX_CONNECTIONS_PER_ADDRESS: '1.5' }],
    ['HEADER_TIMEOUT', { HEADER_TIMEOUT: '10' }],
    ['BODY_TIMEOUT', { BODY_TIMEOUT: '0s' }],
    ['STALL_TIMEOUT', { STALL_TIMEOUT: '1d' }],
    ['HEADER_TIMEOUT', { HEADER_TIMEOUT: '25h' }],
    ['BODY_TIMEOUT', { BODY_TIMEOUT: '600h' }],
    ['STALL_TIMEOUT', { STALL_TIMEOUT: '1500m' }],
    ['RATE_LIMIT_PER_KEY', { RATE_LIMIT_PER_KEY: '-1' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['DEMO', { DEMO: 'perhaps' }],
    ['EVENTSTORE_URL', { EVENTSTORE_URL: 'http://localhost' }],
    ['MONGODB_URL', { MONGODB_URL: 'localhost' }],
    ['SMTP_URL', { SMTP_URL: 'localhost' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://mail.example:abc' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://mail.example:99999' }],
    ['MAIL_FROM', { MAIL_FROM: 'Padaria Aurora' }],
    ['MAIL_FROM', { MAIL_FROM: 'Padaria <contato@>' }],
    ['MAIL_FROM', { MAIL_FROM: 'Padaria\nBcc: <contato@padaria.example>' }],
    ['AI_BASE_URL', { AI_BASE_URL: 'https://', AI_MODEL: 'small' }],
    ['NODE_ENV', { NODE_ENV: 'prod' }],
    ['NODE_ENV', { NODE_ENV: 'Production' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'short' }],
    ['FISCAL_AUTHORITY', { FISCAL_AUTHORITY: 'none' }],
    ['FISCAL_GATEWAY_URL', { FISCAL_AUTHORITY: 'http' }],
    ['FISCAL_GATEWAY_URL', { FISCAL_AUTHORITY: 'http', FISCAL_GATEWAY_URL: 'https://a:b@transmitter.example' }],
    ['SECRETS_KEY', { NODE_ENV: 'production', JWT_SECRET: key }],
    ['JWT_SECRET', { NODE_ENV: 'production', SECRETS_KEY: key }],
  ])('%s: %j', (name, variables) => {
    const parse = () => parseConfig(variables);
    expect(parse).toThrow(InvalidConfiguration);
    expect(parse).toThrow(new RegExp(String.raw`setting: ${name}\b`));
  });
});

test.each([
  { SMTP_URL: 'smtps://contato%40padaria.example:se%2Fnha@mail.example:465' },
  { SMTP_URL: 'smtp://[::1]:25' },
  { MAIL_FROM: 'contato@padaria.example' },
  { MAIL_FROM: '"Padaria Aurora, Centro" <contato@padaria.example>' },
  { AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'small' },
  { NODE_ENV: 'test' },
  { NODE_ENV: 'staging' },
])('%j is taken as it is', (variables) => {
  expect(parseConfig(variables)).toMatchObject(variables);
});

test.each([
  ['PORT must be a whole number', { PORT: 'abc' }],
  ['SECRETS_KEY required in production', { NODE_ENV: 'production', JWT_SECRET: key }],
  ['HOST or PORT: listen EADDRNOTAVAIL', { HOST: '203.0.113.1' }],
  ['wrong setting: MONGODB_URL: Protocol and host list are required', { MONGODB_URL: 'mongodb://' }],
  ['wrong setting: MONGODB_URL: Unable to parse 127.0.0.1:abc', { MONGODB_URL: 'mongodb://127.0.0.1:abc/store' }],
  ['wrong setting: MONGODB_URL: option foo is not supported', { MONGODB_URL: 'mongodb://127.0.0.1/store?foo=bar' }],
  ['wrong setting: MONGODB_URL: Database names cannot contain', { MONGODB_URL: 'mongodb://127.0.0.1/store.1' }],
  [
    "wrong setting: MONGODB_URL: ENOENT: no such file or directory, open '/dev/no-ca.pem'",
    { MONGODB_URL: 'mongodb://127.0.0.1/store?tls=true&tlsCAFile=/dev/no-ca.pem' },
  ],
  ['DATA_DIR cannot be used: ENOTDIR', { DATA_DIR: '/dev/null/data' }],
  ['DATA_DIR cannot be used: ENOTDIR', { DATA_DIR: '/dev/null/data', SECRETS_KEY: key, JWT_SECRET: key }],
])('the service does not start, and says in a line: %s', async (reason, variables) => {
  const program = startProcess(join(await freshFolder(), 'data'), variables);
  expect(await program.ended).toEqual({ code: 1, signal: null });
  const lines = linesOf(program.err);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(reason);
  expect(program.out).toBe('');
});

describe('a name that is nearly that of a setting', () => {
  test.each([
    ['BACKUP_DIRECTORY', 'BACKUP_DIR'],
    ['DATADIR', 'DATA_DIR'],
    ['MONGODB_URI', 'MONGODB_URL'],
    ['MONGO_URL', 'MONGODB_URL'],
    ['MONGODB_URL_FILE', 'MONGODB_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['AUDIT_EMAIL', 'AUDIT_MAIL'],
    ['ROLE', 'ROLES'],
    ['data_dir', 'DATA_DIR'],
    ['port', 'PORT'],
  ])('%s: %s may be meant', (name, setting) => {
    expect(misspeltSettings([name])).toEqual([{ name, setting }]);
  });

  test.each([
    [...SETTINGS],
    [
      'HOSTNAME',
      'PORTS',
      'HOST_IP',
      'XDG_DATA_DIRS',
      'MONGODB_PORT',
      'SMTP_HOST',
      'NODE_EXTRA_CA_CERTS',
      'NODE_OPTIONS',
    ],
    [
      'PATH',
      'HOME',
      'USER',
      'SHELL',
      'LANG',
      'TERM',
      'TZ',
      'http_proxy',
      'npm_config_cache',
      'npm_lifecycle_event',
      '_',
    ],
  ])('is none of %s, %s, %s …', (...names) => {
    expect(misspeltSettings(names)).toEqual([]);
  });

  test('is told at the start, and by the doctor', async () => {
    const variables = { BACKUP_DIRECTORY: '/mnt/backup', HOST: '203.0.113.1' };
    const told = 'BACKUP_DIRECTORY is no setting, and nothing follows it: BACKUP_DIR may be meant';
    const folder = await freshFolder();
    const service = startProcess(join(folder, 'data'), variables);
    const doctor = startProgram('scripts/doctor.js', [], { DATA_DIR: folder, ...variables });
    await Promise.all([service.ended, doctor.ended]);
    expect(linesOf(service.out).map((line) => JSON.parse(line) as unknown)).toMatchObject([{ msg: told }]);
    expect(linesOf(doctor.out)).toContain(`note   settings: ${told}`);
  });
});
