/** Rubble on the terrain of the debris demo, on the GPU without a page: it comes to rest above the ground, on the same features. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const OPTIONS = '--scene terrain --bodies 150 --steps 360 --every 60 --contacts'.split(' ');

test('rubble on a terrain comes to rest above the ground, and its contacts keep their features', () => {
  const program = [join(root, 'scripts/run-ts.mjs'), join(root, 'demos/debris/headless.ts')];
  const printed = execFileSync(process.execPath, [...program, ...OPTIONS], { encoding: 'utf8' });
  const rows = printed.split('\n').filter((line) => /^\d+ .* \| /.test(line));
  const [, leftOut, moving, kept, points] = rows
    .at(-1)!
    .match(/, (\d+) \| [\d.]+, (\d+) \| ([\d.]+) % of (\d+), /)!
    .map(Number);
  expect(leftOut).toBe(0);
  expect(moving).toBeLessThan(0.05 * 150);
  // Of 60 steps.
  expect(points).toBeGreaterThan(60 * 150);
  expect(kept).toBeGreaterThan(99);
  const [, below, deepest] = printed.match(/below the ground: (\d+); deepest in the ground: ([\d.]+) mm/)!.map(Number);
  expect(below).toBe(0);
  expect(deepest).toBeLessThan(5);
});
