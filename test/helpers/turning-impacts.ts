/** Batches of `impacts` of bodies that turn, with compounds and meshes, beside the CPU backend: in Node and in browsers. */
import { Status, type Tester } from '../../src/api/types.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { frame, submit } from './batch.ts';
import { distancesAt } from './moved-bodies.ts';
import { makeSliders } from './sliders.ts';

export interface ImpactColumns {
  status: Uint8Array;
  time: Float32Array;
  normal: Float32Array;
}

/** Bodies that meet slowly are in almost the same place for long: then their distances at both times are compared. */
export interface ComparedImpacts {
  found: ImpactColumns;
  expected: ImpactColumns;
  distances: readonly [found: Float32Array, expected: Float32Array];
  axes: 2 | 3;
  tolerance: { time: number; distance: number; cosine: number };
}

/** How a slot differs from what is expected; undefined if it agrees. */
export function impactDifference(compared: ComparedImpacts, slot: number): string | undefined {
  const { found, expected, distances, axes, tolerance } = compared;
  const [a, b] = [found.time[slot], expected.time[slot]];
  if (found.status[slot] !== expected.status[slot]) return `status ${found.status[slot]} for ${expected.status[slot]}`;
  if (a === b && b === Infinity) return undefined;
  const [first, second] = distances.map((distance) => distance[slot]);
  // At another time, bodies that turn may have another normal.
  if (!(Math.abs(a - b) <= tolerance.time))
    return Math.abs(first - second) <= tolerance.distance
      ? undefined
      : `time ${a} for ${b}, distance ${first} for ${second}`;
  let cosine = 0;
  for (let i = axes * slot; i < axes * (slot + 1); i++) cosine += found.normal[i] * expected.normal[i];
  return cosine > tolerance.cosine ? undefined : `cosine ${cosine} at ${b}`;
}

export const TURNING_TOLERANCE = { time: 1e-3, distance: 2e-4, cosine: 0.98 };

export interface TurningComparison {
  /** Pairs that there was room for, and hits and misses among them. */
  pairs: number;
  hits: number;
  misses: number;
  faults: string[];
}

/** Bodies that slide, fall or rise over grounds, and turn. */
export async function compareTurning(
  tester: Tester,
  reference: Tester,
  asked: { count: number; seed: number; margin: number; stopAtPenetration?: boolean; hasCurved?: boolean },
): Promise<TurningComparison> {
  const { count, seed, hasCurved = false, ...given } = asked;
  const { shapes, bodies, pairs, names } = makeSliders(count, seed, hasCurved);
  for (const each of [tester, reference]) useShapes(each, shapes);
  const bodyCount = bodies.shapes.length;
  const moving = { ...bodies, angularVelocities: spinsOf(bodyCount, bodies.linearVelocities) };
  const options = { ...given, duration: 0.39 };
  const room = { maxBodies: bodyCount, maxPairs: count, maxPartPairs: Math.min(600 * count, 2 ** 20) };
  const batch = await tester.createBatch({ query: 'impacts', ...room, ...options, turning: true });
  const found = await frame(batch, { bodies: moving, pairs });
  submit(batch);
  const again = await batch.read();
  batch.dispose();
  const expected = await reference.impacts(moving, pairs, options);
  const placed = (times: Float32Array) => distancesAt(reference, moving, pairs, times, options.duration);
  const distances = [await placed(found.time), await placed(expected.time)] as const;
  const compared = { found, expected, distances, axes: 3, tolerance: TURNING_TOLERANCE } as const;
  const to: TurningComparison = { pairs: 0, hits: 0, misses: 0, faults: [] };
  names.forEach((name, slot) => {
    if (found.status[slot] === Status.CapacityExceeded) return;
    to.pairs++;
    to.hits += Number(expected.time[slot] < Infinity);
    to.misses += Number(expected.time[slot] === Infinity);
    const difference = impactDifference(compared, slot);
    if (difference !== undefined) to.faults.push(`${name}: ${difference}`);
    if (again.unclampedTime[slot] !== found.unclampedTime[slot])
      to.faults.push(`${name}: another time in a second run`);
  });
  return to;
}

/** Slow and fast rotations; bodies at rest, and every fourth one, do not turn. */
function spinsOf(count: number, velocities: Float32Array): Float32Array {
  return Float32Array.from({ length: 3 * count }, (_, i) => {
    const body = Math.floor(i / 3);
    const rests = velocities.subarray(3 * body, 3 * body + 3).every((speed) => speed === 0);
    return rests || body % 4 === 0 ? 0 : [0, 0.3, -2, 5, 0.02, -8][(7 * body + 5 * (i % 3)) % 6];
  });
}
