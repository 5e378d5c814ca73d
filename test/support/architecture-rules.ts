import type { IForbiddenRuleType } from 'dependency-cruiser';

const packages = (...names: readonly string[]) => `(^|/)node_modules/(${names.join('|')})(/|$)`;
const everythingAround = String.raw`^(src/(features|adapters|http|operations|demo|console)/|src/[^/]+$|projections/|scripts/|test/)`;
/** The parts of the kernel that do no input or output. */
const pureKernel = String.raw`^src/kernel/(events|values|patterns)/`;

const onlyIn = (folder: string, name: string): IForbiddenRuleType => ({
  name: `${name}-only-in-${folder}`,
  comment: `${name} is a detail of its adapter`,
  from: { pathNot: `^src/adapters/${folder}/` },
  to: { path: packages(name) },
});

/** Who may import whom. */
export const rules: readonly IForbiddenRuleType[] = [
  {
    name: 'decider-is-pure',
    comment:
      'deciding imports only the pure parts of the kernel, the permissions, and the events, refusals and names beside it',
    from: { path: String.raw`^src/features/([^/]+)/.*(decider|names|rejections)\.ts$` },
    to: {
      pathNot: [
        pureKernel,
        '^src/brazil/',
        '^src/features/$1/.*(domain|ledger)/',
        String.raw`^src/features/permissions\.ts$`,
        String.raw`^src/features/$1/.*(decider|events|rejections|names)\.ts$`,
        '^src/features/contracts/',
        packages('zod', 'immutable'),
      ],
    },
  },
  {
    name: 'domain-is-pure',
    comment: 'what a decider is made of imports only the pure parts of the kernel, its like, and events',
    from: { path: '^src/features/([^/]+)/.*(domain|ledger)/' },
    to: {
      pathNot: [
        pureKernel,
        '^src/brazil/',
        '^src/features/$1/.*(domain|ledger)/',
        String.raw`^src/features/$1/.*rejections\.ts$`,
        String.raw`^src/features/.+/events\.ts$`,
        '^src/features/contracts/',
        packages('zod', 'immutable'),
      ],
    },
  },
  {
    name: 'brazil-knows-nobody',
    comment: 'facts of the country are pure',
    from: { path: '^src/brazil/' },
    to: { path: ['^src/(?!brazil/|kernel/values/)', '^(projections|scripts|test)/'] },
  },
  {
    name: 'features-meet-through-events',
    comment: 'a feature sees another feature only through its events.ts, and asks it through a contract',
    from: { path: '^src/features/([^/]+)/' },
    to: {
      path: '^src/features/[^/]+/',
      pathNot: ['^src/features/$1/', '^src/features/contracts/', String.raw`^src/features/.+/events\.ts$`],
    },
  },
  {
    name: 'features-know-no-shell',
    comment: 'a feature answers the same whoever asks: HTTP and the command line stand around it',
    from: { path: '^src/features/' },
    to: { path: '^src/(http|operations)/' },
  },
  {
    name: 'projections-see-events',
    comment: 'a projection sees only events, the kernel and the types of ports',
    from: { path: '^projections/' },
    to: {
      pathNot: [
        '^projections/',
        String.raw`^src/features/.+/(events|history)\.ts$`,
        '^src/kernel/',
        '^src/brazil/',
        '^src/ports/',
        packages('zod', 'immutable'),
      ],
    },
  },
  {
    name: 'kernel-knows-nobody',
    comment: 'the kernel knows ports, and nothing of stores, cards or bread',
    from: { path: '^src/kernel/' },
    to: { path: everythingAround },
  },
  {
    name: 'ports-know-nobody',
    comment: 'a port is infrastructure: it says what is needed, not who gives it or what a route asks',
    from: { path: '^src/ports/' },
    to: { path: [everythingAround, '^src/kernel/routes/'] },
  },
  {
    name: 'compose-picks-adapters',
    comment: 'only compose.ts and its like import an adapter',
    from: { pathNot: [String.raw`^src/compose(-copies)?\.ts$`, '^src/adapters/', '^test/'] },
    to: { path: '^src/adapters/' },
  },
  {
    name: 'no-cycles',
    comment: 'what needs each other belongs together',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-tests-in-the-program',
    comment: 'the program does not need its tests',
    from: { path: '^(src|projections|scripts)/' },
    to: { path: '^test/' },
  },
  {
    name: 'only-what-is-installed',
    comment:
      'the service runs with its own dependencies, and each of them is declared; the client of the pages is generated',
    from: { path: '^(src|projections)/' },
    to: { pathNot: '^openapi-client$', dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
  },
  onlyIn('eventstoredb', '@eventstore/db-client'),
  onlyIn('mongodb', 'mongodb'),
  onlyIn('embedded', '@photostructure/sqlite'),
  onlyIn('bcrypt', 'bcrypt'),
  onlyIn('smtp', 'nodemailer'),
  onlyIn('safe-http', 'ipaddr.js'),
  onlyIn('safe-http', 'undici'),
];
