/**
 * Bodies in nearly round ellipsoids, judged by the oracle on both backends: hardly any depth is deeper than another.
 */

import { afterAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { makeStructuredFamily } from '../../verification/families/families.ts';
import { judgeContact, signedDistance } from '../../verification/oracle/index.ts';
import { pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';

const PAIRS = 200;
const family = makeStructuredFamily('nearly-round', PAIRS, 20_261_122);
const pairs = pairsOf(family);
const truths = pairs.map(({ a, b, poseA, poseB }) => signedDistance(a, poseA, b, poseB).distance);
const testers = { webgpu: await createTester({ backend: 'webgpu' }), cpu: await createTester({ backend: 'cpu' }) };
afterAll(() => Object.values(testers).forEach((tester) => tester.dispose()));

test.each([
  ['webgpu', 'kernels', 0],
  ['cpu', 'reference', F32_ROUNDING],
] as const)('contacts on %s are right', async (backend, precision, rounding) => {
  const tester = testers[backend];
  useShapes(tester, family.shapes);
  const found = await tester.contacts(family.bodies, family.pairs, { margin: Infinity, bounds: true });
  const items = [...found];
  const faults = pairs.flatMap(({ index, a, b, poseA, poseB }) =>
    judgeContact(a, poseA, b, poseB, items[index], precision, { rounding, truth: truths[index] }).map(
      (fault) => `pair ${index}: ${fault}`,
    ),
  );
  expect(summary(faults)).toEqual([]);
  expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
});

test('most pairs overlap, most of these deeply, and some are apart', () => {
  const deep = truths.filter((truth, i) => truth < -0.1 * pairs[i].size);
  expect(deep.length).toBeGreaterThan(PAIRS / 2);
  expect(truths.filter((truth) => truth > 0).length).toBeGreaterThan(PAIRS / 50);
});
