import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { signatureOf } from '../../src/features/webhooks/secrets.js';

/** The examples of docs/webhooks.md, run against the signature that the service makes. */

const text = readFileSync('docs/webhooks.md', 'utf8');
const snippet = (language: string): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SECRET = 'whsec_segredo';
const NOW = 1_795_348_800;
const BODY = '{"text":"pão"}';
const signature = signatureOf(SECRET, NOW, BODY);
/** What strangers send is refused as well, and stops no receiver by an error that nobody catches. */
const strange = 'é'.repeat(signature.length);
/** Timestamp, signature, body, now, and whether it is genuine. */
const cases: readonly (readonly [string, string, string, number, boolean])[] = [
  [String(NOW), signature, BODY, NOW + 300, true],
  [String(NOW), signature, BODY, NOW + 301, false],
  [String(NOW), signature, `${BODY} `, NOW, false],
  [String(NOW), signature.replace('v1=', 'v0='), BODY, NOW, false],
  [String(NOW), '', BODY, NOW, false],
  [String(NOW), strange, BODY, NOW, false],
  ['\u00b2', signature, BODY, NOW, false],
  ['9'.repeat(5000), signature, BODY, NOW, false],
];
const expected = cases.map(([, , , , genuine]) => genuine);

const has = (program: string, ...words: readonly string[]): boolean => spawnSync(program, words).status === 0;
const run = (program: string, ...words: readonly string[]): unknown =>
  JSON.parse(execFileSync(program, words, { cwd: folder }).toString());

function inLanguage(name: string, available: boolean, body: () => void): void {
  if (available) test(`verify in ${name}`, body);
  else test.skip(`verify in ${name} (left out: this machine does not have it)`, () => undefined);
}

describe('the examples', () => {
  test('exist for five languages, and the console shows the same', () => {
    const shown = readFileSync('src/console/screens/webhooks/samples.ts', 'utf8').replace(/\\([`$])/g, '$1');
    for (const language of ['ts', 'python', 'php', 'java', 'csharp']) {
      expect(snippet(language)).not.toBe('');
      expect(shown).toContain(`\`${snippet(language).trimEnd()}\``);
    }
  });

  inLanguage('TypeScript', true, () => {
    const plain = snippet('ts').replace(
      /export function isGenuine\([^)]*\)[^{]*\{/,
      'export function isGenuine(secret, headers, body, now) {',
    );
    const calls = cases.map(
      ([timestamp, given, body, now]) =>
        `isGenuine('${SECRET}', { 'x-service-timestamp': '${timestamp}', 'x-service-signature': '${given}' }, '${body}', ${String(now)})`,
    );
    writeFileSync(join(folder, 'verify.mjs'), `${plain}\nconsole.log(JSON.stringify([${calls.join(', ')}]));`);
    expect(run(process.execPath, 'verify.mjs')).toEqual(expected);
  });

  inLanguage('Python', has('python3', '--version'), () => {
    const calls = cases.map(
      ([timestamp, given, body, now]) =>
        `is_genuine('${SECRET}', {'x-service-timestamp': '${timestamp}', 'x-service-signature': '${given}'}, '${body}'.encode(), ${String(now)})`,
    );
    writeFileSync(
      join(folder, 'verify.py'),
      `${snippet('python')}\nimport json\nprint(json.dumps([${calls.join(', ')}]))\n`,
    );
    expect(run('python3', 'verify.py')).toEqual(expected);
  });

  inLanguage('PHP', has('php', '--version'), () => {
    const calls = cases.map(
      ([timestamp, given, body, now]) =>
        `is_genuine('${SECRET}', ['x-service-timestamp' => '${timestamp}', 'x-service-signature' => '${given}'], '${body}', ${String(now)})`,
    );
    writeFileSync(join(folder, 'verify.php'), `<?php\n${snippet('php')}\necho json_encode([${calls.join(', ')}]);`);
    expect(run('php', 'verify.php')).toEqual(expected);
  });

  inLanguage('Java', has('javac', '-version'), () => {
    const calls = cases.map(
      ([timestamp, given, body, now]) =>
        `Webhooks.isGenuine("${SECRET}", Map.of("x-service-timestamp", "${timestamp}", "x-service-signature", "${given}"), ${JSON.stringify(body)}.getBytes("UTF-8"), ${String(now)}L)`,
    );
    const main = `import java.util.*;\npublic class Main { public static void main(String[] words) throws Exception { System.out.println(List.of(${calls.join(', ')})); } }`;
    writeFileSync(join(folder, 'Webhooks.java'), snippet('java'));
    writeFileSync(join(folder, 'Main.java'), main);
    execFileSync('javac', ['-encoding', 'UTF-8', 'Webhooks.java', 'Main.java'], { cwd: folder });
    expect(run('java', '-cp', '.', 'Main')).toEqual(expected);
  });
});
