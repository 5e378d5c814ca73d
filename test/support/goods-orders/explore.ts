import { explored } from './exploring.js';

/**
 * Orders of things among processes that share a store of goods, drawn from seeds:
 *
 *     node dist/test/support/goods-orders/explore.js 1 20000
 *
 * tries those from 1 to 20,000, names each that ends wrong, and tells the story of the first one, or of the only one that is asked for.
 */
const [from = 1, to = from] = process.argv.slice(2).map(Number);
let failed = 0;
for (let seed = from; seed <= to; seed++) {
  const { faults, story } = await explored(seed);
  if (faults.length > 0) failed += 1;
  if (from === to || (failed === 1 && faults.length > 0)) console.log(story.join('\n'));
  for (const fault of faults) console.log(`seed ${String(seed)}: ${fault}`);
}
console.log(`${String(to - from + 1)} seeds, ${String(failed)} of them wrong`);
process.exitCode = failed > 0 ? 1 : 0;
