/** Mirror of shaders/swept-sat.wgsl: when two boxes that translate meet. */
// The WGSL takes three axes at a time; here they come one by one.
import {
  IMPACT_FAR,
  IMPACT_MET,
  IMPACT_NONE,
  MOTION_LEAST_CLOSING_ULPS,
  SAT_FACE_BIAS_ULPS,
  SAT_PARALLEL_ULPS,
  SAT_TIE_ULPS,
} from '../generated/constants.ts';
import { type Translation, staysShallow } from './impact-normal.ts';
import type { ImpactResult } from './impact.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, dot, length, scale, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import { satWitness } from './box-witness.ts';
import { createSatResult, sat } from './sat.ts';

/**
 * For 15 axes: x, y, z of the unit vector, where on the translation the overlap begins and ends, and the rate at which
 * B moves along the axis, per length of translation.
 */
const axes = new Float64Array(45);
const enters = new Float64Array(15);
const leaves = new Float64Array(15);
const rates = new Float64Array(15);

const best = createSatResult();
const axis = vec3();
const edgeA = vec3();
const edgeB = vec3();
const onA = vec3();
const onB = vec3();

/** As `impact`, for boxes without rounding and margin. */
export function sweptSat(
  pair: Pair,
  { direction, isMoving, end, isStart, touchTolerance }: Translation,
  result: ImpactResult,
): ImpactResult {
  result.iterations = 1;
  result.state = IMPACT_NONE;
  result.isInside = false;
  result.travelled = 0;
  if (!isMoving) {
    const { separation, normal } = sat(pair, 0, best);
    if (separation > 0) return result;
    result.state = IMPACT_MET;
    result.isInside = true;
    copy(normal, result.normal);
    return store(pair, result);
  }
  sweepAll(pair, direction, touchTolerance);
  let enter = -Infinity;
  let leave = Infinity;
  let depth = Infinity;
  for (let n = 0; n < 15; n++) {
    enter = Math.max(enter, enters[n]);
    leave = Math.min(leave, leaves[n]);
    // The overlap along this axis at the end of its interval.
    depth = Math.min(depth, leaves[n] * rates[n]);
  }
  result.travelled = enter;
  // Flat boxes leave as soon as they enter.
  if (enter > leave + SAT_TIE_ULPS * EPSILON || enter > end || leave < 0) return result;
  result.isInside = enter <= 0;
  if (result.isInside && isStart && depth <= touchTolerance) return result;
  for (let n = 0; n < 15; n++) if (staysShallow(rates[n], (end - enters[n]) * rates[n], touchTolerance)) return result;
  result.state = IMPACT_MET;
  const bias = SAT_FACE_BIAS_ULPS * EPSILON;
  let slowest = 2;
  let chosen = 0;
  let least = Infinity;
  let deciding = 0;
  for (let n = 0; n < 15; n++) {
    const edgeBias = n < 6 ? 0 : bias;
    const depthThere = (enter - enters[n]) * rates[n];
    if (depthThere + edgeBias < least) {
      least = depthThere + edgeBias;
      deciding = n;
    }
    if (depthThere > touchTolerance || rates[n] + edgeBias >= slowest) continue;
    slowest = rates[n];
    chosen = n;
  }
  axisTowardsA(chosen, direction, result.normal);
  const { x, y, z } = pair.translation;
  addScaled(pair.translation, direction, enter, pair.translation);
  // The points are those of the axis that decides the time.
  best.axis = deciding;
  best.separation = 0;
  axisTowardsA(deciding, direction, best.normal);
  store(pair, result);
  set(x, y, z, pair.translation);
  return result;
}

/** The point between the boxes' points of the best axis. */
function store(pair: Pair, result: ImpactResult): ImpactResult {
  satWitness(pair, best, onA, onB);
  scale(addScaled(onA, onB, 1, result.point), 0.5, result.point);
  return result;
}

function sweepAll(pair: Pair, direction: Vec3, touchTolerance: number): void {
  const { coreA, coreB, rotation, translation } = pair;
  const a = coreA.halfExtents;
  const b = coreB.halfExtents;
  for (let n = 0; n < 15; n++) {
    const i = Math.floor((n - 6) / 3);
    const j = (n - 6) % 3;
    let size = 1;
    if (n < 3) {
      set(n === 0 ? 1 : 0, n === 1 ? 1 : 0, n === 2 ? 1 : 0, axis);
    } else if (n < 6) {
      set(rotation[3 * n - 9], rotation[3 * n - 8], rotation[3 * n - 7], axis);
    } else {
      set(i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0, edgeA);
      set(rotation[3 * j], rotation[3 * j + 1], rotation[3 * j + 2], edgeB);
      size = length(cross(edgeA, edgeB, axis));
      if (size <= SAT_PARALLEL_ULPS * EPSILON) {
        // Parallel edges: the faces cover their axis.
        enters[n] = -IMPACT_FAR;
        leaves[n] = IMPACT_FAR;
        rates[n] = 1;
        continue;
      }
      scale(axis, 1 / size, axis);
    }
    axes[3 * n] = axis.x;
    axes[3 * n + 1] = axis.y;
    axes[3 * n + 2] = axis.z;
    let projectedRadii = Math.abs(axis.x) * a[0] + Math.abs(axis.y) * a[1] + Math.abs(axis.z) * a[2];
    for (let k = 0; k < 3; k++)
      projectedRadii +=
        Math.abs(axis.x * rotation[3 * k] + axis.y * rotation[3 * k + 1] + axis.z * rotation[3 * k + 2]) * b[k];
    sweep(n, dot(axis, translation), dot(axis, direction), projectedRadii, touchTolerance);
    if (recorder) recorder.sweptAxis(pair, n, axis, enters[n], leaves[n], rates[n]);
  }
}

/**
 * Along an axis perpendicular to the translation no overlap begins: either the boxes pass, or the axis decides nothing.
 */
function sweep(n: number, offset: number, rate: number, projectedRadii: number, touchTolerance: number): void {
  const speed = Math.abs(rate);
  if (speed <= MOTION_LEAST_CLOSING_ULPS * EPSILON) {
    enters[n] = Math.abs(offset) - projectedRadii > -touchTolerance ? 2 * IMPACT_FAR : -IMPACT_FAR;
    leaves[n] = IMPACT_FAR;
    rates[n] = 1;
    return;
  }
  const behind = rate >= 0 ? offset : -offset;
  enters[n] = (-projectedRadii - behind) / speed;
  leaves[n] = (projectedRadii - behind) / speed;
  rates[n] = speed;
}

/** An axis, from A to B. */
function axisTowardsA(n: number, direction: Vec3, to: Vec3): Vec3 {
  set(axes[3 * n], axes[3 * n + 1], axes[3 * n + 2], to);
  return dot(to, direction) > 0 ? scale(to, -1, to) : to;
}
