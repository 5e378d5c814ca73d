import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import yaml from 'js-yaml';
import { z } from 'zod';
import { parseConfig, SETTINGS } from '../src/config.js';

const text = readFileSync('docker-compose.yml', 'utf8');

const service = z.strictObject({
  image: z.string().optional(),
  build: z.string().optional(),
  platform: z.string().optional(),
  init: z.boolean().optional(),
  profiles: z.array(z.string()).default([]),
  restart: z.literal('unless-stopped'),
  stop_grace_period: z.string().optional(),
  read_only: z.literal(true).optional(),
  tmpfs: z.array(z.string()).optional(),
  user: z.string().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  mem_limit: z.string().optional(),
  pids_limit: z.number().optional(),
  logging: z.unknown().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).min(1),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.strictObject({
    test: z.array(z.string()).min(2),
    interval: z.string(),
    timeout: z.string(),
    retries: z.number(),
    start_period: z.string(),
  }),
});

const file = z
  .object({ name: z.string(), services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(yaml.safeLoad(text));
const services = new Map(Object.entries(file.services));
const named = (name: string) => {
  const found = services.get(name);
  if (!found) throw new Error(`no service ${name}`);
  return found;
};
const namesIn = (profile?: string) =>
  [...services]
    .filter(([, { profiles }]) => (profile ? profiles.includes(profile) : profiles.length === 0))
    .map(([name]) => name);

/** The environment that a container gets when only these variables are set, as `docker compose` fills it in. */
function filled(environment: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>>) {
  const fill = (value: string) =>
    value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, operator: string, rest: string) => {
      const given = variables[name];
      if (given) return given;
      if (operator === '?') throw new Error(`${name} is required: ${rest}`);
      return rest;
    });
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
}

const key = Buffer.alloc(32, 7).toString('base64');
const required = { SECRETS_KEY: key, JWT_SECRET: key, PUBLIC_URL: 'https://loja.example' };

/** What an image decides by itself, and what only the embedded engine or a trial has a use for. */
const NOT_PASSED_ON = ['NODE_ENV', 'WEBHOOK_ALLOW_PRIVATE', 'BACKUP_DIR', 'BACKUP_EVERY', 'DEMO'];

test.each(
  namesIn()
    .concat(namesIn('cluster'), namesIn('kurrentdb'))
    .filter((name) => name.startsWith('service')),
)('%s is told of every setting', (name) => {
  const passed = Object.keys(named(name).environment);
  expect([...passed, ...NOT_PASSED_ON].sort()).toEqual([...SETTINGS].sort());
});

describe('what starts', () => {
  test('by itself: the service, an event store and MongoDB', () => {
    expect(namesIn()).toEqual(['service', 'eventstore', 'mongodb']);
  });

  test('with the profile cluster: three event store nodes as well', () => {
    expect(namesIn('cluster')).toEqual(['service-on-cluster', 'eventstore-1', 'eventstore-2', 'eventstore-3']);
  });

  test('with the profile kurrentdb: its successor in place of EventStoreDB', () => {
    expect(namesIn('kurrentdb')).toEqual(['service-on-kurrentdb', 'kurrentdb']);
  });

  test('nobody before what it depends on is healthy, and that starts in the same profile', () => {
    for (const { depends_on, profiles } of services.values()) {
      for (const name of Object.keys(depends_on)) {
        expect([[], profiles]).toContainEqual(named(name).profiles);
      }
    }
    expect(Object.keys(named('service').depends_on)).toEqual(['eventstore', 'mongodb']);
  });
});

test('every service has an image or is built here', () => {
  for (const { image, build } of services.values()) expect([image, build].filter(Boolean)).toHaveLength(1);
});

test('the service itself may write into its data folder alone, and is nobody in particular', () => {
  const own = [...services.values()].filter(({ build }) => build !== undefined);
  expect(own.length).toBeGreaterThan(0);
  for (const service of own) {
    expect(service).toMatchObject({ read_only: true, user: 'node', cap_drop: ['ALL'], tmpfs: ['/tmp'] });
    expect(service.mem_limit).toBeDefined();
  }
});

test('nothing is published beyond this machine, and no port twice', () => {
  const ports = [...services.values()].flatMap(({ ports }) => ports);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(ports.length);
});

test('data lies in declared volumes, each used once', () => {
  const used = [...services.values()].flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0]));
  expect(used.sort()).toEqual(Object.keys(file.volumes).sort());
});

describe.each(['service', 'service-on-cluster', 'service-on-kurrentdb'])('the settings of %s', (name) => {
  const { environment, depends_on } = named(name);

  test('are a configuration that it starts with', () => {
    const config = parseConfig({
      NODE_ENV: 'production',
      ...filled(environment, required),
    });
    expect(config).toMatchObject({ HOST: '0.0.0.0', PORT: 3000, DATA_DIR: '/data' });
    expect([...config.ROLES]).toContain('api');
  });

  test.each(Object.keys(required))('are incomplete without %s', (name) => {
    expect(() => filled(environment, { ...required, [name]: '' })).toThrow(`${name} is required`);
  });

  test('pass on what an operator may say, as it is', () => {
    const said = { TRUSTED_PROXIES: 'uniquelocal', RATE_LIMIT_OPEN: '0', MAX_CONNECTIONS: '77', STALL_TIMEOUT: '5s' };
    const config = parseConfig({ NODE_ENV: 'production', ...filled(environment, { ...required, ...said }) });
    expect(config).toMatchObject({
      PUBLIC_URL: ['https://loja.example'],
      TRUSTED_PROXIES: ['uniquelocal'],
      RATE_LIMIT_OPEN: 0,
      MAX_CONNECTIONS: 77,
      STALL_TIMEOUT: 5_000,
    });
  });

  test('name only hosts that it waits for', () => {
    const urls = [environment['EVENTSTORE_URL'], environment['MONGODB_URL']].join(' ');
    const hosts = [...urls.matchAll(/([\w-]+):\d+/g)].map((match) => match[1]);
    expect(hosts.sort()).toEqual(Object.keys(depends_on).sort());
  });
});

test('the logs have read models of their own', () => {
  const databases = ['service', 'service-on-cluster', 'service-on-kurrentdb'].map(
    (name) => named(name).environment['MONGODB_URL'],
  );
  expect(new Set(databases).size).toBe(3);
});

test('each node of the cluster knows the two others and says where it is', () => {
  const nodes = ['eventstore-1', 'eventstore-2', 'eventstore-3'];
  for (const node of nodes) {
    const others = nodes.filter((name) => name !== node).map((name) => `${name}:2113`);
    expect(named(node).environment).toMatchObject({
      EVENTSTORE_CLUSTER_SIZE: '3',
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_NODE_HOST_ADVERTISE_AS: node,
      EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: node,
      EVENTSTORE_GOSSIP_SEED: others.join(','),
    });
  }
});

test('MongoDB is a replica set of one that its check makes', () => {
  const { command, healthcheck, image } = named('mongodb');
  const set = command?.[command.indexOf('--replSet') + 1];
  expect(image).toMatch(/^mongo:8/);
  expect(healthcheck.test.at(-1)).toContain(`rs.initiate({ _id: '${set ?? ''}'`);
  for (const name of ['service', 'service-on-cluster']) {
    expect(named(name).environment['MONGODB_URL']).toContain(`replicaSet=${set ?? ''}`);
  }
});

describe('the image', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');
  const copied = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1));

  test('runs the compiled program on a Node release that it supports, not as root', () => {
    const manifest = z.object({ engines: z.object({ node: z.string() }), scripts: z.object({ start: z.string() }) });
    const { engines, scripts } = manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const supported = Number(/^>=(\d+)/.exec(engines.node)?.[1]);
    const releases = lines
      .filter((line) => line.startsWith('FROM '))
      .map((line) => Number(/node:(\d+)-slim/.exec(line)?.[1]));
    expect(releases.filter((release) => release >= supported)).toHaveLength(2);
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.lastIndexOf('FROM node:22-slim'));
    const named = /\bscripts\/run\.js (\S+)/.exec(scripts.start)?.[1] ?? '';
    expect(named).not.toBe('');
    const programs = readFileSync('scripts/run.js', 'utf8');
    const program = new RegExp(`${named}: '\\.\\./(\\S+)'`).exec(programs)?.[1];
    expect(lines).toContain(`CMD ["node", "${program ?? ''}"]`);
  });

  test('holds no package that the build alone needs', () => {
    const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
    const { dependencies } = manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const sources = ['src', 'projections', 'scripts'].flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((path) => path.endsWith('.ts') && !path.startsWith(join('src', 'console'))),
    );
    const text = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
    const isNamed = (name: string) => ["'", '`', '"'].some((quote) => text.includes(quote + name));
    const removed = /npm uninstall --no-save --omit=dev ([^#]*?)\n(?!\s)/.exec(lines.join('\n'))?.[1] ?? '';
    const names = removed.split(/[\s\\]+/).filter((name) => name !== '');
    expect(names.toSorted()).toEqual(Object.keys(dependencies).filter((name) => !isNamed(name)));
  });

  test('is built from what is there, and from nothing that is left out', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored).toContain('*');
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied.map((path) => path.replace(/^\.\//, ''))) {
      expect(existsSync(path)).toBe(true);
      expect(ignored).toContain(`!${path}`);
    }
  });
});

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;

(hasCompose ? test : test.skip)('docker compose accepts the file', () => {
  const { status, stderr } = spawnSync('docker', ['compose', '--profile', 'cluster', 'config', '--quiet'], {
    env: { ...process.env, ...required },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
