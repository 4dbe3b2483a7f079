/** Mirror of shaders/manifold.wgsl: up to four points that a contact can be held by. */
import {
  MANIFOLD_CROSSING, MANIFOLD_CURVED_SAME, MANIFOLD_DEPTH_ULPS, MANIFOLD_EDGE_BASE, MANIFOLD_EDGE_BITS, MANIFOLD_GAIN, MANIFOLD_INSIDE_ULPS, MANIFOLD_LEAST_COSINE,
  MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS, MANIFOLD_VERTEX, MANIFOLD_VERTEX_OF_B, MANIFOLD_WITNESS, NOWHERE, NO_EDGE,
} from '../generated/constants.ts';
import { type ContactFace, faceEdge, faceVertex, faceVertexNumber } from './contact-face.ts';
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

function createPoint(): ManifoldPoint {
  return { u: 0, v: 0, h: 0, distance: 0, id: 0 };
}

export function createManifoldPoints(): ManifoldPoints {
  return { count: 0, points: [createPoint(), createPoint(), createPoint(), createPoint()] };
}

function copyPoint(from: ManifoldPoint, to: ManifoldPoint): void {
  to.u = from.u;
  to.v = from.v;
  to.h = from.h;
  to.distance = from.distance;
  to.id = from.id;
}

/** Eight directions: eighths of a circle, turned by 13 degrees; corners of squares that stand along u and v, or diagonally, don't tie. */
const DIRECTIONS_U = [0.9743701, 0.5299192, -0.2249511, -0.8480481, -0.9743701, -0.5299192, 0.2249511, 0.8480481];
const DIRECTIONS_V = [0.2249511, 0.8480481, 0.9743701, 0.5299192, -0.2249511, -0.8480481, -0.9743701, -0.5299192];

/** The farthest candidates in these directions, and how far they are. */
const extremes = DIRECTIONS_U.map(createPoint);
const reaches = new Float64Array(8);
const NO_EXTREME = -1;

// What an edge contributes: where it starts and where it ends over the other face.
const cornerStart = createPoint();
const cornerEnd = createPoint();
let hasStart = false;
let hasEnd = false;

const border = { startU: 0, startV: 0, alongU: 0, alongV: 0 };
const start = vec3();
const end = vec3();

/**
 * The frame's origin is the contact's point on A, `distance` the contact's; `margin` is in the pair's unit, too. Points of curved pairs that
 * are hardly apart count once.
 */
export function manifold(faceA: ContactFace, faceB: ContactFace, distance: number, margin: number, isCurved: boolean, found: ManifoldPoints): ManifoldPoints {
  const reach = margin + TIE;
  const areLines = faceA.count === 2 && faceB.count === 2;
  const roundCount = (faceA.isArea || areLines ? 1 : 0) + (faceB.isArea ? 1 : 0);
  const deepest = found.points[0];
  deepest.distance = NOWHERE;
  reaches.fill(-NOWHERE);
  for (let round = 0; round < roundCount; round++) {
    const isB = (round === 0) === faceA.isArea;
    const subject = isB ? faceB : faceA;
    const region = isB ? faceA : faceB;
    const edgeCount = subject.count === 2 ? 1 : subject.count;
    const hasPeak = subject.hasPeak && !areLines;
    // Where the peak may stand for a vertex it comes first; else last, so that a vertex in the same place is preferred.
    const firstEdge = hasPeak && subject.isRounded ? 1 : 0;
    const subjectCount = edgeCount + (hasPeak ? 1 : 0);
    let isPeakIn = false;
    for (let i = 0; i < subjectCount; i++) {
      if (areLines) {
        lineCorners(faceA, faceB);
      } else if (i < firstEdge || i - firstEdge === edgeCount) {
        copy(subject.peak, start);
        copy(subject.peak, end);
        edgeCorners(subject, region, subject.count, isB, round === 0);
        isPeakIn = hasStart;
      } else {
        const number = i - firstEdge;
        faceVertex(subject, number, start);
        faceVertex(subject, number + 1 >= subject.count ? 0 : number + 1, end);
        edgeCorners(subject, region, number, isB, round === 0);
        if (isPeakIn && subject.isRounded) {
          hasStart &&= !(isVertex(cornerStart) && faceVertexNumber(subject, number) === subject.peakNumber);
          hasEnd &&= !(isVertex(cornerEnd) && subject.lastEnd === subject.peakNumber);
        }
      }
      if (hasStart) offer(cornerStart, deepest, reach);
      if (hasEnd && round === 0) offer(cornerEnd, deepest, reach);
    }
  }
  if (deepest.distance > Math.min(distance + MANIFOLD_DEPTH_ULPS * EPSILON, reach)) {
    deepest.u = deepest.v = deepest.h = 0;
    deepest.distance = distance;
    deepest.id = MANIFOLD_WITNESS;
  }
  choosePoints(found, isCurved ? MANIFOLD_CURVED_SAME : SAME);
  return found;
}

function isVertex({ id }: ManifoldPoint): boolean {
  return id < MANIFOLD_CROSSING;
}

/** Makes a candidate the deepest, and the farthest in some directions, if it is. */
function offer(point: ManifoldPoint, deepest: ManifoldPoint, reach: number): void {
  const { u, v, distance } = point;
  if (distance < deepest.distance - TIE) copyPoint(point, deepest);
  if (distance > reach) return;
  for (let i = 0; i < 8; i++) {
    const along = DIRECTIONS_U[i] * u + DIRECTIONS_V[i] * v;
    if (along <= reaches[i] + SAME) continue;
    reaches[i] = along;
    copyPoint(point, extremes[i]);
  }
}

/** To the first point the three of the others that spread it most. */
function choosePoints(found: ManifoldPoints, same: number): void {
  const [first, second] = found.points;
  found.count = 1;
  if (reaches[0] === -NOWHERE) return;
  const farthest = greatest(same * same, (u, v) => (u - first.u) ** 2 + (v - first.v) ** 2);
  if (farthest === NO_EXTREME) return;
  found.count = 2;
  copyPoint(extremes[farthest], second);
  const baseU = second.u - first.u;
  const baseV = second.v - first.v;
  const least = same * Math.sqrt(baseU * baseU + baseV * baseV);
  // Twice the areas of triangles over the base.
  const left = greatest(least, (u, v) => cross2(baseU, baseV, u - first.u, v - first.v));
  const right = greatest(least, (u, v) => -cross2(baseU, baseV, u - first.u, v - first.v));
  let third = left === NO_EXTREME ? right : left;
  let fourth = left === NO_EXTREME ? NO_EXTREME : right;
  if (third === NO_EXTREME) {
    // On one line: what lies behind the first point.
    third = greatest(least, (u, v) => -(baseU * (u - first.u) + baseV * (v - first.v)));
  } else if (fourth === NO_EXTREME) {
    // On one side: what adds most area outside the triangle's other two edges.
    const turn = left === NO_EXTREME ? -1 : 1;
    const top = extremes[third];
    fourth = greatest(least, (u, v) =>
      Math.max(
        -turn * cross2(top.u - second.u, top.v - second.v, u - second.u, v - second.v),
        turn * cross2(top.u - first.u, top.v - first.v, u - first.u, v - first.v),
      ),
    );
  }
  for (const choice of [third, fourth]) if (choice !== NO_EXTREME) copyPoint(extremes[choice], found.points[found.count++]);
}

/** The number of the extreme of the greatest score above `least`. */
function greatest(least: number, scoreOf: (u: number, v: number) => number): number {
  let best = NO_EXTREME;
  let bar = least;
  for (let i = 0; i < 8; i++) {
    const score = scoreOf(extremes[i].u, extremes[i].v);
    if (!(score > bar * MANIFOLD_GAIN)) continue;
    bar = score;
    best = i;
  }
  return best;
}

function cross2(aU: number, aV: number, bU: number, bV: number): number {
  return aU * bV - aV * bU;
}

/** The subject's edge, or its peak, from `start` to `end`, clipped against the region. `number` is that of the vertex at its start. */
function edgeCorners(subject: ContactFace, region: ContactFace, number: number, isB: boolean, withCrossings: boolean): void {
  const slack = INSIDE * region.cosine;
  const { count, side } = region;
  let enter = 0;
  let leave = 1;
  let enterEdge = NO_EDGE;
  let leaveEdge = NO_EDGE;
  hasStart = hasEnd = false;
  for (let edge = 0; edge < count; edge++) {
    const { startU, startV, alongU, alongV } = faceEdge(region, edge, edge + 1 === count ? 0 : edge + 1, border);
    // Times the edge's length, and so is the slack, or up to 1.4 times that.
    const heightStart = side * cross2(alongU, alongV, start.x - startU, start.y - startV);
    const heightEnd = side * cross2(alongU, alongV, end.x - startU, end.y - startV);
    const lowest = -slack * (Math.abs(alongU) + Math.abs(alongV));
    const isStartOut = heightStart < lowest;
    const isEndOut = heightEnd < lowest;
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
