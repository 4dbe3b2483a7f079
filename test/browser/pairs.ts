/** Runs in the page: pairs that a batch of the built package finds on WebGPU, beside those that the CPU finds. */
import type { PosedBodies, Tester } from '../../src/api/types.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { pairDifference } from '../helpers/pair-difference.ts';
import { createTester } from './testers.ts';

export interface PairComparison {
  found: number;
  /** Pairs that only one of the two found. Rounding decides of those on the border. */
  differing: number;
  overflow: number;
}

export async function comparePairs(axes: 2 | 3, count: number, seed: number): Promise<PairComparison> {
  // The methods have the same names in both dimensions.
  const tester = (await createTester({ backend: 'webgpu', dimension: axes as 3 })) as unknown as Tester;
  try {
    const bodies = axes === 2 ? planarBodies(tester, count, seed) : spaceBodies(tester, count, seed);
    const expected = await tester.findPairs(bodies);
    const batch = await tester.createBatch({ query: 'pairs', maxBodies: count, maxPairs: 8 * count });
    batch.write({ bodies });
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    const { count: found, pairs } = await batch.read();
    const { pairOverflow: overflow } = await batch.readCounts();
    return { found, differing: pairDifference(pairs, expected, count), overflow };
  } finally {
    tester.dispose();
  }
}

function spaceBodies(tester: Tester, count: number, seed: number): PosedBodies {
  const { shapes, bodies } = broadPhaseScene('halfspaces', count, seed);
  for (const shape of shapes) tester.addShape(shape);
  return bodies;
}

function planarBodies(tester: Tester, count: number, seed: number): PosedBodies {
  const { bodies } = broadPhaseScene('similar', count, seed);
  for (const shape of [
    { type: 'rectangle', halfExtents: [0.2, 0.1] },
    { type: 'circle', radius: 0.15 },
  ])
    tester.addShape(shape as never);
  const positions = bodies.positions.filter((_, i) => i % 3 < 2);
  const angles = bodies.quaternions.filter((_, i) => i % 4 === 0);
  return { shapes: bodies.shapes.map((id) => id % 2), positions, angles } as unknown as PosedBodies;
}
