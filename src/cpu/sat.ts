/** Mirror of shaders/sat.wgsl: signed separation of two boxes over the 15 axes. */
import { SAT_FACE_BIAS_ULPS, SAT_PARALLEL_ULPS, SAT_TIE_ULPS } from '../generated/constants.ts';
import { EPSILON, type Mat3, type Vec3, addScaled, column, copy, cross, dot, length, scale, subtract, transform, transformBack, vec3 } from './math.ts';
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

const UNIT_AXES = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)] as const;
const COMPONENTS = ['x', 'y', 'z'] as const;

const axis = vec3();
const axisInB = vec3();

export function sat(pair: Pair, best: SatResult): SatResult {
  best.separation = -1e30;
  best.axis = 0;
  for (let i = 0; i < 3; i++) betterAxis(pair, best, UNIT_AXES[i], i, 0);
  for (let i = 0; i < 3; i++) betterAxis(pair, best, column(pair.rotation, i, axis), 3 + i, 0);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      cross(UNIT_AXES[i], column(pair.rotation, j, axis), axis);
      const sine = length(axis);
      if (sine > SAT_PARALLEL_ULPS * EPSILON) {
        const bias = best.axis < 6 ? SAT_FACE_BIAS_ULPS * EPSILON : 0;
        betterAxis(pair, best, scale(axis, 1 / sine, axis), 6 + 3 * i + j, bias);
      }
    }
  }
  return best;
}

/** Takes the unit vector `candidate` if its separation is more than `bias` greater. */
function betterAxis(pair: Pair, best: SatResult, candidate: Vec3, number: number, bias: number): void {
  const along = dot(candidate, pair.translation);
  transformBack(pair.rotation, candidate, axisInB);
  const reach = dotAbsolute(candidate, pair.coreA.halfExtents) + dotAbsolute(axisInB, pair.coreB.halfExtents);
  const separation = Math.abs(along) - reach;
  if (separation > best.separation + bias) {
    best.separation = separation;
    best.axis = number;
    scale(candidate, along < 0 ? -1 : 1, best.normal);
  }
}

function dotAbsolute(v: Vec3, halfExtents: Vec3): number {
  return Math.abs(v.x) * halfExtents.x + Math.abs(v.y) * halfExtents.y + Math.abs(v.z) * halfExtents.z;
}

const toB = new Float64Array(9);
const normalInB = vec3();
const translationInB = vec3();

/** Points of the overlapping boxes that realise the separation along the best axis, in A's frame. */
export function satWitness(pair: Pair, best: SatResult, onA: Vec3, onB: Vec3): void {
  if (best.axis < 3) {
    faceWitness(pair.coreA.halfExtents, best.axis, best.normal, pair.coreB.halfExtents, pair.rotation, pair.translation, onA);
    addScaled(onA, best.normal, best.separation, onB);
  } else if (best.axis < 6) {
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) toB[3 * i + j] = pair.rotation[3 * j + i];
    scale(transform(toB, best.normal, normalInB), -1, normalInB);
    scale(transform(toB, pair.translation, translationInB), -1, translationInB);
    faceWitness(pair.coreB.halfExtents, best.axis - 3, normalInB, pair.coreA.halfExtents, toB, translationInB, onB);
    transform(pair.rotation, onB, onB);
    addScaled(onB, pair.translation, 1, onB);
    addScaled(onB, best.normal, -best.separation, onA);
  } else {
    edgeWitness(pair, best, onA, onB);
  }
}

/** Corners of the clipped polygon with the least height: number, sum, height. */
const lowest = { u: 0, v: 0, height: 0, count: 0 };

/** A point of the reference face that lies over the incident face where that is deepest. */
function faceWitness(
  halfExtents: Vec3, axisNumber: number, normal: Vec3, otherHalfExtents: Vec3, rotation: Mat3, translation: Vec3, to: Vec3,
): void {
  const h = COMPONENTS[axisNumber];
  const u = COMPONENTS[(axisNumber + 1) % 3];
  const v = COMPONENTS[(axisNumber + 2) % 3];
  const alignment = transformBack(rotation, normal, vec3());
  const steep = { x: Math.abs(alignment.x), y: Math.abs(alignment.y), z: Math.abs(alignment.z) };
  let incident = 0;
  if (steep.y > steep.x && steep.y >= steep.z) incident = 1;
  else if (steep.z > steep.x) incident = 2;
  const i = COMPONENTS[incident];
  const j = COMPONENTS[(incident + 1) % 3];
  const k = COMPONENTS[(incident + 2) % 3];
  // Rows u, v, height along the normal.
  const project = (w: Vec3): [number, number, number] => [w[u], w[v], dot(w, normal)];
  const side = -Math.sign(alignment[i]) * otherHalfExtents[i];
  const incidentMiddle = addScaled(translation, column(rotation, incident, vec3()), side, vec3());
  const centre = project(incidentMiddle);
  const p = project(scale(column(rotation, (incident + 1) % 3, vec3()), otherHalfExtents[j], vec3()));
  const q = project(scale(column(rotation, (incident + 2) % 3, vec3()), otherHalfExtents[k], vec3()));
  const sizeU = halfExtents[u];
  const sizeV = halfExtents[v];

  // Boxes that touch to rounding must not clip to nothing.
  const reachU = sizeU + SAT_TIE_ULPS * EPSILON;
  const reachV = sizeV + SAT_TIE_ULPS * EPSILON;
  lowest.count = 0;
  lowest.height = 1e30;
  clipEdge(sum(centre, p, 1), q, reachU, reachV);
  clipEdge(sum(centre, p, -1), q, reachU, reachV);
  clipEdge(sum(centre, q, 1), p, reachU, reachV);
  clipEdge(sum(centre, q, -1), p, reachU, reachV);
  const area = p[0] * q[1] - p[1] * q[0];
  if (area !== 0) {
    for (let n = 0; n < 4; n++) {
      const cornerU = n & 1 ? sizeU : -sizeU;
      const cornerV = n & 2 ? sizeV : -sizeV;
      const du = cornerU - centre[0];
      const dv = cornerV - centre[1];
      const s = (du * q[1] - dv * q[0]) / area;
      const t = (p[0] * dv - p[1] * du) / area;
      if (Math.abs(s) <= 1 && Math.abs(t) <= 1) lower(cornerU, cornerV, centre[2] + s * p[2] + t * q[2]);
    }
  }
  let pointU = centre[0] - p[0] * Math.sign(p[2]) - q[0] * Math.sign(q[2]);
  let pointV = centre[1] - p[1] * Math.sign(p[2]) - q[1] * Math.sign(q[2]);
  if (lowest.count > 0) {
    pointU = lowest.u / lowest.count;
    pointV = lowest.v / lowest.count;
  }
  to[u] = clamp(pointU, sizeU);
  to[v] = clamp(pointV, sizeV);
  to[h] = Math.sign(normal[h]) * halfExtents[h];
}

function sum(a: readonly number[], b: readonly number[], factor: number): number[] {
  return [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor];
}

function clamp(x: number, size: number): number {
  return Math.min(Math.max(x, -size), size);
}

function lower(u: number, v: number, height: number): void {
  const tie = SAT_TIE_ULPS * EPSILON;
  if (height < lowest.height - tie) {
    Object.assign(lowest, { u, v, height, count: 1 });
  } else if (height <= lowest.height + tie) {
    lowest.u += u;
    lowest.v += v;
    lowest.height = Math.min(lowest.height, height);
    lowest.count++;
  }
}

/** Clips the segment middle +- half to the rectangle and offers both ends. */
function clipEdge(middle: readonly number[], half: readonly number[], sizeU: number, sizeV: number): void {
  let low = -1;
  let high = 1;
  for (let i = 0; i < 2; i++) {
    const size = i === 0 ? sizeU : sizeV;
    if (Math.abs(half[i]) > 1e-300) {
      const t0 = (-size - middle[i]) / half[i];
      const t1 = (size - middle[i]) / half[i];
      low = Math.max(low, Math.min(t0, t1));
      high = Math.min(high, Math.max(t0, t1));
    } else if (Math.abs(middle[i]) > size) {
      high = -2;
    }
  }
  if (low > high) return;
  for (const t of [low, high]) lower(middle[0] + half[0] * t, middle[1] + half[1] * t, middle[2] + half[2] * t);
}

const middleA = vec3();
const middleB = vec3();
const sideB = vec3();
const between = vec3();
const directionB = vec3();
const middle = vec3();

/** The points where the two supporting edges are nearest. */
function edgeWitness(pair: Pair, best: SatResult, onA: Vec3, onB: Vec3): void {
  const edgeA = Math.floor((best.axis - 6) / 3);
  const edgeB = (best.axis - 6) % 3;
  const u = UNIT_AXES[edgeA];
  const v = column(pair.rotation, edgeB, directionB);
  transformBack(pair.rotation, best.normal, sideB);
  COMPONENTS.forEach((component, i) => {
    const a = pair.coreA.halfExtents[component];
    const b = pair.coreB.halfExtents[component];
    middleA[component] = i === edgeA ? 0 : best.normal[component] >= 0 ? a : -a;
    middleB[component] = i === edgeB ? 0 : sideB[component] >= 0 ? -b : b;
  });
  transform(pair.rotation, middleB, middleB);
  addScaled(middleB, pair.translation, 1, middleB);
  const halfA = pair.coreA.halfExtents[COMPONENTS[edgeA]];
  const halfB = pair.coreB.halfExtents[COMPONENTS[edgeB]];
  subtract(middleB, middleA, between);
  const cosine = dot(u, v);
  const along = dot(between, u);
  cross(u, v, axis);
  const s = clamp(dot(cross(between, v, middle), axis) / dot(axis, axis), halfA);
  const t = clamp(s * cosine - dot(between, v), halfB);
  addScaled(middleA, u, clamp(along + cosine * t, halfA), onA);
  addScaled(middleB, v, t, onB);
  scale(addScaled(onA, onB, 1, middle), 0.5, middle);
  copy(addScaled(middle, best.normal, -0.5 * best.separation, onA), onA);
  copy(addScaled(middle, best.normal, 0.5 * best.separation, onB), onB);
}
