/** Mirror of shaders/manifold.wgsl: up to four points that a contact can be held by. */
import {
  CORE_HULL,
  MANIFOLD_CROSSING,
  MANIFOLD_CURVED_SAME,
  MANIFOLD_DEPTH_ULPS,
  MANIFOLD_EDGE_BASE,
  MANIFOLD_EDGE_BITS,
  MANIFOLD_INSIDE_ULPS,
  MANIFOLD_LEAST_COSINE,
  MANIFOLD_LEVEL,
  MANIFOLD_NAME_SHARE,
  MANIFOLD_OWN_RADIUS,
  MANIFOLD_RIM_RADIUS,
  MANIFOLD_SAME_ULPS,
  MANIFOLD_TIE_ULPS,
  MANIFOLD_VERTEX,
  MANIFOLD_VERTEX_OF_B,
  MANIFOLD_WITNESS,
  NO_EDGE,
} from '../generated/constants.ts';
import { type ContactFace, faceEdge, faceVertex, faceVertexNumber } from './contact-face/face.ts';
import {
  EPSILON,
  addCorner,
  clearCorners,
  cornerCount,
  cornerId,
  cornerName,
  cornerPlace,
  deepestCorner,
  offerCorner,
  removeCorner,
} from './corners.ts';
import { chooseCorners } from './corners/choose.ts';
import { copy, vec3 } from './math.ts';

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
  /** What it lies on: see types.ts. Unsigned. */
  feature: number;
}

export interface ManifoldPoints {
  count: number;
  /** Four of them. */
  points: ManifoldPoint[];
}

function createPoint(): ManifoldPoint {
  return { u: 0, v: 0, h: 0, distance: 0, feature: 0 };
}

export function createManifoldPoints(): ManifoldPoints {
  return { count: 0, points: [createPoint(), createPoint(), createPoint(), createPoint()] };
}

const chosen = new Int32Array(4);
const border = { startU: 0, startV: 0, alongU: 0, alongV: 0 };
const start = vec3();
const end = vec3();

/**
 * The frame's origin is the contact's point on A, `distance` the contact's; `margin` and `size`, the sum of the
 * bounding radii, are in the pair's unit, too. Points of curved pairs that are hardly apart count once.
 */
export function manifold(
  faceA: ContactFace,
  faceB: ContactFace,
  distance: number,
  margin: number,
  size: number,
  isCurved: boolean,
  found: ManifoldPoints,
): ManifoldPoints {
  const maxDistance = margin + TIE;
  clearCorners();
  if (faceA.count === 2 && faceB.count === 2) {
    addLineCorners(faceA, faceB, maxDistance);
  } else {
    // One face's edges against the other; where both are areas, then the other's vertices against the one.
    const isB = faceA.isArea;
    if (faceA.isArea || faceB.isArea) addCorners(isB ? faceB : faceA, isB ? faceA : faceB, isB, true, maxDistance);
    if (faceA.isArea && faceB.isArea) addCorners(faceA, faceB, false, false, maxDistance);
  }
  // Of curved pairs too, without the kernels' MANIFOLD_CURVED_DEPTH: that hides what f32 makes of a resting cylinder's
  // depth. Here the deepest point is as deep as the contact to 1e-9, whatever the shapes, and a tenth of what curved
  // depths are known to would be 1e-7.
  const known = MANIFOLD_DEPTH_ULPS * EPSILON;
  const level = MANIFOLD_LEVEL * size;
  const hasOwn = asksForOwn(distance, known, level);
  if (hasOwn && !addPeaks(faceA, faceB, Math.min(distance + known, maxDistance)))
    addWitness(faceA, faceB, distance, isCurved ? MANIFOLD_CURVED_SAME : MANIFOLD_OWN_RADIUS);
  found.count = chooseCorners(hasOwn ? 0.5 * known : level, isCurved ? MANIFOLD_CURVED_SAME : SAME, chosen);
  for (let k = 0; k < found.count; k++) {
    const point = found.points[k];
    const corner = chosen[k];
    point.u = cornerPlace(corner, 0);
    point.v = cornerPlace(corner, 1);
    point.h = cornerPlace(corner, 2);
    point.distance = cornerPlace(corner, 3);
  }
  chosenFeatures(faceA, faceB, found);
  return found;
}

/** Features of the chosen corners: by their names or, where those would be the same of two, by what each is. */
export function chosenFeatures(faceA: ContactFace, faceB: ContactFace, found: ManifoldPoints): void {
  for (const idOf of [cornerName, cornerId]) {
    for (let k = 0; k < found.count; k++) found.points[k].feature = pointFeature(faceA, faceB, idOf(chosen[k]));
    if (areToldApart(found)) return;
  }
}

/** Whether the points have features of their own. */
function areToldApart({ count, points }: ManifoldPoints): boolean {
  for (let k = 1; k < count; k++) for (let m = 0; m < k; m++) if (points[k].feature === points[m].feature) return false;
  return true;
}

/**
 * Whether no corner is as deep as the contact. Where several are as good as that no other point is asked for: those of
 * round shapes wander while they stand.
 */
function asksForOwn(distance: number, known: number, level: number): boolean {
  if (cornerCount() === 0) return true;
  return cornerPlace(deepestCorner(), 3) > distance + known && !(cornerCount() > 2 && areLevel(distance + level));
}

/** Whether all corners are at most this far apart. */
function areLevel(most: number): boolean {
  for (let i = 0; i < cornerCount(); i++) if (cornerPlace(i, 3) > most) return false;
  return true;
}

/** Adds the peak of either face, B's first, if there is one that deep. */
function addPeaks(faceA: ContactFace, faceB: ContactFace, most: number): boolean {
  return addPeak(faceB, faceA, true, most) || addPeak(faceA, faceB, false, most);
}

/**
 * Adds the contact's own point. It has the name of what it is beside: of a corner, which it takes the place of, or else
 * of a vertex of either face or a peak.
 */
function addWitness(faceA: ContactFace, faceB: ContactFace, distance: number, radius: number): void {
  let name = MANIFOLD_WITNESS;
  let nearest = radius * radius;
  let replaced = -1;
  for (let i = 0; i < cornerCount(); i++) {
    const gap = cornerPlace(i, 0) ** 2 + cornerPlace(i, 1) ** 2;
    if (gap >= nearest) continue;
    nearest = gap;
    name = cornerName(i);
    replaced = i;
  }
  if (replaced >= 0) removeCorner(replaced);
  for (let side = 0; side < 2 && name === MANIFOLD_WITNESS; side++) {
    const face = side === 0 ? faceA : faceB;
    // The fixed points of a rim are no better than any other of its points.
    for (let i = face.kind > CORE_HULL && face.hasPeak ? face.count : 0; i < face.count + (face.hasPeak ? 1 : 0); i++) {
      if (i < face.count) faceVertex(face, i, start);
      else copy(face.peak, start);
      const isRim = i === face.count && name === MANIFOLD_WITNESS && face.kind > CORE_HULL;
      const gap = start.x * start.x + start.y * start.y;
      if (gap >= (isRim ? MANIFOLD_RIM_RADIUS * MANIFOLD_RIM_RADIUS : nearest)) continue;
      nearest = gap;
      name = side * MANIFOLD_VERTEX + i;
    }
  }
  addCorner(0, 0, 0, distance, MANIFOLD_WITNESS, name, 0);
}

/**
 * Adds the face's farthest point if it is over the other and at most so far from that; the vertex that it stands for
 * goes.
 */
function addPeak(subject: ContactFace, region: ContactFace, isB: boolean, most: number): boolean {
  if (!subject.hasPeak || !region.isArea) return false;
  copy(subject.peak, start);
  copy(subject.peak, end);
  clip(region, false);
  if (!isOver) return false;
  const id = (isB ? MANIFOLD_VERTEX : 0) + subject.count;
  const { x: u, y: v, z: h } = start;
  const height = heightOf(region, u, v);
  const depth = isB ? h - height : height - h;
  if (!(depth <= most)) return false;
  for (let i = cornerCount() - 1; i >= 0; i--) {
    if (
      cornerName(i) >>> 30 === id >>> 30 &&
      faceVertexNumber(subject, cornerName(i) & (MANIFOLD_VERTEX - 1)) === subject.peakNumber
    )
      removeCorner(i);
  }
  addCorner(u, v, isB ? height : h, depth, id, id, 0);
  return true;
}

function cross2(aU: number, aV: number, bU: number, bV: number): number {
  return aU * bV - aV * bU;
}

/** Where a region's edge crosses the edge from `start` to `end`, and how far both ends of that are over it. */
interface Crossing {
  edge: number;
  heightStart: number;
  heightEnd: number;
}

const enter: Crossing = { edge: NO_EDGE, heightStart: 0, heightEnd: 0 };
const leave: Crossing = { edge: NO_EDGE, heightStart: 0, heightEnd: 0 };
/** Whether `start` is over the region, and which of its vertices is so near that `start` has its name. */
let isOver = false;
let namesake = NO_EDGE;

/** The subject's vertices over the region, and where its edges cross the region's. */
function addCorners(
  subject: ContactFace,
  region: ContactFace,
  isB: boolean,
  withCrossings: boolean,
  maxDistance: number,
): void {
  const owner = isB ? MANIFOLD_VERTEX : 0;
  const { count } = subject;
  for (let i = 0; i < count; i++) {
    faceVertex(subject, i, start);
    // A line has one edge, a point none.
    faceVertex(subject, count === 2 ? 1 : (i + 1) % count, end);
    clip(region, withCrossings);
    const id = owner + i;
    if (isOver)
      offer(start.x, start.y, start.z, region, isB, id, isB && namesake !== NO_EDGE ? namesake : id, maxDistance);
    if (enter.edge !== NO_EDGE) addCrossing(subject, region, i, enter, isB, maxDistance);
    if (leave.edge !== NO_EDGE) addCrossing(subject, region, i, leave, isB, maxDistance);
  }
}

/**
 * Clips the edge from `start` to `end` against the region's edges. Each decides by itself whether the two cross, by the
 * sides on which the ends of either are of the other: where a sharp tip's edges run along each other no comparison of
 * where they are crossed can be relied on, nor is what is hardly outside both of them near the tip.
 */
function clip(region: ContactFace, withCrossings: boolean): void {
  const slack = INSIDE * region.cosine;
  const edgeU = end.x - start.x;
  const edgeV = end.y - start.y;
  const edgeSquare = edgeU * edgeU + edgeV * edgeV;
  const edgeSlack = slack * (Math.abs(edgeU) + Math.abs(edgeV));
  let isOut = false;
  let isNear = false;
  let nearest = Infinity;
  namesake = NO_EDGE;
  enter.edge = leave.edge = NO_EDGE;
  for (let edge = 0; edge < region.count; edge++) {
    const { startU, startV, alongU, alongV } = faceEdge(region, edge, edge + 1 === region.count ? 0 : edge + 1, border);
    const { side } = region;
    const fromU = start.x - startU;
    const fromV = start.y - startV;
    const square = alongU * alongU + alongV * alongV;
    // Times the edge's length, and so is the slack, or up to 1.4 times that.
    const heightStart = side * cross2(alongU, alongV, fromU, fromV);
    const lowest = -slack * (Math.abs(alongU) + Math.abs(alongV));
    if (heightStart < 0) {
      const along = alongU * fromU + alongV * fromV;
      isOut = true;
      isNear ||= heightStart >= lowest && along >= lowest && along <= square - lowest;
    }
    const gap = fromU * fromU + fromV * fromV;
    if (gap < nearest && gap <= MANIFOLD_NAME_SHARE * MANIFOLD_NAME_SHARE * Math.min(square, edgeSquare)) {
      nearest = gap;
      namesake = edge;
    }
    if (!withCrossings) continue;
    const heightEnd = side * cross2(alongU, alongV, end.x - startU, end.y - startV);
    if (heightStart < 0 === heightEnd < 0) continue;
    // Of the region's edge's ends over the subject's.
    const low = cross2(fromU, fromV, edgeU, edgeV);
    const high = low - cross2(alongU, alongV, edgeU, edgeV);
    if (Math.min(low, high) > edgeSlack || Math.max(low, high) < -edgeSlack) continue;
    const crossing = heightStart < 0 ? enter : leave;
    crossing.edge = edge;
    crossing.heightStart = heightStart;
    crossing.heightEnd = heightEnd;
  }
  isOver = isNear || !isOut;
}

/** Adds where the subject's edge from `start` to `end` crosses one of the region's. */
function addCrossing(
  subject: ContactFace,
  region: ContactFace,
  number: number,
  { edge, heightStart, heightEnd }: Crossing,
  isB: boolean,
  maxDistance: number,
): void {
  const next = edge + 1 === region.count ? 0 : edge + 1;
  const { startU, startV, alongU, alongV } = faceEdge(region, edge, next, border);
  const edgeU = end.x - start.x;
  const edgeV = end.y - start.y;
  const square = alongU * alongU + alongV * alongV;
  const edgeSquare = edgeU * edgeU + edgeV * edgeV;
  let t = Math.min(Math.max(heightStart / (heightStart - heightEnd), 0), 1);
  let u = start.x + edgeU * t;
  let v = start.y + edgeV * t;
  // Edges that run along each other cross somewhere: not beyond the region's.
  const s = ((u - startU) * alongU + (v - startV) * alongV) / square;
  const onEdge = Math.min(Math.max(s, 0), 1);
  if (onEdge !== s) {
    u += (onEdge - s) * alongU;
    v += (onEdge - s) * alongV;
    t = Math.min(Math.max(t + ((onEdge - s) * (alongU * edgeU + alongV * edgeV)) / Math.max(edgeSquare, 1e-300), 0), 1);
  }
  const id = crossingId(number, edge);
  const band = MANIFOLD_NAME_SHARE * Math.sqrt(Math.min(square, edgeSquare));
  const last = number + 1 >= subject.count ? 0 : number + 1;
  const ofSubject = vertexNear(t, band / Math.sqrt(edgeSquare), number, last);
  const ofRegion = vertexNear(onEdge, band / Math.sqrt(square), edge, next);
  const [ofA, ofB] = isB ? [ofRegion, ofSubject] : [ofSubject, ofRegion];
  const name = ofA !== NO_EDGE ? ofA : ofB !== NO_EDGE ? MANIFOLD_VERTEX + ofB : id;
  offer(u, v, start.z + (end.z - start.z) * t, region, isB, id, name, maxDistance);
}

/** Which of an edge's ends a point at a share of it is at. */
function vertexNear(share: number, band: number, first: number, last: number): number {
  return share <= band ? first : share >= 1 - band ? last : NO_EDGE;
}

function crossingId(subjectEdge: number, regionEdge: number): number {
  return (MANIFOLD_CROSSING | (subjectEdge & EDGE_MASK) | ((regionEdge & EDGE_MASK) << MANIFOLD_EDGE_BITS)) >>> 0;
}

/**
 * Adds a point of the subject's surface unless it is farther than `maxDistance` from what of the region's plane lies under or
 * over it.
 */
function offer(
  u: number,
  v: number,
  h: number,
  region: ContactFace,
  isB: boolean,
  id: number,
  name: number,
  maxDistance: number,
): void {
  const height = heightOf(region, u, v);
  const distance = isB ? h - height : height - h;
  offerCorner(u, v, isB ? height : h, distance, id, name, maxDistance, SAME);
}

function heightOf({ anchor, slopeU, slopeV }: ContactFace, u: number, v: number): number {
  return anchor.z + slopeU * (u - anchor.x) + slopeV * (v - anchor.y);
}

/** Two lines side by side: the ends of where they overlap. */
function addLineCorners(faceA: ContactFace, faceB: ContactFace, maxDistance: number): void {
  const { p: halfA, middle: middleA } = faceA;
  const { p: halfB, middle: middleB } = faceB;
  const size = Math.sqrt(halfA.x * halfA.x + halfA.y * halfA.y);
  if (size < SAME) return;
  const axisU = halfA.x / size;
  const axisV = halfA.y / size;
  const centre = (middleB.x - middleA.x) * axisU + (middleB.y - middleA.y) * axisV;
  const spanB = halfB.x * axisU + halfB.y * axisV;
  const low = Math.max(-size, centre - Math.abs(spanB));
  const high = Math.min(size, centre + Math.abs(spanB));
  if (low > high) return;
  const bends = faceA.bend + faceB.bend;
  const share = bends > 0 ? faceA.bend / bends : 0.5;
  const band = 2 * MANIFOLD_NAME_SHARE * Math.min(size, Math.abs(spanB));
  for (const isHigh of [false, true]) {
    const at = isHigh ? high : low;
    const isEndOfA = (isHigh ? at : -at) >= size - band;
    const alongB = Math.abs(spanB) > 1e-300 ? Math.min(Math.max((at - centre) / spanB, -1), 1) : 0;
    const onAU = middleA.x + halfA.x * (at / size);
    const onAV = middleA.y + halfA.y * (at / size);
    const u = onAU + (middleB.x + halfB.x * alongB - onAU) * share;
    const v = onAV + (middleB.y + halfB.y * alongB - onAV) * share;
    const heightA = lineHeight(faceA, u, v);
    const heightB = lineHeight(faceB, u, v);
    const id = isEndOfA ? Number(isHigh) : MANIFOLD_VERTEX + Number(isHigh === spanB >= 0);
    // Nowhere near is not a number.
    offerCorner(u, v, heightA, heightB - heightA, id, id, maxDistance, SAME);
  }
}

/**
 * Where the surface around a line is at u, v: on the cylinder or, beyond the line's ends, the ball there. NaN where it
 * is nowhere.
 */
function lineHeight(face: ContactFace, u: number, v: number): number {
  const { p: half, middle, bend, side, isCapped } = face;
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

/** What a corner is in terms of the shapes, whichever face was clipped against the other: see types.ts. Unsigned. */
function pointFeature(faceA: ContactFace, faceB: ContactFace, id: number): number {
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
