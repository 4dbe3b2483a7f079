/** The kernels that graphics cards get, by a compiler of graphics cards: it takes all of them, and they keep their limits. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CASES } from './cases.ts';
import { compileKernels } from './compile.ts';
import { excessOf } from './limits.ts';

test('RADV compiles all kernels for RDNA 3, within their limits', async () => {
  const compiled = await compileKernels(join(import.meta.dirname, '../..'), CASES, ['navi31']);
  const kernels = compiled.get('navi31')!;
  expect(new Set(kernels.map(({ name }) => name)).size).toBeGreaterThan(60);
  expect(kernels.map(excessOf).filter((text) => text !== undefined)).toEqual([]);
});
