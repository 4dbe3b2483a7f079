/** What `npm start` runs once everything is built. */

import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CRATES, makeWorkplace } from './cli.ts';
import type { Report } from './cli.ts';

const { folder, read, write } = makeWorkplace();
write('crates.json', CRATES);

function start(scene: string, env: Record<string, string> = {}): SpawnSyncReturns<string> {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [resolve('scripts/start.mjs'), scene], options);
}

test('is this script, on the scene that is built before', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts.start).toBe('npm run build && npm run scenes && node scripts/start.mjs');
});

test('without a hardware adapter the CPU answers first, and then the kernels are verified on the software one', () => {
  const { status, stdout, stderr } = start('crates.json');
  expect(status, stderr).toBe(0);
  expect((JSON.parse(read('heap-contacts.json')) as Report).engines).toMatchObject([{ name: 'cpu' }]);
  expect(stdout).toMatch(/^engine +cpu on [^]*^hits +1 pair$[^]*^engine +dawn on [^]*^outcome +passed: no fault$/m);
  expect(stdout).toMatch(/^adapter +.*\(software\)$/m);
  expect(stderr).toMatch(/^narrowphase: verifying the kernels on the software adapter ./m);
});

test('without any adapter it ends with 0 and says that the kernels are not verified', () => {
  const env = { VK_DRIVER_FILES: 'none.json', VK_ICD_FILENAMES: 'none.json' };
  const { status, stdout, stderr } = start('crates.json', env);
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^hits +1 pair$/m);
  expect(stdout).not.toContain('outcome');
  expect(stderr).toMatch(/^narrowphase: the CPU has answered; the kernels are not verified, as there is no adapter ./m);
});

test('a command that fails ends it with the same exit code', () => {
  write('heap.json', 'no scene');
  expect(start('heap.json').status).toBe(2);
});
