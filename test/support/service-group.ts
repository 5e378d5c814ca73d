import { randomBytes, randomUUID } from 'node:crypto';
import type { StoreAccess } from './category-load.js';
import { callStore } from './category-load.js';
import type { ServiceProcess } from './service-process.js';
import { freshFolder, startProgram, startService } from './service-process.js';
import type { Servers } from './servers.js';
import type { Answer } from './world.js';

/** A store's name and an API key of it. */
export type Credential = StoreAccess;

/** Processes that serve the same data from servers, each with a data folder of its own. */
export class ServiceGroup {
  private readonly settings: Readonly<Record<string, string>>;

  constructor(servers: Servers) {
    const secret = randomBytes(32).toString('base64');
    this.settings = { ...servers.freshEnv(), SECRETS_KEY: secret, JWT_SECRET: secret };
  }

  async start(settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    return startService(await freshFolder(), { ...this.settings, ...settings });
  }

  /** Runs a command of the administration's command line, in a process of its own. */
  async administer(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
    return (await this.run('scripts/admin.js', words)) as Record<string, string>;
  }

  /** What `npm run projections` prints, on a machine that runs no service. */
  lookAfterProjections(...words: readonly string[]): Promise<unknown> {
    return this.run('scripts/projections.js', words);
  }

  private async run(script: string, words: readonly string[]): Promise<unknown> {
    const program = startProgram(script, words, { DATA_DIR: await freshFolder(), ...this.settings });
    const { code } = await program.ended;
    if (code !== 0) throw new Error(`${words.join(' ')}: ${program.err}`);
    return JSON.parse(program.out);
  }

  /** A fresh store with a key that may do everything, made by the command line. */
  async newStore(): Promise<Credential> {
    const slug = `loja-${randomUUID().slice(0, 13)}`;
    const owner = ['--username', slug, '--email', `${slug}@example.com`, '--password', randomUUID()];
    await this.administer('store', 'create', '--slug', slug, '--name', 'Loja', ...owner);
    const permissions = ['--permissions', 'all'];
    const { key = '' } = await this.administer('api-key', 'create', '--store', slug, '--name', 'Teste', ...permissions);
    return { slug, key };
  }
}

/** A request to one of the processes. */
export const ask = (
  { url }: ServiceProcess,
  credential: Credential,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> => callStore(url, credential, method, path, body, headers);
