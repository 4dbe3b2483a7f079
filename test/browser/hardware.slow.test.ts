/** The kernels that only graphics cards run compile in browsers. What they compute is checked on Dawn. */
import { expect, test } from 'vitest';
import { describeKernels } from './checks.ts';
import { hardwareVariants } from './expected-kernels.ts';
import { CALL_TIMEOUT } from './open.ts';

describeKernels('hardware', (harness) => {
  test('kernels for hardware compile', { timeout: CALL_TIMEOUT }, async () => {
    await harness().page.evaluate((variants) => window.harness.compileKernels(variants), hardwareVariants());
    expect(harness().complaints).toEqual([]);
  });
});
