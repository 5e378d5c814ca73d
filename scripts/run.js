// Runs a program of the project, compiled when it has to be: `node scripts/run.js admin store list`. It runs in this very
// process, so that a signal to the process that was started reaches it.
import { build } from './build.js';

const PROGRAMS = {
  start: '../dist/src/main.js',
  admin: '../dist/scripts/admin.js',
  audit: '../dist/scripts/audit.js',
  backup: '../dist/scripts/backup.js',
  bench: '../dist/scripts/bench/main.js',
  doctor: '../dist/scripts/doctor.js',
  'large-store': '../dist/scripts/large-store.js',
  move: '../dist/scripts/move.js',
  'new-feature': '../dist/scripts/new-feature.js',
  projections: '../dist/scripts/projections.js',
  restore: '../dist/scripts/restore.js',
};

const [name = ''] = process.argv.splice(2, 1);
const program = PROGRAMS[name];
const code = program === undefined ? 2 : await build();
if (code === 0) {
  await import(program);
} else {
  if (program === undefined) process.stderr.write(`node scripts/run.js ${Object.keys(PROGRAMS).join('|')}\n`);
  process.exitCode = code;
}
