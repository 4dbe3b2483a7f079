/** Mirror of shaders/refine/local-polytope.wgsl: search by EPA on a small polytope around the best normal. */
import type { EpaResult } from '../epa.ts';
import { type Vec3, copy, cross, distance, length, scale, subtract, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { type Point, createPoint, differenceSupport } from '../support.ts';
import { createFrame, frameOf, tilted } from './frame.ts';

/**
 * How much less the lower bound of a polytope may be than the climb's, for its better witness points. The kernels grant
 * more.
 */
const REFERENCE_REFINE_LOSS = 2e-7;

/** The simplex that EPA starts from, by ids. */
export const simplex = { ids: new Float64Array(8), count: 4 };

const points = Array.from({ length: 6 }, createPoint);
const frame = createFrame();
const candidate = vec3();
const direction = vec3();
const found = createPoint();

/**
 * Puts the simplex to start from into `simplex`: three supports along normals around the best one, whose triangle is as
 * large as possible, and the support along the opposite of the best normal.
 */
export function simplexAround(pair: Pair, normal: Vec3, tilt: number): void {
  frameOf(normal, frame);
  for (let k = 0; k < 6; k++) {
    const angle = (Math.PI / 3) * k;
    scale(tilted(frame, tilt * Math.cos(angle), tilt * Math.sin(angle), direction), -1, direction);
    differenceSupport(pair, direction, points[k]);
  }
  // The farthest from the first, and the farthest from their line.
  const b = farthest((p) => distance(p, points[0].position));
  subtract(points[b].position, points[0].position, direction);
  const c = farthest((p) => length(cross(direction, subtract(p, points[0].position, candidate), candidate)));
  differenceSupport(pair, normal, found);
  setSimplex(0, points[0]);
  setSimplex(1, points[b]);
  setSimplex(2, points[c]);
  setSimplex(3, found);
}

function setSimplex(corner: number, { idA, idB }: Point): void {
  simplex.ids[2 * corner] = idA;
  simplex.ids[2 * corner + 1] = idB;
}

/** The point that is farthest by a measure. */
function farthest(measure: (point: Vec3) => number): number {
  let best = 0;
  let most = 0;
  for (let k = 1; k < 6; k++) {
    const size = measure(points[k].position);
    if (size <= most) continue;
    most = size;
    best = k;
  }
  return best;
}

/**
 * Takes what is better in `local`, the answer on a local polytope. A polytope that misses the best normal still has
 * better witness points than EPA, whose points lie where EPA's own normal points. `witnessed` is the lower bound of the
 * polytope that the witness points are from; the new one is returned.
 */
export function takeLocal(local: EpaResult, witnessed: number, result: EpaResult): number {
  const isAsGood = local.lower >= result.lower - REFERENCE_REFINE_LOSS;
  const isWitness = isAsGood || local.lower > witnessed;
  if (isWitness) {
    result.ids.set(local.ids);
    copy(local.weights, result.weights);
  }
  if (isAsGood) {
    result.lower = local.lower;
    copy(local.normal, result.normal);
  }
  return isWitness ? local.lower : witnessed;
}
