/** Single pairs of a moving family in the form that the oracle takes, and the answers for them. */

import type { Impacts } from '../../src/api/types.ts';
import { createShape, impact, type CpuImpactOptions } from '../../src/cpu.ts';
import { movingPoseOf, type MovingFamily } from '../families/moving-family.ts';
import { movingPair, type MovingPair, type SaidImpact } from '../oracle/motion.ts';

export function movingPairsOf(family: MovingFamily): MovingPair[] {
  const shapes = family.shapes.map((description) => createShape(description));
  return Array.from({ length: family.pairs.length / 2 }, (_, i) => {
    const [a, b] = [family.pairs[2 * i], family.pairs[2 * i + 1]];
    const [idA, idB] = [family.bodies.shapes[a], family.bodies.shapes[b]];
    return movingPair(
      { shape: family.shapes[idA], pose: movingPoseOf(family, a) },
      { shape: family.shapes[idB], pose: movingPoseOf(family, b) },
      shapes[idA],
      shapes[idB],
    );
  });
}

/** The reference's answer. */
export function askReference({ a, b, cpuA, cpuB }: MovingPair, options: CpuImpactOptions): ReturnType<typeof impact> {
  return impact(cpuA, a.pose, cpuB, b.pose, options);
}

/** Slot `i` of a result. */
export function impactAt({ status, time, unclampedTime, normal, point }: Impacts, i: number): SaidImpact {
  return {
    status: status[i],
    time: time[i],
    unclampedTime: unclampedTime[i],
    normal: normal.subarray(3 * i, 3 * i + 3),
    point: point.subarray(3 * i, 3 * i + 3),
  };
}
