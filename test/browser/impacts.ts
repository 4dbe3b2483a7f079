/**
 * Runs in the page: impacts of the built package on WebGPU, judged against brute force, with the reference to say where
 * to look.
 */

import { createShape, impact } from '../../src/cpu.ts';
import type { ImpactAlgorithm } from '../../src/api/types.ts';
import { movingPoseOf, setInMotion } from '../../verification/families/moving-family.ts';
import { judgeImpact, movingPair } from '../../verification/oracle/motion.ts';
import type { Outcome } from '../../verification/oracle/motion.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { testerOf } from './testers.ts';

export interface ImpactCase {
  algorithm: ImpactAlgorithm;
  isTurning: boolean;
}

export interface ImpactComparison extends ImpactCase {
  outcomes: Record<Outcome, number>;
  faults: string[];
  /**
   * Pairs that are the first impact of one of their bodies, by a query and by a batch: here all that meet, as each body
   * is in one pair.
   */
  hits: number;
  earliest: number;
  earliestOfBatch: number;
}

export async function compareImpacts(
  name: BrowserFamilyName,
  count: number,
  seed: number,
  cases: ImpactCase[],
): Promise<ImpactComparison[]> {
  const still = browserFamily(name, count, seed);
  const shapes = still.shapes.map((description) => createShape(description));
  const tester = await testerOf(name);
  useShapes(tester, still.shapes);
  const comparisons: ImpactComparison[] = [];
  for (const { algorithm, isTurning } of cases) {
    const family = setInMotion(still, seed + 1, { isTurning });
    const { bodies, pairs, duration } = family;
    const options = { duration, algorithm };
    const found: ImpactComparison = {
      algorithm,
      isTurning,
      outcomes: { missed: 0, met: 0, overlapped: 0, stood: 0, open: 0 },
      faults: [],
      hits: 0,
      earliest: 0,
      earliestOfBatch: 0,
    };
    for (const { pair: index, ...said } of await tester.impacts(bodies, pairs, options)) {
      const [a, b] = [pairs[2 * index], pairs[2 * index + 1]];
      const [idA, idB] = [bodies.shapes[a], bodies.shapes[b]];
      const [poseA, poseB] = [movingPoseOf(family, a), movingPoseOf(family, b)];
      const pair = movingPair(
        { shape: still.shapes[idA], pose: poseA },
        { shape: still.shapes[idB], pose: poseB },
        shapes[idA],
        shapes[idB],
      );
      const known = impact(shapes[idA], poseA, shapes[idB], poseB, { duration }).time;
      const { outcome, faults } = judgeImpact(pair, said, { precision: 'kernels', duration, known });
      found.outcomes[outcome]++;
      found.faults.push(...faults.map((fault) => `pair ${index}, ${family.courses[index]}: ${fault}`));
    }
    found.hits = (await tester.impacts(bodies, pairs, { ...options, results: 'hits' })).count;
    found.earliest = (await tester.impacts(bodies, pairs, { ...options, results: 'earliest' })).count;
    const batch = await tester.createBatch({
      query: 'impacts',
      results: 'earliest',
      turning: isTurning,
      maxBodies: 2 * count,
      maxPairs: count,
      ...options,
    });
    batch.write({ bodies, pairs });
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    found.earliestOfBatch = (await batch.read()).count;
    batch.dispose();
    comparisons.push({ ...found, faults: found.faults.slice(0, 5) });
  }
  useShapes(tester, []);
  return comparisons;
}
