/** What is not in order with the service, as it says itself at `/healthz`. */
export interface Trouble {
  readonly name:
    | 'troubleBackup'
    | 'troubleDisk'
    | 'troubleAudit'
    | 'troubleCertificates'
    | 'troubleDocuments'
    | 'troubleStreams'
    | 'troubleProjections'
    | 'troubleReactors'
    | 'troubleOther';
  readonly n: number;
  /** What has stopped, by the names that its operators know. */
  readonly names: string;
}

type Health = Readonly<Record<string, unknown>>;

const part = (value: unknown): Health => (typeof value === 'object' && value !== null ? { ...value } : {});
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

const stopped = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(part) : [])
    .filter(({ state }) => state === 'stopped')
    .map(({ name }) => String(name));

const KNOWN: ReadonlySet<string> = new Set(['backup', 'disk', 'audit', 'fiscal']);

export function troublesOf(health: Health): readonly Trouble[] {
  const fiscal = part(health['fiscal']);
  const isBad = (name: string) => part(health[name])['ok'] === false;
  const others = Object.keys(health).filter((name) => !KNOWN.has(name) && isBad(name));
  const named = (name: Trouble['name'], names: readonly string[]): Trouble => ({
    name,
    n: names.length,
    names: names.join(', '),
  });
  const counted = (name: Trouble['name'], n: number): Trouble => ({ name, n, names: '' });
  return [
    counted('troubleBackup', Number(isBad('backup'))),
    counted('troubleDisk', Number(isBad('disk'))),
    counted('troubleAudit', Number(isBad('audit'))),
    counted('troubleCertificates', count(fiscal['certificatesExpiring'])),
    counted('troubleDocuments', count(fiscal['documentsOverdue'])),
    counted('troubleStreams', count(health['shortenedStreams'])),
    named('troubleProjections', stopped(health['projections'])),
    named('troubleReactors', stopped(health['reactors'])),
    named('troubleOther', others),
  ].filter(({ n }) => n > 0);
}
