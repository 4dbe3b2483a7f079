/** Mirror of shaders/manifold.wgsl: up to four points that a contact can be held by. */
import {
  MANIFOLD_CROSSING, MANIFOLD_DEPTH_ULPS, MANIFOLD_EDGE_BASE, MANIFOLD_EDGE_BITS, MANIFOLD_GAIN, MANIFOLD_INSIDE_ULPS, MANIFOLD_LEAST_COSINE,
  MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS, MANIFOLD_VERTEX, MANIFOLD_VERTEX_OF_B, MANIFOLD_WITNESS, NO_EDGE,
} from '../generated/constants.ts';
import { type ContactFace, faceVertex, faceVertexNumber } from './contact-face.ts';
import { copy, vec3 } from './math.ts';

/**
 * What the ULPS are multiplied with here, in place of the machine epsilon: contacts are known to a tenth of the reference's tolerance,
 * of which there are thousands of ULPS, so that points can't be told apart by less.
 */
const EPSILON = 2 ** -40;

const INSIDE = MANIFOLD_INSIDE_ULPS * EPSILON;
const SAME = MANIFOLD_SAME_ULPS * EPSILON;
const TIE = MANIFOLD_TIE_ULPS * EPSILON;
const EDGE_MASK = (1 << MANIFOLD_EDGE_BITS) - 1;

export interface ManifoldPoint {
  /** u, v, h on A's surface, in the frame of the contact faces. */
  u: number;
  v: number;
  h: number;
  /** Along the normal to B's. */
  distance: number;
  /** What it lies on, by the faces' own numbers: see `pointFeature`. */
  id: number;
}

export interface ManifoldPoints {
  count: number;
  /** Four of them. */
  points: ManifoldPoint[];
}

/** The best candidate so far, if it is better than nothing. */
interface Choice {
  score: number;
  isMade: boolean;
  point: ManifoldPoint;
}

function createPoint(): ManifoldPoint {
  return { u: 0, v: 0, h: 0, distance: 0, id: 0 };
}

export function createManifoldPoints(): ManifoldPoints {
  return { count: 0, points: [createPoint(), createPoint(), createPoint(), createPoint()] };
}

function createChoice(): Choice {
  return { score: 0, isMade: false, point: createPoint() };
}

function copyPoint(from: ManifoldPoint, to: ManifoldPoint): void {
  to.u = from.u;
  to.v = from.v;
  to.h = from.h;
  to.distance = from.distance;
  to.id = from.id;
}

const third = createChoice();
const fourth = createChoice();
const best = createChoice();
const other = createChoice();

// What an edge contributes: where it starts and where it ends over the other face.
const cornerStart = createPoint();
const cornerEnd = createPoint();
let hasStart = false;
let hasEnd = false;

const start = vec3();
const end = vec3();

/** The frame's origin is the contact's point on A, `distance` the contact's; `margin` is in the pair's unit, too. */
export function manifold(faceA: ContactFace, faceB: ContactFace, distance: number, margin: number, found: ManifoldPoints): ManifoldPoints {
  const reach = margin + TIE;
  const areLines = faceA.count === 2 && faceB.count === 2;
  const roundCount = (faceA.isArea || areLines ? 1 : 0) + (faceB.isArea ? 1 : 0);
  const [first, second] = found.points;
  first.u = first.v = second.u = second.v = 0;
  third.isMade = fourth.isMade = false;
  for (let step = 0; step < 4; step++) {
    const baseU = second.u - first.u;
    const baseV = second.v - first.v;
    best.isMade = other.isMade = false;
    best.score = other.score = step === 0 ? -1e300 : step === 1 ? SAME * SAME : SAME * Math.sqrt(baseU * baseU + baseV * baseV);
    for (let round = 0; round < roundCount; round++) {
      const isB = (round === 0) === faceA.isArea;
      const subject = isB ? faceB : faceA;
      const region = isB ? faceA : faceB;
      const edgeCount = subject.count === 2 ? 1 : subject.count;
      const subjectCount = edgeCount + (subject.hasPeak && !areLines ? 1 : 0);
      for (let i = 0; i < subjectCount; i++) {
        const isPeak = i === edgeCount;
        if (areLines) {
          lineCorners(faceA, faceB);
        } else {
          if (isPeak) {
            copy(subject.peak, start);
            copy(subject.peak, end);
          } else {
            faceVertex(subject, i, start);
            faceVertex(subject, i + 1 >= subject.count ? 0 : i + 1, end);
          }
          edgeCorners(subject, region, isPeak ? subject.count : i, isB, round === 0);
        }
        if (hasStart) offer(cornerStart, step, first, baseU, baseV, reach);
        if (hasEnd) offer(cornerEnd, step, first, baseU, baseV, reach);
      }
    }
    if (step === 0) {
      found.count = 1;
      if (best.isMade && best.point.distance <= distance + MANIFOLD_DEPTH_ULPS * EPSILON && best.point.distance <= reach) {
        copyPoint(best.point, first);
      } else {
        first.u = first.v = first.h = 0;
        first.distance = distance;
        first.id = MANIFOLD_WITNESS;
      }
    } else if (step === 1) {
      if (!best.isMade) break;
      found.count = 2;
      copyPoint(best.point, second);
    } else if (step === 2) {
      keep(best, third);
      keep(other, fourth);
      if (third.isMade && fourth.isMade) break;
    } else {
      keep(best, third.isMade ? fourth : third);
    }
  }
  for (const choice of [third, fourth]) if (choice.isMade) copyPoint(choice.point, found.points[found.count++]);
  return found;
}

function keep(from: Choice, to: Choice): void {
  to.isMade = from.isMade;
  copyPoint(from.point, to.point);
}

/** Makes a candidate the best of its kind if it is. */
function offer(point: ManifoldPoint, step: number, first: ManifoldPoint, baseU: number, baseV: number, reach: number): void {
  if (step > 0 && point.distance > reach) return;
  const u = point.u - first.u;
  const v = point.v - first.v;
  let score = -point.distance;
  if (step === 1) score = u * u + v * v;
  else if (step === 2) score = cross2(baseU, baseV, u, v);
  else if (step === 3) score = addedArea(first, baseU, baseV, u, v);
  const isOther = step === 2 && score < 0;
  if (isOther) score = -score;
  const rival = isOther ? other : best;
  if (!(score > (step === 0 ? rival.score + TIE : rival.score * MANIFOLD_GAIN))) return;
  rival.score = score;
  rival.isMade = true;
  copyPoint(point, rival.point);
}

function cross2(aU: number, aV: number, bU: number, bV: number): number {
  return aU * bV - aV * bU;
}

/**
 * Twice what a point, `u`, `v` from the first, adds to the triangle that is there; where there is no triangle, how far behind the first
 * it lies, seen from the second.
 */
function addedArea(first: ManifoldPoint, baseU: number, baseV: number, u: number, v: number): number {
  if (!third.isMade && !fourth.isMade) return -(baseU * u + baseV * v);
  const turn = third.isMade ? 1 : -1;
  const { point } = third.isMade ? third : fourth;
  const topU = point.u - first.u;
  const topV = point.v - first.v;
  return Math.max(
    -turn * cross2(topU - baseU, topV - baseV, u - baseU, v - baseV),
    -turn * cross2(-topU, -topV, u - topU, v - topV),
  );
}

/** The subject's edge, or its peak, from `start` to `end`, clipped against the region. `number` is that of the vertex at its start. */
function edgeCorners(subject: ContactFace, region: ContactFace, number: number, isB: boolean, withCrossings: boolean): void {
  const slack = INSIDE * region.cosine;
  const { vertices, count, side } = region;
  let enter = 0;
  let leave = 1;
  let enterEdge = NO_EDGE;
  let leaveEdge = NO_EDGE;
  hasStart = hasEnd = false;
  for (let j = 0; j < count; j++) {
    const edge = j === 0 ? count - 1 : j - 1;
    const aU = vertices[3 * edge];
    const aV = vertices[3 * edge + 1];
    const alongU = vertices[3 * j] - aU;
    const alongV = vertices[3 * j + 1] - aV;
    const inverse = side / Math.sqrt(Math.max(alongU * alongU + alongV * alongV, 1e-300));
    const heightStart = cross2(alongU, alongV, start.x - aU, start.y - aV) * inverse;
    const heightEnd = cross2(alongU, alongV, end.x - aU, end.y - aV) * inverse;
    const isStartOut = heightStart < -slack;
    const isEndOut = heightEnd < -slack;
    if (isStartOut && isEndOut) return;
    if (isStartOut === isEndOut) continue;
    const t = Math.min(Math.max(heightStart / (heightStart - heightEnd), 0), 1);
    if (isStartOut && t >= enter) {
      enter = t;
      enterEdge = edge;
    }
    if (isEndOut && t <= leave) {
      leave = t;
      leaveEdge = edge;
    }
  }
  if (enter > leave) return;
  const isVertexStart = enterEdge === NO_EDGE;
  const isVertexEnd = leaveEdge === NO_EDGE;
  hasStart = isVertexStart || withCrossings;
  // Of a polygon, the end is another edge's start.
  hasEnd = isVertexEnd ? subject.count === 2 && number < 2 : withCrossings;
  const owner = isB ? MANIFOLD_VERTEX : 0;
  overRegion(isVertexStart ? 0 : enter, region, isB, isVertexStart ? owner + number : crossingId(number, enterEdge), cornerStart);
  overRegion(isVertexEnd ? 1 : leave, region, isB, isVertexEnd ? owner + number + 1 : crossingId(number, leaveEdge), cornerEnd);
}

function crossingId(subjectEdge: number, regionEdge: number): number {
  return (MANIFOLD_CROSSING | (subjectEdge & EDGE_MASK) | ((regionEdge & EDGE_MASK) << MANIFOLD_EDGE_BITS)) >>> 0;
}

/** The point `t` of the way from `start` to `end`, and what of the region's plane lies under or over it. */
function overRegion(t: number, region: ContactFace, isB: boolean, id: number, to: ManifoldPoint): void {
  const { anchor, slopeU, slopeV } = region;
  const u = t === 1 ? end.x : start.x + (end.x - start.x) * t;
  const v = t === 1 ? end.y : start.y + (end.y - start.y) * t;
  const h = t === 1 ? end.z : start.z + (end.z - start.z) * t;
  const height = anchor.z + slopeU * (u - anchor.x) + slopeV * (v - anchor.y);
  to.u = u;
  to.v = v;
  to.h = isB ? height : h;
  to.distance = isB ? h - height : height - h;
  to.id = id;
}

/** Two lines side by side: the ends of where they overlap. */
function lineCorners(faceA: ContactFace, faceB: ContactFace): void {
  hasStart = hasEnd = false;
  const { half: halfA, middle: middleA } = faceA;
  const { half: halfB, middle: middleB } = faceB;
  const size = Math.sqrt(halfA.x * halfA.x + halfA.y * halfA.y);
  if (size < SAME) return;
  const axisU = halfA.x / size;
  const axisV = halfA.y / size;
  const centre = (middleB.x - middleA.x) * axisU + (middleB.y - middleA.y) * axisV;
  const reach = halfB.x * axisU + halfB.y * axisV;
  const low = Math.max(-size, centre - Math.abs(reach));
  const high = Math.min(size, centre + Math.abs(reach));
  if (low > high) return;
  const bends = faceA.bend + faceB.bend;
  const share = bends > 0 ? faceA.bend / bends : 0.5;
  for (const isHigh of [false, true]) {
    const at = isHigh ? high : low;
    const isEndOfA = at === (isHigh ? size : -size);
    const alongB = Math.abs(reach) > 1e-300 ? Math.min(Math.max((at - centre) / reach, -1), 1) : 0;
    const onAU = middleA.x + halfA.x * (at / size);
    const onAV = middleA.y + halfA.y * (at / size);
    const u = onAU + (middleB.x + halfB.x * alongB - onAU) * share;
    const v = onAV + (middleB.y + halfB.y * alongB - onAV) * share;
    const heightA = lineHeight(faceA, u, v);
    const heightB = lineHeight(faceB, u, v);
    const isOver = !Number.isNaN(heightA) && !Number.isNaN(heightB);
    if (isHigh) hasEnd = isOver;
    else hasStart = isOver;
    const to = isHigh ? cornerEnd : cornerStart;
    to.u = u;
    to.v = v;
    to.h = heightA;
    to.distance = heightB - heightA;
    to.id = isEndOfA ? Number(isHigh) : MANIFOLD_VERTEX + Number(isHigh === reach >= 0);
  }
}

/** Where the surface around a line is at u, v: on the cylinder or, beyond the line's ends, the ball there. NaN where it is nowhere. */
function lineHeight(face: ContactFace, u: number, v: number): number {
  const { half, middle, bend, side, isCapped } = face;
  const size = Math.sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
  const dU = half.x / Math.max(size, 1e-300);
  const dV = half.y / Math.max(size, 1e-300);
  const dH = half.z / Math.max(size, 1e-300);
  const flatness = Math.sqrt(dU * dU + dV * dV);
  if (flatness < MANIFOLD_LEAST_COSINE) return NaN;
  const fromU = u - middle.x;
  const fromV = v - middle.y;
  const fromH = -middle.z;
  const aside = cross2(dU, dV, fromU, fromV) / flatness;
  const round = Math.sqrt(Math.max((bend - aside) * (bend + aside), 0));
  const along = fromU * dU + fromV * dV + fromH * dH;
  const height = (side * round - (fromH - along * dH) / flatness) / flatness;
  const beyond = Math.abs(along + height * dH) - size;
  if (beyond <= 0 || (beyond <= INSIDE && !isCapped)) return Math.abs(aside) <= bend + INSIDE ? height : NaN;
  if (!isCapped) return NaN;
  const sign = along + height * dH > 0 ? 1 : -1;
  const outU = u - middle.x - sign * half.x;
  const outV = v - middle.y - sign * half.y;
  const out = Math.sqrt(outU * outU + outV * outV);
  if (out > bend + INSIDE) return NaN;
  return middle.z + sign * half.z + side * Math.sqrt(Math.max((bend - out) * (bend + out), 0));
}

/** Names a point by what it lies on, whichever face was clipped against the other: see types.ts. Unsigned. */
export function pointFeature(faceA: ContactFace, faceB: ContactFace, id: number): number {
  const kind = (id & (3 << 30)) >>> 0;
  if (kind === MANIFOLD_WITNESS) return MANIFOLD_WITNESS;
  if (kind === MANIFOLD_CROSSING) {
    const ofSubject = id & EDGE_MASK;
    const ofRegion = (id >>> MANIFOLD_EDGE_BITS) & EDGE_MASK;
    const keyA = edgeKey(faceA, faceA.isArea ? ofRegion : ofSubject);
    const keyB = edgeKey(faceB, faceA.isArea ? ofSubject : ofRegion);
    return (MANIFOLD_CROSSING | keyA | (keyB << MANIFOLD_EDGE_BITS)) >>> 0;
  }
  const number = id & (MANIFOLD_VERTEX - 1);
  if (kind === MANIFOLD_VERTEX) return (MANIFOLD_VERTEX | MANIFOLD_VERTEX_OF_B | faceVertexNumber(faceB, number)) >>> 0;
  return (MANIFOLD_VERTEX | faceVertexNumber(faceA, number)) >>> 0;
}

/** The same from either end. */
function edgeKey(face: ContactFace, edge: number): number {
  const a = faceVertexNumber(face, edge);
  const b = faceVertexNumber(face, edge + 1 >= face.count ? 0 : edge + 1);
  return (Math.imul(Math.min(a, b), MANIFOLD_EDGE_BASE) + Math.max(a, b)) & EDGE_MASK;
}
