/** Runs in the page: manifolds of the built package on WebGPU, held against the reference's. */

import type { Algorithm } from '../../src/api/types.ts';
import * as cpu from '../../src/cpu.ts';
import { poseOf } from '../../verification/families/family.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { testerOf } from './testers.ts';

export interface ManifoldCase {
  algorithm: Algorithm;
  margin: number;
}

export interface ManifoldComparison {
  /** Pairs with 0, 1, 2, 3 and 4 points. */
  counts: number[];
  /** Pairs that have as many as the reference finds. */
  alike: number;
  /** Hits when hits alone are asked for. */
  hits: number;
}

export async function compareManifolds(
  name: BrowserFamilyName,
  count: number,
  seed: number,
  cases: ManifoldCase[],
): Promise<ManifoldComparison[]> {
  const family = browserFamily(name, count, seed);
  const { bodies, pairs } = family;
  const shapes = family.shapes.map((description) => cpu.createShape(description));
  const tester = await testerOf(name);
  useShapes(tester, family.shapes);
  const comparisons: ManifoldComparison[] = [];
  for (const options of cases) {
    const hits = await tester.manifolds(bodies, pairs, { ...options, results: 'hits' });
    const found: ManifoldComparison = { counts: [0, 0, 0, 0, 0], alike: 0, hits: hits.count };
    for (const { pair, points } of await tester.manifolds(bodies, pairs, options)) {
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const reference = cpu.manifold(
        shapes[bodies.shapes[a]],
        poseOf(family, a),
        shapes[bodies.shapes[b]],
        poseOf(family, b),
        options,
      );
      found.counts[points.length]++;
      if (points.length === reference.points.length) found.alike++;
    }
    comparisons.push(found);
  }
  useShapes(tester, []);
  return comparisons;
}
