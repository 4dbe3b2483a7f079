/**
 * Runs in the page: contacts by portal refinement of the built package on WebGPU, which are right where no overlap
 * comes out too shallow.
 */

import { contact, createShape } from '../../src/cpu.ts';
import { toleranceOf } from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import { poseOf } from '../../verification/families/family.ts';
import { pairsOf, useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { testerOf } from './testers.ts';

export interface PortalComparison {
  overlapping: number;
  /** Overlapping pairs that are as deep as they are by GJK and EPA. */
  least: number;
  faults: string[];
}

/** By each of the ends that the search may take. */
export async function comparePortals(
  name: BrowserFamilyName,
  count: number,
  seed: number,
): Promise<PortalComparison[]> {
  const family = browserFamily(name, count, seed);
  const shapes = family.shapes.map((description) => createShape(description));
  const tester = await testerOf(name);
  useShapes(tester, family.shapes);
  const comparisons: PortalComparison[] = [];
  for (const mprDepth of ['ray', 'normal'] as const) {
    const { distance, status } = await tester.contacts(family.bodies, family.pairs, {
      algorithm: 'mpr',
      mprDepth,
      margin: Infinity,
    });
    const found: PortalComparison = { overlapping: 0, least: 0, faults: [] };
    for (const { index, a, b, shapeA, shapeB, size } of pairsOf(family)) {
      const truth = contact(shapes[shapeA], poseOf(family, 2 * index), shapes[shapeB], poseOf(family, 2 * index + 1), {
        margin: Infinity,
      }).distance;
      const t = toleranceOf('kernels', a.core, b.core, truth <= 0) * size;
      const isOverlapping = status[index] === Status.Overlapping;
      if (isOverlapping) found.overlapping++;
      if (isOverlapping && Math.abs(distance[index] - truth) <= t) found.least++;
      const isRight = status[index] <= Status.Overlapping && (Math.abs(truth) <= t || isOverlapping === truth <= 0);
      if (!isRight) found.faults.push(`pair ${index} by the ${mprDepth}: status ${status[index]} at ${truth}`);
      if (!(distance[index] <= truth + t) || (truth > t && !(distance[index] >= truth - t)))
        found.faults.push(`pair ${index} by the ${mprDepth}: ${distance[index]}, true ${truth}`);
    }
    comparisons.push(found);
  }
  useShapes(tester, []);
  return comparisons;
}
