/** Rays, compounds and meshes in browsers; at night also rays at curved shapes, and all families of triangles. */
import { test } from 'vitest';
import { atNight } from '../helpers/night.ts';
import { describeKernels, expectParts, expectRays, expectTriangles } from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';
import { TRIANGLE_CASES } from './triangle-cases.ts';

/** Each query once. */
const few = TRIANGLE_CASES.filter(([, family]) => family === 'a soup of small triangles');

describeKernels('rays', (harness) => {
  test('hits of many rays are those by the pairs that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectRays(harness(), 20_261_128, atNight(false, true)),
  );

  test('compounds and meshes have the answers of the CPU backend', { timeout: CALL_TIMEOUT }, () =>
    expectParts(harness(), 20_261_125),
  );

  test('triangles of many meshes that meet are those that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectTriangles(harness(), 20_261_203, atNight(few, TRIANGLE_CASES)),
  );
});
