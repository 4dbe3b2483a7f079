/** The kernels that only graphics cards run compile in browsers. What they compute is checked on Dawn. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled } from './checks.ts';
import { hardwareVariants } from './expected-kernels.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('kernels for hardware compile', { timeout: CALL_TIMEOUT }, async () => {
    await opened.page.evaluate((variants) => window.harness.compileKernels(variants), hardwareVariants());
    expect(opened.complaints).toEqual([]);
    await expectCompiled(opened, which, 'hardware');
  });
});
