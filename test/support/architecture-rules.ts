import type { IForbiddenRuleType } from 'dependency-cruiser';

const packages = (...names: readonly string[]) => `(^|/)node_modules/(${names.join('|')})(/|$)`;
const everythingAround = String.raw`^(src/(features|adapters|http)/|src/[^/]+$|projections/|scripts/|test/)`;

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
    comment: 'deciding imports only the kernel and the events, refusals, roles and names beside it',
    from: { path: String.raw`^src/features/(.+)/(?:decider|roles|names|rejections)\.ts$` },
    to: {
      pathNot: [
        '^src/kernel/',
        String.raw`^src/features/$1/(?:domain/|(?:events|rejections|roles|names)\.ts$)`,
        packages('zod', 'immutable'),
      ],
    },
  },
  {
    name: 'domain-is-pure',
    comment: 'what a decider is made of imports only the kernel, its like, and events',
    from: { path: '^src/features/([^/]+)/domain/' },
    to: {
      pathNot: [
        '^src/kernel/',
        String.raw`^src/features/$1/(?:domain/|rejections\.ts$)`,
        String.raw`^src/features/[^/]+/events\.ts$`,
        '^src/ports/',
        packages('zod', 'immutable'),
      ],
    },
  },
  {
    name: 'features-meet-through-events',
    comment: 'a feature sees another feature only through its events.ts, and calls it through a port',
    from: { path: '^src/features/([^/]+)/' },
    to: { path: '^src/features/[^/]+/', pathNot: ['^src/features/$1/', String.raw`^src/features/.+/events\.ts$`] },
  },
  {
    name: 'projections-see-events',
    comment: 'a projection sees only events, the kernel and the types of ports',
    from: { path: '^projections/' },
    to: {
      pathNot: [
        '^projections/',
        String.raw`^src/features/.+/events\.ts$`,
        '^src/kernel/',
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
    comment: 'a port says what is needed, not who gives it',
    from: { path: '^src/ports/' },
    to: { path: everythingAround },
  },
  {
    name: 'compose-picks-adapters',
    comment: 'only compose.ts imports an adapter',
    from: { pathNot: [String.raw`^src/compose\.ts$`, '^src/adapters/', '^test/'] },
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
    comment: 'the service runs with its own dependencies, and each of them is declared',
    from: { path: '^(src|projections)/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
  },
  onlyIn('eventstoredb', '@eventstore/db-client'),
  onlyIn('mongodb', 'mongodb'),
  onlyIn('embedded', '@photostructure/sqlite'),
  onlyIn('bcrypt', 'bcrypt'),
  onlyIn('smtp', 'nodemailer'),
];
