/** The answers of batches for bodies on a mesh, for judges; in Node and in browsers. */
import type { Tester } from '../../src/api/types.ts';
import type { SurfaceAnswers, SurfaceScene } from '../../verification/engines/surface-engine.ts';
import type { SurfaceFault } from '../../verification/judges/surface-contacts.ts';
import { frame } from './batch.ts';

/** Room for all pairs of parts of a case. */
const PARTS_OF_CASE = 1000;

/** Of bodies of 0.2 to 0.3 units, some of them curved: 1e-4 of their size. */
export const SURFACE_TOLERANCE = 3e-5;

export async function byBatches(tester: Tester, { bodies, pairs }: SurfaceScene): Promise<SurfaceAnswers> {
  const [maxBodies, maxPairs] = [bodies.shapes.length, pairs.length / 2];
  const room = { maxBodies, maxPairs, maxPartPairs: PARTS_OF_CASE * maxPairs };
  const lists = { ...room, results: 'hits', parts: 'all' } as const;
  const [one, all, points] = await Promise.all([
    tester.createBatch({ query: 'contacts', ...room }),
    tester.createBatch({ query: 'contacts', ...lists }),
    tester.createBatch({ query: 'manifolds', ...lists }),
  ]);
  const contacts = await frame(one, { bodies, pairs });
  const list = await frame(all, { bodies, pairs });
  const manifolds = await frame(points, { bodies, pairs });
  const { partPairOverflow } = await all.readCounts();
  for (const batch of [one, all, points]) batch.dispose();
  if (partPairOverflow !== 0) throw new Error(`${partPairOverflow} pairs of parts left out`);
  return { contacts, list, manifolds };
}

/**
 * What the reference gets wrong too (mesh-families.slow.test.ts), and what is promised of the CPU backend alone: that no listed contact is
 * deeper than the answer.
 */
export function isExpected(fault: SurfaceFault, isThin: boolean): boolean {
  if (fault === 'tooShallow' || fault === 'notListed') return true;
  return isThin && (fault === 'tooDeep' || fault === 'slotTooDeep');
}
