/**
 * Mirror of shaders/arcs.wgsl and shaders/arcs: the depth of two overlapping polytopes by the arcs of their Gauss maps.
 * It departs from the kernel in three ways:
 *
 * - It compares with all vertices that it knows, not with eight, and keeps one for each face, from which the arcs go on.
 * - Witness points are a vertex and its foot on a face, or the crossing of two edges. The kernel searches the vertices
 *   that are level with the support, and takes a second normal if the first one has no points.
 * - Pairs that touch are left to EPA.
 */
import type { GaussMap } from '../shapes/gauss-map.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { FACE, NOTHING, search, searchDirections } from './arcs/search.ts';
import { edgeWitness, faceWitness } from './arcs/witness.ts';
import { type Vec3, addScaled, dot, length, scale, set, subtract, transform, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import type { Simplex } from './simplex.ts';
import { createPoint, differenceSupport } from './support.ts';

export interface ArcsResult {
  /** The least height of B - A along the unit vector `normal`, and an upper bound of that along any other. */
  normal: Vec3;
  lower: number;
  upper: number;
  /** Whether there are points of the cores that are opposite each other along the normal. */
  hasPoints: boolean;
  onA: Vec3;
  onB: Vec3;
}

export function createArcsResult(): ArcsResult {
  return { normal: vec3(), lower: 0, upper: 0, hasPoints: false, onA: vec3(), onB: vec3() };
}

/**
 * Bodies are at most 4 units wide together. The Gauss map of a hull is that of its vertices on a lattice of at least 2^46
 * steps per width. Off it they are by up to 0.9 steps, those of flat hulls by a few. Both the planes of the map and the
 * vertices count: 4 steps together, with a margin.
 */
const MAP_SLACK = 2 ** -40;

const opposite = vec3();
const lowest = createPoint();
const end = vec3();

/** On entry `result` has a known normal and its least height as `lower`. */
export function arcs(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  simplex: Pick<Simplex, 'ids' | 'count'>,
  result: ArcsResult,
): ArcsResult {
  const [mapA, mapB] = [shapeA.gaussMap, shapeB.gaussMap];
  result.hasPoints = false;
  // The arcs of one body are enough: those of the body that has fewer.
  const arcsOfB = mapA.arcs.length === 0 || (mapB.arcs.length > 0 && mapB.arcs.length < mapA.arcs.length);
  if (mapA.arcs.length + mapB.arcs.length === 0) {
    // Nothing is known but that the pair overlaps.
    result.upper = 0;
    return result;
  }
  if (recorder) recorder.arcsStart(pair, mapA, mapB, arcsOfB, result.lower);
  searchDirections(pair, mapA, mapB, arcsOfB, simplex, result.lower);
  const { normal } = result;
  const { winner, index, isOfB } = search;
  const map = isOfB ? mapB : mapA;
  const upper = search.upper + MAP_SLACK;
  result.upper = Math.max(upper, result.lower);
  if (winner === NOTHING) {
    if (recorder) recorder.arcsEnd(result);
    return result;
  }
  if (winner === FACE) {
    normalAt(pair, map, index, isOfB, normal);
  } else {
    normalAt(pair, map, map.arcs[2 * index], isOfB, normal);
    normalAt(pair, map, map.arcs[2 * index + 1], isOfB, end);
    addScaled(normal, subtract(end, normal, end), search.at, normal);
    scale(normal, 1 / length(normal), normal);
  }
  // What supports make of the normal is certain, whatever rounding did before.
  result.lower = dot(normal, differenceSupport(pair, scale(normal, -1, opposite), lowest).position);
  result.upper = Math.max(upper, result.lower);
  result.hasPoints = winner === FACE ? faceWitness(pair, map, search, result) : edgeWitness(pair, map, search, result);
  if (recorder) recorder.arcsEnd(result);
  return result;
}

/** The outward normal of A, or the inward one of B, in A's frame. */
function normalAt({ rotation }: Pair, { normals }: GaussMap, i: number, isOfB: boolean, to: Vec3): Vec3 {
  set(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2], to);
  return isOfB ? scale(transform(rotation, to, to), -1, to) : to;
}
