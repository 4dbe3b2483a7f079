/** What `npm start` runs once everything is built. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CRATES, makeWorkplace } from './cli.ts';
import type { Report } from './cli.ts';

const { folder, read, write } = makeWorkplace();
write('crates.json', CRATES);

function start(env: Record<string, string> = {}): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [resolve('scripts/start.mjs'), 'crates.json'], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });
}

test('is this script, on the scene that is built before', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts.start).toBe('npm run build && npm run scenes && node scripts/start.mjs');
});

test('without a hardware adapter the CPU answers first, and then the kernels are verified on the software one', () => {
  const { status, stdout, stderr } = start();
  expect(status, stderr).toBe(0);
  expect((JSON.parse(read('heap-contacts.json')) as Report).engines).toMatchObject([{ name: 'cpu' }]);
  expect(stdout).toMatch(/^engine +cpu on Node [^]*^hits +1 pair$[^]*^engine +dawn on [^]*^adapter +.*\(software\)$[^]*^outcome +passed: no fault$/m);
  expect(stderr).toMatch(/^narrowphase: verifying the kernels on the software adapter ./m);
});

test('without any adapter it ends with 0 and says that the kernels are not verified', () => {
  const { status, stdout, stderr } = start({ VK_DRIVER_FILES: 'none.json', VK_ICD_FILENAMES: 'none.json' });
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^hits +1 pair$/m);
  expect(stdout).not.toContain('outcome');
  expect(stderr).toMatch(/^narrowphase: the CPU has answered; the kernels are not verified, as there is no adapter to run them on: ./m);
});

test('a command that fails ends it with the same exit code', () => {
  write('heap.json', 'no scene');
  const { status } = spawnSync(process.execPath, [resolve('scripts/start.mjs'), 'heap.json'], { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(2);
});
