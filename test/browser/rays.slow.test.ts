/**
 * Rays, and triangles of meshes, in browsers.
 * test/night/browser/pairs.test.ts has more of them.
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled, expectRays, expectTriangles } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';
import { TRIANGLE_CASES } from './triangle-cases.ts';

/** Each query once. */
const triangleCases = TRIANGLE_CASES.filter(([, family]) => family === 'a soup of small triangles');

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('hits of many rays are those by the pairs that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectRays(opened, 20_261_128, false),
  );

  test('triangles of many meshes that meet are those that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectTriangles(opened, 20_261_203, triangleCases),
  );

  // This test needs those above it.
  test('every kernel has compiled', async () => {
    await expectCompiled(opened, which, 'rays');
  });
});
