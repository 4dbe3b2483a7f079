/** Triangle pairs beside the oracle: what is wrong with the answers of the mirror, and which branches gave them. */

import { createTriangleDistance, triangleDistance } from '../../src/cpu/triangle-distance.ts';
import {
  createTriangleIntersection,
  triangleIntersection,
  trianglesIntersect,
} from '../../src/cpu/triangle-intersection.ts';
import { axisOfNormal } from '../../src/cpu/triangle-intersection/coplanar.ts';
import {
  MEETING_COPLANAR,
  MEETING_CROSSING,
  MEETING_PIERCING,
  createMeeting,
  meetTriangles,
} from '../../src/cpu/triangle-intersection/meeting.ts';
import { preciseVolume } from '../../src/cpu/triangle-intersection/precise.ts';
import { NEXT } from '../../src/cpu/triangle-intersection/predicates.ts';
import type { TrianglePair } from '../../verification/families/triangle-pairs.ts';
import { triangleGap, triangleOverlap, type NearestFeatures } from '../../verification/oracle/triangles.ts';

type Numbers = ArrayLike<number>;

export function distanceOf(p: Numbers, q: Numbers): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/** The greatest distance of two corners. */
export function extentOf([a, b]: TrianglePair): number {
  const corners = [0, 3, 6].flatMap((at) => [a.slice(at, at + 3), b.slice(at, at + 3)]);
  return Math.max(...corners.flatMap((p) => corners.map((q) => distanceOf(p, q))));
}

/** What rounds the coordinates of a point near both triangles: a share of the extent, or of their distance from 0. */
export function pointTolerance(pair: TrianglePair, ofExtent: number, ofCoordinates: number): number {
  return ofExtent * extentOf(pair) + ofCoordinates * Math.max(...pair.flat().map(Math.abs));
}

/** A triangle with its corners turned, and in reverse order. */
export function reordered(t: readonly number[]): number[][] {
  const [p, q, r] = [t.slice(0, 3), t.slice(3, 6), t.slice(6)];
  return [
    [q, r, p],
    [r, p, q],
    [r, q, p],
  ].map((corners) => corners.flat());
}

/** The same pair with triangles swapped and corners in other orders. */
export function reorderedPairs([a, b]: TrianglePair): TrianglePair[] {
  return [[b, a], ...reordered(a).map((t): TrianglePair => [t, b]), ...reordered(b).map((t): TrianglePair => [a, t])];
}

const intersection = createTriangleIntersection();
const nearest = createTriangleDistance();
const meeting = createMeeting();

/** Faults of `trianglesIntersect` and `triangleIntersection`. */
export function intersectionFaults(pair: TrianglePair): string[] {
  const [a, b] = pair;
  const truth = triangleOverlap(a, b);
  const faults: string[] = [];
  triangleIntersection(a, b, intersection);
  const { isHit, isCoplanar, segment } = intersection;
  if (isHit !== truth.isHit) faults.push(`isHit is ${isHit}`);
  if (isCoplanar !== truth.isCoplanar) faults.push(`isCoplanar is ${isCoplanar}`);
  for (const [s, t] of [pair, ...reorderedPairs(pair)])
    if (trianglesIntersect(s, t) !== truth.isHit) faults.push(`${truth.isHit ? 'no' : 'a'} hit in another order`);
  const [start, end] = [Array.from(segment.subarray(0, 3)), Array.from(segment.subarray(3))];
  if (!truth.isHit) {
    if (segment.some((x) => x !== 0)) faults.push(`the segment is ${segment.join()}`);
    return faults;
  }
  const ofEnds = pointTolerance(pair, 1e-12, 4e-16);
  for (const point of [start, end]) {
    const off = Math.min(...truth.points.map((p) => distanceOf(p, point)));
    if (off > ofEnds) faults.push(`an end is ${off} off the nearest extreme point`);
  }
  const longest = Math.max(...truth.points.flatMap((p) => truth.points.map((q) => distanceOf(p, q))));
  const length = distanceOf(start, end);
  if (Math.abs(length - longest) > 2 * ofEnds) faults.push(`the segment is ${length} long, not ${longest}`);
  if (truth.dimension === 0 && length !== 0) faults.push(`a point is ${length} long`);
  return faults;
}

/** Faults of `triangleDistance`. */
export function distanceFaults(pair: TrianglePair): string[] {
  const [a, b] = pair;
  const { distance: truth } = triangleGap(a, b);
  const faults: string[] = [];
  const distance = triangleDistance(a, b, nearest);
  const { pointA, pointB } = nearest;
  if (nearest.distance !== distance) faults.push(`it returns ${distance} and writes ${nearest.distance}`);
  if ((distance === 0) !== (truth === 0)) faults.push(`the distance is ${distance}, the oracle's ${truth}`);
  const tolerance = 1e-14 * extentOf(pair);
  if (!(Math.abs(distance - truth) <= tolerance)) faults.push(`the distance is ${distance}, not ${truth}`);
  const ofPoints = pointTolerance(pair, 2e-15, 4e-16);
  if (!(Math.abs(distanceOf(pointA, pointB) - distance) <= ofPoints)) faults.push('the points are not as far apart');
  for (const [point, t] of [[pointA, a] as const, [pointB, b] as const]) {
    const off = triangleGap([...point, ...point, ...point], t).distance;
    if (off > ofPoints) faults.push(`a point is ${off} off its triangle`);
  }
  if (distance === 0 && distanceOf(pointA, pointB) !== 0) faults.push('the common point is two');
  for (const [s, t] of reorderedPairs(pair)) {
    const other = triangleDistance(s, t, nearest);
    if (!(Math.abs(other - truth) <= tolerance)) faults.push(`the distance is ${other} in another order, not ${truth}`);
  }
  return faults;
}

/** The branches of the mirror that decide about a pair. */
export function branchesOf([a, b]: TrianglePair): string[] {
  const isHit = meetTriangles(a, b, meeting);
  const { kind, sidesA, sidesB, heightsA, heightsB, isTouching, isSegmentA } = meeting;
  const branches: string[] = [];
  if (!isHit) branches.push(meeting.isCoplanar ? 'apart in a plane' : 'apart');
  if (kind === MEETING_COPLANAR) {
    const hasAxis = axisOfNormal(a) ?? axisOfNormal(b);
    branches.push(hasAxis === undefined ? 'coplanar without an inside' : 'coplanar');
  }
  if (kind === MEETING_PIERCING) branches.push(isSegmentA ? 'a segment through B' : 'a segment through A');
  if (kind !== MEETING_CROSSING) return branches;
  branches.push(isTouching ? 'intervals touch' : 'intervals overlap');
  for (const { sides, corner } of [sidesA, sidesB]) {
    if (sides[corner] === 0) branches.push('a corner in the plane');
    if (sides.filter((side) => side === 0).length === 2) branches.push('an edge in the plane');
  }
  for (const [t, plane, heights, { corner, sides }] of [
    [a, b, heightsA, sidesA] as const,
    [b, a, heightsB, sidesB] as const,
  ]) {
    if (heights.subarray(0, 3).some((height) => Math.abs(height) <= heights[3])) branches.push('exact sides');
    const end = NEXT[corner];
    if (sides[corner] === 0 || sides[end] === 0) continue;
    const span = Math.abs(heights[corner]) + Math.abs(heights[end]);
    const precise = Math.abs(preciseVolume(plane, t, 3 * corner)) + Math.abs(preciseVolume(plane, t, 3 * end));
    if (heights[3] > span) branches.push('heights that cancel');
    if (heights[3] > 2 ** 8 * precise) branches.push('precise volumes that cancel');
  }
  return branches;
}

/** What is nearest, for the same purpose. */
export function featuresOf([a, b]: TrianglePair): NearestFeatures {
  return triangleGap(a, b).features;
}

export function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/**
 * How far one of two triangles that meet has to be moved to part them, by the overlap along directions in which
 * touching triangles can be parted. It is at most that much.
 */
export function partingDistance([a, b]: TrianglePair): number {
  const edges = [a, b].flatMap((t) => [0, 3, 6].map((p) => [0, 1, 2].map((k) => t[((p + 3) % 9) + k] - t[p + k])));
  const offsets = [0, 3, 6].map((p) => [0, 1, 2].map((k) => b[p + k] - a[k]));
  const normals = edges.flatMap((u) => [...edges, ...offsets].map((v) => cross(u, v)));
  const directions = [...edges, ...offsets, ...normals, ...normals.flatMap((n) => edges.map((u) => cross(n, u)))];
  let least = Infinity;
  for (const direction of directions) {
    const length = Math.hypot(...direction);
    if (length === 0) continue;
    const along = (t: readonly number[]): number[] =>
      [0, 3, 6].map((p) => (t[p] * direction[0] + t[p + 1] * direction[1] + t[p + 2] * direction[2]) / length);
    const [alongA, alongB] = [along(a), along(b)];
    least = Math.min(least, Math.max(...alongA) - Math.min(...alongB), Math.max(...alongB) - Math.min(...alongA));
  }
  return least;
}

function cross(u: readonly number[], v: readonly number[]): number[] {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}
