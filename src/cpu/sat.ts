/** Mirror of shaders/sat.wgsl: signed separation of two boxes over the 15 axes. */
// What the WGSL does with vectors is written out in components here, with what is zero or one left out: the axes of A
// are the unit vectors, and an edge axis has no component along A's edge and none along B's. A departure: boxes that a
// face keeps farther apart than anyone asks are left at that.
import { SAT_ALIKE, SAT_FACE_BIAS_ULPS, SAT_PARALLEL_ULPS, SAT_TIE_ULPS } from '../generated/constants.ts';
import {
  EPSILON,
  type Mat3,
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

const alike = vec3();
const edge = vec3();
const otherA = vec3();
const otherB = vec3();

/** B's origin in the frame of A. */
const translation = new Float64Array(3);
/** A vector by components, for those that are reached by number. */
const components = new Float64Array(3);

/** Ends early once the separation is known to exceed `far`. */
export function sat(pair: Pair, far: number, best: SatResult): SatResult {
  const { rotation } = pair;
  const sizeA = pair.coreA.halfExtents;
  const sizeB = pair.coreB.halfExtents;
  const { x, y, z } = pair.translation;
  set3(x, y, z, translation);
  const parallel = SAT_PARALLEL_ULPS * EPSILON;
  const faceBias = SAT_FACE_BIAS_ULPS * EPSILON;
  let bestAxis = 0;
  let bestSeparation = -1e30;
  let bestAlong = 0;
  for (let i = 0; i < 3; i++) {
    const along = translation[i];
    const reach =
      Math.abs(rotation[i]) * sizeB[0] + Math.abs(rotation[3 + i]) * sizeB[1] + Math.abs(rotation[6 + i]) * sizeB[2];
    const separation = Math.abs(along) - (sizeA[i] + reach);
    if (separation > bestSeparation) {
      bestSeparation = separation;
      bestAxis = i;
      bestAlong = along;
    }
  }
  for (let i = 0; i < 3; i++) {
    const axisX = rotation[3 * i];
    const axisY = rotation[3 * i + 1];
    const axisZ = rotation[3 * i + 2];
    const along = axisX * x + axisY * y + axisZ * z;
    const reach = Math.abs(axisX) * sizeA[0] + Math.abs(axisY) * sizeA[1] + Math.abs(axisZ) * sizeA[2];
    const separation = Math.abs(along) - (reach + sizeB[i]);
    if (separation > bestSeparation) {
      bestSeparation = separation;
      bestAxis = 3 + i;
      bestAlong = along;
    }
  }
  // Of an edge axis, its components along the two axes of A after i.
  let bestU = 0;
  let bestV = 0;
  for (let i = 0; i < 3 && bestSeparation <= far; i++) {
    const u = following(i);
    const v = following(u);
    const sizeU = sizeA[u];
    const sizeV = sizeA[v];
    const towardsU = translation[u];
    const towardsV = translation[v];
    // Components along u and v of B's edges j, k and l, which take turns.
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
      // The product of the edges, (-jv, ju), has the sine of their angle as its length. What is projected on it grows
      // with that, so it is made a unit vector only where it wins.
      const sine = Math.sqrt(ju * ju + jv * jv);
      const along = ju * towardsV - jv * towardsU;
      const reachA = Math.abs(jv) * sizeU + Math.abs(ju) * sizeV;
      const reachB = Math.abs(ju * kv - jv * ku) * kSize + Math.abs(ju * lv - jv * lu) * lSize;
      const room = Math.abs(along) - (reachA + reachB);
      if (room > (bestAxis < 6 ? bestSeparation + faceBias : bestSeparation) * sine && sine > parallel) {
        bestSeparation = room / sine;
        bestAxis = 6 + 3 * i + j;
        bestAlong = along;
        bestU = -jv / sine;
        bestV = ju / sine;
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
  best.separation = bestSeparation;
  best.axis = bestAxis;
  const sign = bestAlong < 0 ? -1 : 1;
  if (bestAxis < 3) {
    set(bestAxis === 0 ? sign : 0, bestAxis === 1 ? sign : 0, bestAxis === 2 ? sign : 0, best.normal);
  } else if (bestAxis < 6) {
    const at = 3 * (bestAxis - 3);
    set(sign * rotation[at], sign * rotation[at + 1], sign * rotation[at + 2], best.normal);
  } else if (bestAxis < 9) {
    set(0, sign * bestU, sign * bestV, best.normal);
  } else if (bestAxis < 12) {
    set(sign * bestV, 0, sign * bestU, best.normal);
  } else {
    set(sign * bestU, sign * bestV, 0, best.normal);
  }
  return best;
}

const greatest = createSatResult();

/** The greatest separation alone, or one of more than `far`. */
export function satSeparation(pair: Pair, far: number): number {
  return sat(pair, far, greatest).separation;
}

/** The axis after `axis`: y after x, z after y, x after z. */
function following(axis: number): number {
  return axis === 2 ? 0 : axis + 1;
}

/** Points of the overlapping boxes that realise the separation along the best axis, in A's frame. */
export function satWitness(pair: Pair, best: SatResult, onA: Vec3, onB: Vec3): void {
  const { coreA, coreB, rotation, translation: between } = pair;
  const { normal, separation, axis } = best;
  if (axis < 3) {
    set3(between.x, between.y, between.z, translation);
    const side = axis === 0 ? normal.x : axis === 1 ? normal.y : normal.z;
    faceWitness(coreA.halfExtents, axis, side, coreB.halfExtents, rotation, 1, translation, onA);
    addScaled(onA, normal, separation, onB);
  } else if (axis < 6) {
    const { x, y, z } = between;
    for (let i = 0; i < 3; i++)
      translation[i] = -(rotation[3 * i] * x + rotation[3 * i + 1] * y + rotation[3 * i + 2] * z);
    const at = 3 * (axis - 3);
    const isAlong = rotation[at] * normal.x + rotation[at + 1] * normal.y + rotation[at + 2] * normal.z > 0;
    faceWitness(coreB.halfExtents, axis - 3, isAlong ? -1 : 1, coreA.halfExtents, rotation, 3, translation, onB);
    addScaled(transform(rotation, onB, onB), between, 1, onB);
    addScaled(onB, normal, -separation, onA);
  } else {
    edgeWitness(pair, best, onA, onB);
  }
}

// Arguments of the clipping by u, v and height, in arrays: numbers handed to a function that is not inlined are
// allocated.
const edgeMiddle = new Float64Array(3);
const edgeHalf = new Float64Array(3);
const reach = new Float64Array(2);
const corner = new Float64Array(3);

/** Sum of the lowest corners of the clipped polygon by u and v, their height and their number. */
const lowest = new Float64Array(4);
const HEIGHT = 2;
const COUNT = 3;

/**
 * A point of the reference face that lies over the incident face where that is deepest. The reference face has its
 * normal along `axis` if `side` is 1 and against it if -1. `rotation` takes vectors to the reference box's frame if
 * `stride`, the step from one row to the next, is 1, and the other way if it is 3.
 */
function faceWitness(
  size: Float64Array,
  axis: number,
  side: number,
  otherSize: Float64Array,
  rotation: Mat3,
  stride: number,
  between: Float64Array,
  to: Vec3,
): void {
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

  // The incident face's lowest corner, which is the answer where it lies over the reference face and no other is as
  // low.
  let pointU = centreU - pU * Math.sign(pH) - qU * Math.sign(qH);
  let pointV = centreV - pV * Math.sign(pH) - qV * Math.sign(qH);
  const tie = SAT_TIE_ULPS * EPSILON;
  const isLowest = Math.abs(pointU) <= sizeU && Math.abs(pointV) <= sizeV && Math.abs(pH) > tie && Math.abs(qH) > tie;
  if (!isLowest) {
    lowest[HEIGHT] = 1e30;
    lowest[COUNT] = 0;
    // Boxes that touch to rounding must not clip to nothing.
    reach[0] = sizeU + tie;
    reach[1] = sizeV + tie;
    // Edges middle +- p along q, and middle +- q along p.
    for (let n = 0; n < 4; n++) {
      const sign = n & 1 ? -1 : 1;
      const isAlongQ = n < 2;
      edgeMiddle[0] = centreU + sign * (isAlongQ ? pU : qU);
      edgeMiddle[1] = centreV + sign * (isAlongQ ? pV : qV);
      edgeMiddle[2] = centreH + sign * (isAlongQ ? pH : qH);
      edgeHalf[0] = isAlongQ ? qU : pU;
      edgeHalf[1] = isAlongQ ? qV : pV;
      edgeHalf[2] = isAlongQ ? qH : pH;
      clipEdge();
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
        corner[2] = centreH + s * pH + t * qH;
        if (Math.abs(s) <= 1 && Math.abs(t) <= 1) lower();
      }
    }
    if (lowest[COUNT] > 0) {
      pointU = lowest[0] / lowest[COUNT];
      pointV = lowest[1] / lowest[COUNT];
    }
  }
  components[u] = clamp(pointU, sizeU);
  components[v] = clamp(pointV, sizeV);
  components[axis] = side * size[axis];
  set(components[0], components[1], components[2], to);
}

function set3(x: number, y: number, z: number, to: Float64Array): void {
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

function clamp(x: number, size: number): number {
  return Math.min(Math.max(x, -size), size);
}

/** Takes `corner` if it is among the lowest. */
function lower(): void {
  const tie = SAT_TIE_ULPS * EPSILON;
  const height = corner[2];
  if (height < lowest[HEIGHT] - tie) {
    lowest[0] = corner[0];
    lowest[1] = corner[1];
    lowest[HEIGHT] = height;
    lowest[COUNT] = 1;
  } else if (height <= lowest[HEIGHT] + tie) {
    lowest[0] += corner[0];
    lowest[1] += corner[1];
    lowest[HEIGHT] = Math.min(lowest[HEIGHT], height);
    lowest[COUNT]++;
  }
}

/** Clips the segment `edgeMiddle` +- `edgeHalf` to the rectangle and offers both ends. */
function clipEdge(): void {
  let low = -1;
  let high = 1;
  for (let c = 0; c < 2; c++) {
    const size = reach[c];
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
 * The points of the edges that the axis is perpendicular to. Next to a face several pairs of edges may have axes of the
 * same separation, to rounding: those touch whose nearest points are that far apart.
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

/** How far from the separation along its normal two points are apart. */
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

/** The points where the two edges of this axis that support the boxes along the normal are nearest. */
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
  // Middles of the edges; the normal has no part along either.
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
