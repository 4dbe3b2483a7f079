/** The answer of two bodies at rest by their nearest parts. */
import { findPartPairs } from '../bvh/find-part-pairs.ts';
import type { TreePair } from '../bvh/descent.ts';
import { nearestParts } from '../bvh/nearest-parts.ts';
import type { Walk } from '../bvh/walk.ts';
import { copy, length, set, transform, vec3, type Vec3 } from '../cpu/math.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { decided } from '../cpu/queries/result.ts';
import { toleranceOfPair } from '../shapes/tolerances.ts';
import type { Rest, Work } from '../util/turns.ts';
import { addCandidate, type Candidates } from './candidates.ts';
import type { KnownAnswer } from './known-answer.ts';
import type { PartPlaces } from './part-geometry.ts';
import { makeGapExact } from './surface/surface-pair.ts';
import { mayHaveSurface, setParts, type SearchState } from './search-state.ts';

/** More than the tolerance of any kernel, as a share of the sizes of both bodies. */
const FILTER_SLACK = 2e-4;

/** How far apart parts may be for the backend to answer for them, if their boxes are at most `most` apart. */
function farthestParts({ a, b }: PairPlaces, most: number): number {
  return most + FILTER_SLACK * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale);
}

/** Adds all pairs of parts that are at most `most` apart, and some that are farther apart. */
export function addAll(state: SearchState, trees: TreePair, pair: number, candidates: Candidates, most: number): Rest {
  const { places, bounds, walk } = state;
  const limit = farthestParts(places, most);
  const ofSurface = mayHaveSurface(places) ? bounds : undefined;
  ofSurface?.begin();
  const add = (partA: number, partB: number): void => {
    if (ofSurface && ofSurface.boundOf(partA, partB) < -limit) return;
    addCandidate(candidates, pair, partA, partB);
  };
  return findPartPairs(trees, most, add, walk, false);
}

/**
 * Finds the nearest parts. Writes the answer to `known` and returns true; or adds the pairs of parts whose boxes meet to
 * `candidates` and returns false, if contacts of bodies that overlap are asked for.
 */
export function* searchNearest(
  state: SearchState,
  trees: TreePair,
  pair: number,
  candidates: Candidates,
  known: KnownAnswer,
): Work<boolean> {
  const { what, places, distances, nearest, direction, far, last, findDeepest, walk } = state;
  const { query, margin, leadStage } = what;
  const { geometry } = places;
  far.distance = Infinity;
  const measure = (partA: number, partB: number, most: number): number => {
    const gap = distances.distance(partA, partB, most, direction);
    if (gap > margin && gap < far.distance) {
      far.distance = gap;
      copy(direction, far.normal);
    }
    return gap;
  };
  const limit = Math.min(margin, lastDistance(state, pair));
  const heights = geometry.areMeshes(places) ? distances.heights : undefined;
  const search = nearestParts(trees, measure, { limit, slack: slackOf(places), heights }, nearest, walk);
  if (search) yield* search;
  if (nearest.distance === Infinity) {
    writeFar(places, walk, far, known);
    return true;
  }
  if (nearest.distance <= 0 && query === 'contacts') {
    // Parts that touch, and whose contacts are apart by rounding.
    if (findDeepest && mayHaveSurface(places) && (yield* findDeepest(known, toleranceOf(places)))) return true;
    const rest = addAll(state, trees, pair, candidates, 0);
    if (rest) yield* rest;
    return false;
  }
  const { partA, partB } = nearest;
  setParts(known, partA, partB);
  if (last) {
    last[2 * pair] = partA;
    last[2 * pair + 1] = partB;
  }
  if (query === 'intersects' || nearest.distance <= 0) decided(nearest.distance, margin, 1, known.result);
  else {
    const isContact = query === 'contacts';
    geometry[isContact ? 'contact' : 'distance'](places, partA, partB, { margin, leadStage }, known.result);
    if (isContact && known.result.hit && geometry.surface.hasSurface(places))
      makeGapExact(places, partA, partB, margin, known.result);
  }
  return true;
}

/** The distance of the parts that decided last time, and a little more; Infinity if that is not known. */
function lastDistance({ last, places, distances, direction, walk }: SearchState, pair: number): number {
  if (!last) return Infinity;
  const { a, b } = places;
  const partA = last[2 * pair];
  const partB = last[2 * pair + 1];
  const { partCount } = places.geometry;
  // They may be parts of other shapes, which were there before.
  if (!(partA >= 0 && partA < partCount(a.shape) && partB >= 0 && partB < partCount(b.shape))) return Infinity;
  walk.partTests++;
  return distances.distance(partA, partB, Infinity, direction) + toleranceOf(places);
}

/** More than the rounding of the distance of two triangles, as a share of their coordinates. */
const TRIANGLE_ROUNDING = 2 ** -44;

/** Two distances that differ by no more than this are equal to within the errors of the reference. */
function slackOf(places: PartPlaces): number {
  if (isCurvedPair(places)) return toleranceOf(places);
  const { a, b, offset } = places;
  return TRIANGLE_ROUNDING * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale + length(offset));
}

/** The error of a distance of the reference. */
function toleranceOf(places: PartPlaces): number {
  const { a, b } = places;
  const size = a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale;
  return toleranceOfPair('reference', isCurvedPair(places), false) * size;
}

function isCurvedPair({ a, b, geometry }: PartPlaces): boolean {
  return geometry.isCurved(a.shape) || geometry.isCurved(b.shape);
}

const axis = vec3();

/**
 * The answer for bodies whose parts are all farther apart than the margin: the least bound of the boxes that were cut off,
 * and of the parts that were measured.
 */
function writeFar({ a }: PairPlaces, walk: Walk, far: { distance: number; normal: Vec3 }, to: KnownAnswer): void {
  const { result } = to;
  setParts(to, 0, 0);
  decided(1, 0, 1, result);
  result.distance = result.lower = Math.min(walk.bound, far.distance);
  result.upper = 1e30;
  if (far.distance <= walk.bound) copy(far.normal, result.normal);
  else transform(a.rotation, set(walk.axis[0], walk.axis[1], walk.axis[2], axis), result.normal);
}
