/** Mirror of shaders/box-witness.wgsl: witness points of two overlapping boxes. */
import { SAT_ALIKE, SAT_PARALLEL_ULPS, SAT_TIE_ULPS } from '../generated/constants.ts';
import {
  EPSILON,
  type Vec3,
  addScaled,
  column,
  copy,
  cross,
  distance,
  dot,
  length,
  scale,
  set,
  transform,
  transformBack,
  vec3,
} from './math.ts';
import type { Pair } from './pair.ts';
import { type SatResult, following } from './sat.ts';

const alike = vec3();
const edge = vec3();
const otherA = vec3();
const otherB = vec3();

/** Origin of the other box in the frame of the reference box. */
const translation = new Float64Array(3);
/** Components of a vector, for access by index. */
const components = new Float64Array(3);

/** Points of the overlapping boxes that are the separation apart along the best axis, in A's frame. */
export function satWitness(pair: Pair, best: SatResult, onA: Vec3, onB: Vec3): void {
  const { rotation, translation: between } = pair;
  const { normal, separation, axis } = best;
  if (axis < 3) {
    set3(between.x, between.y, between.z, translation);
    const side = axis === 0 ? normal.x : axis === 1 ? normal.y : normal.z;
    faceWitness(pair, translation, false, axis, side, onA);
    addScaled(onA, normal, separation, onB);
  } else if (axis < 6) {
    const { x, y, z } = between;
    for (let i = 0; i < 3; i++)
      translation[i] = -(rotation[3 * i] * x + rotation[3 * i + 1] * y + rotation[3 * i + 2] * z);
    const at = 3 * (axis - 3);
    const isAlong = rotation[at] * normal.x + rotation[at + 1] * normal.y + rotation[at + 2] * normal.z > 0;
    faceWitness(pair, translation, true, axis - 3, isAlong ? -1 : 1, onB);
    addScaled(transform(rotation, onB, onB), between, 1, onB);
    addScaled(onB, normal, -separation, onA);
  } else {
    edgeWitness(pair, best, onA, onB);
  }
}

// Arguments of `clipToRectangle` and `lower`: coordinates u, v and height. They are in arrays because numbers that are
// passed to a function that is not inlined are allocated.
const edgeMiddle = new Float64Array(3);
const edgeHalf = new Float64Array(3);
const corner = new Float64Array(3);
const HEIGHT = 2;

/** Half sizes of the rectangle that edges are clipped to, along u and v. */
const bounds = new Float64Array(2);

/** The lowest corners of the clipped polygon so far: their sum by u and v, height and number. */
const lowest = { u: 0.5, v: 0.5, height: 0.5, count: 0 };

/**
 * A point of the reference face, which is A's or B's, over the deepest point of the incident face. The normal of the
 * reference face points along `axis` if `side` is 1 and against it if -1. `between` is where the other box is.
 */
function faceWitness(
  { coreA, coreB, rotation }: Pair,
  between: Float64Array,
  isOfB: boolean,
  axis: number,
  side: number,
  to: Vec3,
): void {
  const size = (isOfB ? coreB : coreA).halfExtents;
  const otherSize = (isOfB ? coreA : coreB).halfExtents;
  // The step from one row of the rotation to the next, in the reference box's frame.
  const stride = isOfB ? 3 : 1;
  const u = following(axis);
  const v = following(u);
  const next = 4 - stride;
  const rowU = stride * u;
  const rowV = stride * v;
  const rowH = stride * axis;
  const steepX = Math.abs(rotation[rowH]);
  const steepY = Math.abs(rotation[rowH + next]);
  const steepZ = Math.abs(rotation[rowH + 2 * next]);
  let i = 0;
  if (steepY > steepX && steepY >= steepZ) i = 1;
  else if (steepZ > steepX) i = 2;
  const j = following(i);
  const k = following(j);
  // Centre and half edges p and q of the incident face.
  const alignment = side * rotation[rowH + next * i];
  const down = alignment > 0 ? -otherSize[i] : otherSize[i];
  const centreU = between[u] + rotation[rowU + next * i] * down;
  const centreV = between[v] + rotation[rowV + next * i] * down;
  const centreH = side * (between[axis] + rotation[rowH + next * i] * down);
  const pU = rotation[rowU + next * j] * otherSize[j];
  const pV = rotation[rowV + next * j] * otherSize[j];
  const pH = side * rotation[rowH + next * j] * otherSize[j];
  const qU = rotation[rowU + next * k] * otherSize[k];
  const qV = rotation[rowV + next * k] * otherSize[k];
  const qH = side * rotation[rowH + next * k] * otherSize[k];
  const sizeU = size[u];
  const sizeV = size[v];

  // The incident face's lowest corner is the answer if it lies over the reference face and no other corner is as low.
  let pointU = centreU - pU * Math.sign(pH) - qU * Math.sign(qH);
  let pointV = centreV - pV * Math.sign(pH) - qV * Math.sign(qH);
  const tie = SAT_TIE_ULPS * EPSILON;
  const isLowest = Math.abs(pointU) <= sizeU && Math.abs(pointV) <= sizeV && Math.abs(pH) > tie && Math.abs(qH) > tie;
  if (!isLowest) {
    lowest.height = 1e30;
    lowest.count = 0;
    // Boxes that touch to rounding must not clip to nothing.
    bounds[0] = sizeU + tie;
    bounds[1] = sizeV + tie;
    // Edges middle +- p along q, and middle +- q along p.
    for (let n = 0; n < 4; n++) {
      const sign = n & 1 ? -1 : 1;
      const isAlongQ = n < 2;
      edgeMiddle[0] = centreU + sign * (isAlongQ ? pU : qU);
      edgeMiddle[1] = centreV + sign * (isAlongQ ? pV : qV);
      edgeMiddle[HEIGHT] = centreH + sign * (isAlongQ ? pH : qH);
      edgeHalf[0] = isAlongQ ? qU : pU;
      edgeHalf[1] = isAlongQ ? qV : pV;
      edgeHalf[HEIGHT] = isAlongQ ? qH : pH;
      clipToRectangle();
    }
    const area = pU * qV - pV * qU;
    if (area !== 0) {
      for (let n = 0; n < 4; n++) {
        corner[0] = n & 1 ? sizeU : -sizeU;
        corner[1] = n & 2 ? sizeV : -sizeV;
        const du = corner[0] - centreU;
        const dv = corner[1] - centreV;
        const s = (du * qV - dv * qU) / area;
        const t = (pU * dv - pV * du) / area;
        corner[HEIGHT] = centreH + s * pH + t * qH;
        if (Math.abs(s) <= 1 && Math.abs(t) <= 1) lower();
      }
    }
    if (lowest.count > 0) {
      pointU = lowest.u / lowest.count;
      pointV = lowest.v / lowest.count;
    }
  }
  components[u] = clamp(pointU, sizeU);
  components[v] = clamp(pointV, sizeV);
  components[axis] = side * size[axis];
  set(components[0], components[1], components[2], to);
}

function clamp(x: number, size: number): number {
  return Math.min(Math.max(x, -size), size);
}

/** Takes `corner` if it is among the lowest. */
function lower(): void {
  const tie = SAT_TIE_ULPS * EPSILON;
  const height = corner[HEIGHT];
  if (height < lowest.height - tie) {
    lowest.u = corner[0];
    lowest.v = corner[1];
    lowest.height = height;
    lowest.count = 1;
  } else if (height <= lowest.height + tie) {
    lowest.u += corner[0];
    lowest.v += corner[1];
    lowest.height = Math.min(lowest.height, height);
    lowest.count++;
  }
}

/** Clips the segment `edgeMiddle` +- `edgeHalf` to the rectangle and passes both ends to `lower`. */
function clipToRectangle(): void {
  let low = -1;
  let high = 1;
  for (let c = 0; c < 2; c++) {
    const size = bounds[c];
    const middle = edgeMiddle[c];
    const half = edgeHalf[c];
    if (Math.abs(half) > 1e-300) {
      const t0 = (-size - middle) / half;
      const t1 = (size - middle) / half;
      low = Math.max(low, Math.min(t0, t1));
      high = Math.min(high, Math.max(t0, t1));
    } else if (Math.abs(middle) > size) {
      high = -2;
    }
  }
  if (low > high) return;
  for (let c = 0; c < 3; c++) corner[c] = edgeMiddle[c] + edgeHalf[c] * low;
  lower();
  for (let c = 0; c < 3; c++) corner[c] = edgeMiddle[c] + edgeHalf[c] * high;
  lower();
}

/**
 * Points of the two edges that the axis is perpendicular to. Near a face, axes of several pairs of edges may have the
 * same separation to rounding. The edges that touch are the pair whose nearest points are the separation apart.
 */
function edgeWitness(pair: Pair, best: SatResult, onA: Vec3, onB: Vec3): void {
  const { axis, normal, separation } = best;
  edgePoints(pair, axis, normal, onA, onB);
  const tie = SAT_TIE_ULPS * EPSILON;
  let least = missOf(best, onA, onB);
  for (let another = 6; another < 15 && least > 2 * tie; another++) {
    const i = Math.floor((another - 6) / 3);
    const j = (another - 6) % 3;
    set(i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0, alike);
    column(pair.rotation, j, edge);
    cross(alike, edge, alike);
    const size = length(alike);
    if (size <= SAT_PARALLEL_ULPS * EPSILON) continue;
    scale(alike, (dot(alike, normal) < 0 ? -1 : 1) / size, alike);
    if (distance(alike, normal) >= SAT_ALIKE || separationAlong(pair, alike) < separation - tie) continue;
    edgePoints(pair, another, alike, otherA, otherB);
    const miss = missOf(best, otherA, otherB);
    if (miss >= least) continue;
    least = miss;
    copy(otherA, onA);
    copy(otherB, onB);
  }
  set(0.5 * (onA.x + onB.x), 0.5 * (onA.y + onB.y), 0.5 * (onA.z + onB.z), onB);
  addScaled(onB, normal, -0.5 * separation, onA);
  addScaled(onB, normal, 0.5 * separation, onB);
}

/** Distance between the vector from `onA` to `onB` and the separation along its normal. */
function missOf({ normal, separation }: SatResult, onA: Vec3, onB: Vec3): number {
  return distance(addScaled(onA, normal, separation, edge), onB);
}

function separationAlong({ coreA, coreB, rotation, translation: t }: Pair, normal: Vec3): number {
  const a = coreA.halfExtents;
  const b = coreB.halfExtents;
  transformBack(rotation, normal, edge);
  return (
    dot(normal, t) -
    Math.abs(normal.x) * a[0] -
    Math.abs(normal.y) * a[1] -
    Math.abs(normal.z) * a[2] -
    Math.abs(edge.x) * b[0] -
    Math.abs(edge.y) * b[1] -
    Math.abs(edge.z) * b[2]
  );
}

/** Nearest points of two edges: of the edges of this axis, those that support the boxes along the normal. */
function edgePoints(pair: Pair, axis: number, normal: Vec3, onA: Vec3, onB: Vec3): void {
  const { rotation, translation: between } = pair;
  const sizeA = pair.coreA.halfExtents;
  const sizeB = pair.coreB.halfExtents;
  // A's edge runs along i and B's along j; u, v and k, l are the axes after each.
  const i = axis < 9 ? 0 : axis < 12 ? 1 : 2;
  const j = axis - 6 - 3 * i;
  const u = following(i);
  const v = following(u);
  const k = following(j);
  const l = following(k);
  const ji = rotation[3 * j + i];
  const ju = rotation[3 * j + u];
  const jv = rotation[3 * j + v];
  const ki = rotation[3 * k + i];
  const ku = rotation[3 * k + u];
  const kv = rotation[3 * k + v];
  const li = rotation[3 * l + i];
  const lu = rotation[3 * l + u];
  const lv = rotation[3 * l + v];
  set3(normal.x, normal.y, normal.z, components);
  const normalU = components[u];
  const normalV = components[v];
  set3(between.x, between.y, between.z, components);
  // Middles of the edges. The normal is perpendicular to both edges.
  const middleAU = normalU >= 0 ? sizeA[u] : -sizeA[u];
  const middleAV = normalV >= 0 ? sizeA[v] : -sizeA[v];
  const towardsK = normalU * ku + normalV * kv >= 0 ? -sizeB[k] : sizeB[k];
  const towardsL = normalU * lu + normalV * lv >= 0 ? -sizeB[l] : sizeB[l];
  const middleBI = components[i] + ki * towardsK + li * towardsL;
  const middleBU = components[u] + ku * towardsK + lu * towardsL;
  const middleBV = components[v] + kv * towardsK + lv * towardsL;
  const apartU = middleBU - middleAU;
  const apartV = middleBV - middleAV;
  const across = apartU * ju + apartV * jv;
  const s = clamp(middleBI - (ji * across) / (ju * ju + jv * jv), sizeA[i]);
  const t = clamp((s - middleBI) * ji - across, sizeB[j]);
  components[i] = clamp(middleBI + ji * t, sizeA[i]);
  components[u] = middleAU;
  components[v] = middleAV;
  set(components[0], components[1], components[2], onA);
  components[i] = middleBI + ji * t;
  components[u] = middleBU + ju * t;
  components[v] = middleBV + jv * t;
  set(components[0], components[1], components[2], onB);
}

function set3(x: number, y: number, z: number, to: Float64Array): void {
  to[0] = x;
  to[1] = y;
  to[2] = z;
}
