/**
 * The search of src/cpu/arcs.ts. A height is how far a point of one body is beyond a support plane of the other one, in
 * the other one's frame.
 */
import { ARC_STEPS, ARC_TIE_ULPS } from '../../generated/constants.ts';
import type { GaussMap } from '../../shapes/gauss-map.ts';
import { EPSILON } from '../math.ts';
import type { Pair } from '../pair.ts';
import { recorder } from '../recorder.ts';
import { type KnownVertices, addKnown, addLowest, createKnown, placeBodies } from './known.ts';

export const NOTHING = 0;
export const FACE = 1;
const ARC = 2;

/** What the search found. */
export const search = {
  /** The greatest of the least heights. */
  best: 0,
  /** No direction has a greater one. */
  upper: 0,
  /** Whether a face or an arc has it, which one, and of which body. */
  winner: NOTHING,
  index: 0,
  isOfB: false,
  /** The lowest vertex of the other body. Over an arc there are two that are equally low. */
  vertex: 0,
  otherVertex: 0,
  /** For an arc: the place on its chord, from 0 to 1. */
  at: 0,
};

const TIE = ARC_TIE_ULPS * EPSILON;

const verticesA = createKnown();
const verticesB = createKnown();

/**
 * Tries the faces of both bodies, and the arcs of B if `arcsOfB`, otherwise of A. `ids` are vertices to begin with, of A
 * and B alternately, at least one of each. `lower` is a height that some direction is known to have.
 */
export function searchDirections(
  pair: Pair,
  mapA: GaussMap,
  mapB: GaussMap,
  arcsOfB: boolean,
  { ids, count }: { ids: Float64Array; count: number },
  lower: number,
): void {
  placeBodies(pair, verticesA, verticesB);
  for (let i = 0; i < count; i++) {
    addKnown(verticesA, ids[2 * i]);
    addKnown(verticesB, ids[2 * i + 1]);
  }
  search.winner = NOTHING;
  // Less than `lower`, so that a face or an arc that is no higher is found too.
  search.best = lower - TIE;
  search.upper = -Infinity;
  if (arcsOfB) {
    tryFaces(mapA, pair.coreA.scale, verticesB, false);
    tryFaces(mapB, pair.coreB.scale, verticesA, true);
    tryArcs(mapB, pair.coreB.scale, verticesA, true);
  } else {
    tryFaces(mapB, pair.coreB.scale, verticesA, true);
    tryFaces(mapA, pair.coreA.scale, verticesB, false);
    tryArcs(mapA, pair.coreA.scale, verticesB, false);
  }
  search.upper = Math.max(search.upper, search.best + TIE);
}

/**
 * For each face of the body that was tried last: a known vertex of the other body, no higher there than the best, and
 * its height.
 */
let kept = new Uint32Array(64);
let heights = new Float64Array(64);

function tryFaces({ normals, offsets }: GaussMap, factor: number, known: KnownVertices, isOfB: boolean): void {
  const faceCount = offsets.length;
  if (kept.length < faceCount) {
    kept = new Uint32Array(2 * faceCount);
    heights = new Float64Array(2 * faceCount);
  }
  const keptAt = kept;
  const heightAt = heights;
  let { positions, count } = known;
  let { best } = search;
  let k = 0;
  for (let i = 0; i < faceCount; i++) {
    const x = normals[3 * i];
    const y = normals[3 * i + 1];
    const z = normals[3 * i + 2];
    const offset = offsets[i] * factor;
    // Consecutive faces are mostly neighbours: the last one's vertex often rules this one out.
    let height = x * positions[3 * k] + y * positions[3 * k + 1] + z * positions[3 * k + 2] - offset;
    for (let other = count; height > best && other > 0;) {
      k = --other;
      height = x * positions[3 * k] + y * positions[3 * k + 1] + z * positions[3 * k + 2] - offset;
    }
    if (height > best) {
      k = addLowest(known, x, y, z);
      ({ positions, count } = known);
      height = x * positions[3 * k] + y * positions[3 * k + 1] + z * positions[3 * k + 2] - offset;
      if (height > best) {
        best = height;
        keep(height, FACE, i, isOfB, known.numbers[k]);
        if (recorder) recorder.arcsFace(isOfB, i, height, known.numbers[k]);
      }
    }
    keptAt[i] = k;
    heightAt[i] = height;
  }
}

function keep(height: number, winner: number, index: number, isOfB: boolean, vertex: number): void {
  search.best = height;
  search.winner = winner;
  search.index = index;
  search.isOfB = isOfB;
  search.vertex = vertex;
}

/**
 * The vertices that were kept for the ends of an arc are no higher there than the best. A better direction can only be
 * where both are higher. If they are not higher where their heights are equal, there is none: between two directions,
 * the height of a vertex has no greatest value where it is negative.
 */
function tryArcs(map: GaussMap, factor: number, known: KnownVertices, isOfB: boolean): void {
  const { normals, arcs } = map;
  const keptAt = kept;
  const heightAt = heights;
  for (let i = 0; i < arcs.length; i += 2) {
    const from = arcs[i];
    const to = arcs[i + 1];
    const left = keptAt[from];
    const right = keptAt[to];
    if (left === right) continue;
    const { positions } = known;
    const x = positions[3 * right] - positions[3 * left];
    const y = positions[3 * right + 1] - positions[3 * left + 1];
    const z = positions[3 * right + 2] - positions[3 * left + 2];
    const rise = normals[3 * from] * x + normals[3 * from + 1] * y + normals[3 * from + 2] * z;
    if (rise <= 0) continue;
    const fall = -(normals[3 * to] * x + normals[3 * to + 1] * y + normals[3 * to + 2] * z);
    if (fall <= 0) continue;
    // Heights are negative where bodies overlap, and vectors of the chord are shorter than 1: over the arc it is lower.
    const crossing = heightAt[from] * fall + (heightAt[to] + fall) * rise;
    if (crossing > (search.best + TIE) * (rise + fall)) searchArc(map, factor, known, i >> 1, isOfB);
  }
}

/** The height of a known vertex over a face. */
function heightOver(
  { normals, offsets }: GaussMap,
  factor: number,
  i: number,
  known: KnownVertices,
  k: number,
): number {
  const { positions } = known;
  return (
    normals[3 * i] * positions[3 * k] +
    normals[3 * i + 1] * positions[3 * k + 1] +
    normals[3 * i + 2] * positions[3 * k + 2] -
    offsets[i] * factor
  );
}

function searchArc(map: GaussMap, factor: number, known: KnownVertices, arc: number, isOfB: boolean): void {
  const { normals, arcs } = map;
  const from = arcs[2 * arc];
  const to = arcs[2 * arc + 1];
  const last = kept[to];
  let left = kept[from];
  let right = last;
  for (let step = 1; ; step++) {
    const leftAtStart = heightOver(map, factor, from, known, left);
    const leftAtEnd = heightOver(map, factor, to, known, left);
    const rise = heightOver(map, factor, from, known, right) - leftAtStart;
    const fall = leftAtEnd - heightOver(map, factor, to, known, right);
    // Otherwise one of the two is no higher than the best over all that remains of the arc.
    if (rise > 0 && fall > 0) {
      const t = rise / (rise + fall);
      const x = normals[3 * from] + t * (normals[3 * to] - normals[3 * from]);
      const y = normals[3 * from + 1] + t * (normals[3 * to + 1] - normals[3 * from + 1]);
      const z = normals[3 * from + 2] + t * (normals[3 * to + 2] - normals[3 * from + 2]);
      const toUnit = 1 / Math.sqrt(x * x + y * y + z * z);
      // Nowhere on the arc are both higher.
      const crossing = leftAtStart + t * (leftAtEnd - leftAtStart);
      if (recorder) recorder.arc(isOfB, arc, t, crossing * toUnit, known.numbers[left], known.numbers[right]);
      if (crossing * toUnit > search.best + TIE) {
        if (step > ARC_STEPS) {
          search.upper = Math.max(search.upper, crossing * toUnit);
          return;
        }
        const next = addLowest(known, x, y, z);
        const atStart = heightOver(map, factor, from, known, next);
        const height = atStart + t * (heightOver(map, factor, to, known, next) - atStart);
        if (height < crossing - TIE) {
          right = next;
          continue;
        }
        // Nothing is lower there: what remains of the arc is beyond the crossing.
        search.upper = Math.max(search.upper, crossing * toUnit);
        const least = Math.min(height, crossing) * toUnit;
        if (least > search.best) {
          keep(least, ARC, arc, isOfB, known.numbers[left]);
          search.otherVertex = known.numbers[right];
          search.at = t;
        }
      }
    }
    if (right === last) return;
    left = right;
    right = last;
  }
}
