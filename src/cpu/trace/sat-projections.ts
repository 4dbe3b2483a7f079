/** What SAT sees of two boxes, for traces: their projections on all axes that it tests. */
import type { Vec3 as Vector } from '../../api/vectors.ts';
import { SAT_PARALLEL_ULPS } from '../../generated/constants.ts';
import { EPSILON } from '../math.ts';
import type { Pair } from '../pair.ts';

/** B's centre and half the lengths of both boxes along a unit vector, in the pair's unit. */
interface SatProjection {
  axis: number;
  /** Zeros for the edge axis of parallel edges. */
  direction: Vector;
  centre: number;
  radiusA: number;
  radiusB: number;
  separation: number;
}

/** The axes that SAT tests before it knows that the separation is more than `far`. */
export function satProjections(pair: Pair, far: number): SatProjection[] {
  const projections: SatProjection[] = [];
  let greatest = -Infinity;
  for (let axis = 0; axis < 15; axis++) {
    if (axis > 5 && axis % 3 === 0 && greatest > far) break;
    const direction = axisOf(pair, axis);
    const isSkipped = direction.every((x) => x === 0);
    const { centre, radiusA, radiusB } = projectionOf(pair, direction);
    const separation = Math.abs(centre) - (radiusA + radiusB);
    if (!isSkipped) greatest = Math.max(greatest, separation);
    projections.push({ axis, direction, centre, radiusA, radiusB, separation });
  }
  return projections;
}

/** The unit vector of an axis of SAT; zeros for the edge axis of parallel edges. */
function axisOf({ rotation }: Pair, axis: number): Vector {
  if (axis < 3) return [0, 1, 2].map((k) => (k === axis ? 1 : 0)) as Vector;
  if (axis < 6) return Array.from(rotation.subarray(3 * axis - 9, 3 * axis - 6)) as Vector;
  const u = (Math.floor((axis - 6) / 3) + 1) % 3;
  const v = (u + 1) % 3;
  const j = (axis - 6) % 3;
  const sine = Math.hypot(rotation[3 * j + u], rotation[3 * j + v]);
  const direction: Vector = [0, 0, 0];
  if (sine <= SAT_PARALLEL_ULPS * EPSILON) return direction;
  direction[u] = -rotation[3 * j + v] / sine;
  direction[v] = rotation[3 * j + u] / sine;
  return direction;
}

/** B's centre and half the lengths of two boxes along a unit vector. */
function projectionOf({ coreA, coreB, rotation, translation }: Pair, [x, y, z]: Vector) {
  const a = coreA.halfExtents;
  const b = coreB.halfExtents;
  let radiusB = 0;
  for (let k = 0; k < 3; k++)
    radiusB += Math.abs(x * rotation[3 * k] + y * rotation[3 * k + 1] + z * rotation[3 * k + 2]) * b[k];
  return {
    centre: x * translation.x + y * translation.y + z * translation.z,
    radiusA: Math.abs(x) * a[0] + Math.abs(y) * a[1] + Math.abs(z) * a[2],
    radiusB,
  };
}
