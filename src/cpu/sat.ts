/** Mirror of shaders/sat.wgsl: signed separation of two boxes over the 15 axes. */
// The WGSL uses vectors; here everything is written out in components, without those that are zero or one: the axes of A
// are the unit vectors, and an edge axis has no component along A's edge and none along B's. A departure: the edge axes
// are skipped if a face axis already separates the boxes by more than `far`.
import { SAT_FACE_BIAS_ULPS, SAT_PARALLEL_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';

export interface SatResult {
  /** Separation of the cores along `normal`. */
  separation: number;
  /** Unit vector from A to B in A's frame. */
  normal: Vec3;
  axis: number;
}

export function createSatResult(): SatResult {
  return { separation: 0, normal: vec3(), axis: 0 };
}

/** B's origin in the frame of A, for access by index. */
const translation = new Float64Array(3);

/** Skips the remaining axes once the separation exceeds `far`. */
export function sat(pair: Pair, far: number, best: SatResult): SatResult {
  // All axes in one function keep their variables in registers, which queries of boxes on the CPU feel.
  const { rotation } = pair;
  const sizeA = pair.coreA.halfExtents;
  const sizeB = pair.coreB.halfExtents;
  const { x, y, z } = pair.translation;
  translation[0] = x;
  translation[1] = y;
  translation[2] = z;
  const parallel = SAT_PARALLEL_ULPS * EPSILON;
  const faceBias = SAT_FACE_BIAS_ULPS * EPSILON;
  let greatest = -1e30;
  let axis = 0;
  // The component of B's origin along that axis, of any length but with its sign.
  let towardsB = 0;
  for (let i = 0; i < 3; i++) {
    const along = translation[i];
    const projectedRadius =
      Math.abs(rotation[i]) * sizeB[0] + Math.abs(rotation[3 + i]) * sizeB[1] + Math.abs(rotation[6 + i]) * sizeB[2];
    const separation = Math.abs(along) - (sizeA[i] + projectedRadius);
    if (separation > greatest) {
      greatest = separation;
      axis = i;
      towardsB = along;
    }
  }
  for (let i = 0; i < 3; i++) {
    const axisX = rotation[3 * i];
    const axisY = rotation[3 * i + 1];
    const axisZ = rotation[3 * i + 2];
    const along = axisX * x + axisY * y + axisZ * z;
    const projectedRadius = Math.abs(axisX) * sizeA[0] + Math.abs(axisY) * sizeA[1] + Math.abs(axisZ) * sizeA[2];
    const separation = Math.abs(along) - (projectedRadius + sizeB[i]);
    if (separation > greatest) {
      greatest = separation;
      axis = 3 + i;
      towardsB = along;
    }
  }
  // Of an edge axis, the components along the two axes of A after A's edge.
  let greatestU = 0;
  let greatestV = 0;
  for (let i = 0; i < 3 && greatest <= far; i++) {
    const u = following(i);
    const v = following(u);
    const sizeU = sizeA[u];
    const sizeV = sizeA[v];
    const towardsU = translation[u];
    const towardsV = translation[v];
    // Components along u and v of B's edges j, k and l, which are rotated in each round.
    let ju = rotation[u];
    let jv = rotation[v];
    let jSize = sizeB[0];
    let ku = rotation[3 + u];
    let kv = rotation[3 + v];
    let kSize = sizeB[1];
    let lu = rotation[6 + u];
    let lv = rotation[6 + v];
    let lSize = sizeB[2];
    for (let j = 0; j < 3; j++) {
      // The length of the edges' product, (-jv, ju), is the sine of their angle. Projections on it have that factor,
      // too: it is divided by its length only if it wins.
      const sine = Math.sqrt(ju * ju + jv * jv);
      const along = ju * towardsV - jv * towardsU;
      const projectedRadiusA = Math.abs(jv) * sizeU + Math.abs(ju) * sizeV;
      const projectedRadiusB = Math.abs(ju * kv - jv * ku) * kSize + Math.abs(ju * lv - jv * lu) * lSize;
      const scaled = Math.abs(along) - (projectedRadiusA + projectedRadiusB);
      if (scaled > (axis < 6 ? greatest + faceBias : greatest) * sine && sine > parallel) {
        greatest = scaled / sine;
        axis = 6 + 3 * i + j;
        towardsB = along;
        greatestU = -jv / sine;
        greatestV = ju / sine;
      }
      const firstU = ju;
      const firstV = jv;
      const firstSize = jSize;
      ju = ku;
      jv = kv;
      jSize = kSize;
      ku = lu;
      kv = lv;
      kSize = lSize;
      lu = firstU;
      lv = firstV;
      lSize = firstSize;
    }
  }
  if (recorder) recorder.sat(pair, far);
  best.separation = greatest;
  best.axis = axis;
  const sign = towardsB < 0 ? -1 : 1;
  storeNormal(rotation, axis, sign, sign * greatestU, sign * greatestV, best.normal);
  return best;
}

/** `sign`: the side of A that B is on. `u`, `v`: of an edge axis, the components along the two axes of A after A's edge. */
function storeNormal(rotation: Float64Array, axis: number, sign: number, u: number, v: number, to: Vec3): void {
  if (axis < 3) {
    set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, to);
  } else if (axis < 6) {
    const at = 3 * (axis - 3);
    set(sign * rotation[at], sign * rotation[at + 1], sign * rotation[at + 2], to);
  } else if (axis < 9) {
    set(0, u, v, to);
  } else if (axis < 12) {
    set(v, 0, u, to);
  } else {
    set(u, v, 0, to);
  }
}

const found = createSatResult();

/** The greatest separation alone, or any separation of more than `far`. */
export function satSeparation(pair: Pair, far: number): number {
  return sat(pair, far, found).separation;
}

/** The axis after `axis`, in the order x, y, z, x. */
export function following(axis: number): number {
  return axis === 2 ? 0 : axis + 1;
}
