/** Mirror of shaders/manifold/clip.wgsl: corners of the region where two contact faces lie over each other. */
import {
  MANIFOLD_INSIDE_ULPS,
  MANIFOLD_NAME_SHARE,
  MANIFOLD_SAME_ULPS,
  MANIFOLD_VERTEX,
  NO_EDGE,
} from '../../generated/constants.ts';
import { type ContactFace, faceEdge, faceVertex } from '../contact-face/face.ts';
import { CORNER_EPSILON, makeRoom, offerCorner, type Place } from '../corners.ts';
import { type Vec3, vec3 } from '../math.ts';
import { crossingId } from './features.ts';

const INSIDE = MANIFOLD_INSIDE_ULPS * CORNER_EPSILON;
const SAME = MANIFOLD_SAME_ULPS * CORNER_EPSILON;

const border = { startU: 0, startV: 0, alongU: 0, alongV: 0 };
const edgeStart = vec3();
const edgeEnd = vec3();

export function cross2(aU: number, aV: number, bU: number, bV: number): number {
  return aU * bV - aV * bU;
}

/** The region's edge that an edge crosses, and the heights of both ends over it. */
interface Crossing {
  edge: number;
  heightStart: number;
  heightEnd: number;
}

export interface Clip {
  /** Whether the start is over the region. */
  isOver: boolean;
  /** The region's vertex that is so near that the start has its name. */
  namesake: number;
}

const enter: Crossing = { edge: NO_EDGE, heightStart: 0, heightEnd: 0 };
const leave: Crossing = { edge: NO_EDGE, heightStart: 0, heightEnd: 0 };
const clipped: Clip = { isOver: false, namesake: NO_EDGE };

/** Adds the subject's vertices over the region, and the crossings of its edges with the region's. */
export function addCorners(
  subject: ContactFace,
  region: ContactFace,
  isB: boolean,
  withCrossings: boolean,
  maxDistance: number,
): void {
  const owner = isB ? MANIFOLD_VERTEX : 0;
  const { count } = subject;
  for (let i = 0; i < count; i++) {
    faceVertex(subject, i, edgeStart);
    // A line has one edge, a point none.
    faceVertex(subject, count === 2 ? 1 : (i + 1) % count, edgeEnd);
    const { isOver, namesake } = clipEdge(region, edgeStart, edgeEnd, withCrossings);
    makeRoom();
    const id = owner + i;
    if (isOver) {
      const name = isB && namesake !== NO_EDGE ? namesake : id;
      offerCorner(placeOver(region, edgeStart.x, edgeStart.y, edgeStart.z, isB), id, name, maxDistance, SAME);
    }
    if (enter.edge !== NO_EDGE) addCrossing(subject, region, i, enter, isB, maxDistance);
    if (leave.edge !== NO_EDGE) addCrossing(subject, region, i, leave, isB, maxDistance);
  }
}

/**
 * Clips the edge from `start` to `end` against the region's edges. Whether it crosses one of them is decided for each
 * alone, by the sides of either edge that the ends of the other are on. The places of crossings can't be compared
 * reliably if the edges of a sharp tip run along each other, and a point that is barely outside both of those edges need
 * not be near the tip. The result is valid until the next call.
 */
export function clipEdge(region: ContactFace, start: Vec3, end: Vec3, withCrossings: boolean): Clip {
  const slack = INSIDE * region.cosine;
  const edgeU = end.x - start.x;
  const edgeV = end.y - start.y;
  const edgeSquare = edgeU * edgeU + edgeV * edgeV;
  const edgeSlack = slack * (Math.abs(edgeU) + Math.abs(edgeV));
  let isOut = false;
  let isNear = false;
  let nearest = Infinity;
  let namesake = NO_EDGE;
  enter.edge = leave.edge = NO_EDGE;
  for (let edge = 0; edge < region.count; edge++) {
    const { startU, startV, alongU, alongV } = faceEdge(region, edge, edge + 1 === region.count ? 0 : edge + 1, border);
    const { side } = region;
    const fromU = start.x - startU;
    const fromV = start.y - startV;
    const square = alongU * alongU + alongV * alongV;
    // Heights have the border's length as a factor. So has the slack, within a factor of 1.4.
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
    // Heights of the border's ends over the subject's edge.
    const low = cross2(fromU, fromV, edgeU, edgeV);
    const high = low - cross2(alongU, alongV, edgeU, edgeV);
    if (Math.min(low, high) > edgeSlack || Math.max(low, high) < -edgeSlack) continue;
    const crossing = heightStart < 0 ? enter : leave;
    crossing.edge = edge;
    crossing.heightStart = heightStart;
    crossing.heightEnd = heightEnd;
  }
  clipped.isOver = isNear || !isOut;
  clipped.namesake = namesake;
  return clipped;
}

/** Adds the crossing of the subject's edge, from `edgeStart` to `edgeEnd`, with one of the region's. */
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
  const edgeU = edgeEnd.x - edgeStart.x;
  const edgeV = edgeEnd.y - edgeStart.y;
  const square = alongU * alongU + alongV * alongV;
  const edgeSquare = edgeU * edgeU + edgeV * edgeV;
  let t = Math.min(Math.max(heightStart / (heightStart - heightEnd), 0), 1);
  let u = edgeStart.x + edgeU * t;
  let v = edgeStart.y + edgeV * t;
  // Edges that run along each other cross anywhere, but not beyond the end of the region's edge.
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
  const over = placeOver(region, u, v, edgeStart.z + (edgeEnd.z - edgeStart.z) * t, isB);
  offerCorner(over, id, name, maxDistance, SAME);
}

/** The end of an edge that a point at `share` of its length is near. */
function vertexNear(share: number, band: number, first: number, last: number): number {
  return share <= band ? first : share >= 1 - band ? last : NO_EDGE;
}

const place: Place = { u: 0, v: 0, h: 0, distance: 0 };

/**
 * The place of a corner from a point of the subject's surface: u, v, h on A's surface, and the distance to B's. The
 * other surface is the region's plane, under a point of B or over a point of A. The result is valid until the next call.
 */
export function placeOver(
  { anchor, slopeU, slopeV }: ContactFace,
  u: number,
  v: number,
  h: number,
  isB: boolean,
): Readonly<Place> {
  const height = anchor.z + slopeU * (u - anchor.x) + slopeV * (v - anchor.y);
  place.u = u;
  place.v = v;
  place.h = isB ? height : h;
  place.distance = isB ? h - height : height - h;
  return place;
}
