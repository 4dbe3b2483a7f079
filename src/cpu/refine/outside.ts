/** Mirror of shaders/refine/outside.wgsl: witness points by GJK, with B moved out along the normal. */
import { REFINE_MISS, REFINE_ROOM, REFINE_ROUNDS } from '../../generated/constants.ts';
import { createEpaResult, type EpaResult } from '../epa.ts';
import { NO_GUESS, createGjkResult, gjk } from '../gjk.ts';
import { type Vec3, addScaled, copy, dot, length, scale, set, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { createPoint, differencePoint, differenceSupport } from '../support.ts';

const outside = createGjkResult();
const witness = createEpaResult();
const candidate = vec3();
const direction = vec3();
const found = createPoint();

/** Replaces the witness points, and the normal and the lower bound if those are better. */
export function lookFromOutside(pair: Pair, result: EpaResult): void {
  let miss = missOf(pair, result, result.normal, result.lower);
  for (let round = 0; round < REFINE_ROUNDS && miss > REFINE_MISS; round++) {
    moveOut(pair, result.normal, REFINE_ROOM - result.lower);
    result.iterations += outside.iterations + 1;
    copy(outside.normal, candidate);
    differenceSupport(pair, scale(candidate, -1, direction), found);
    const height = dot(candidate, found.position);
    if (height > result.lower) {
      result.lower = height;
      copy(candidate, result.normal);
    }
    takeWitness(witness);
    const outsideMiss = missOf(pair, witness, result.normal, result.lower);
    if (outsideMiss >= miss) break;
    miss = outsideMiss;
    takeWitness(result);
  }
}

/** GJK with B moved along the normal by `shift`, into `outside`. */
function moveOut(pair: Pair, normal: Vec3, shift: number): void {
  const { x, y, z } = pair.translation;
  addScaled(pair.translation, normal, shift, pair.translation);
  gjk(pair, Infinity, -1, NO_GUESS, outside);
  set(x, y, z, pair.translation);
}

/** Takes the nearest points of `outside`. */
function takeWitness({ ids, weights }: EpaResult): void {
  const { count, ids: from, weights: shares } = outside.simplex;
  for (let corner = 0; corner < 3; corner++) {
    const vertex = corner < count ? corner : 0;
    ids[2 * corner] = from[2 * vertex];
    ids[2 * corner + 1] = from[2 * vertex + 1];
  }
  set(shares[0], count > 1 ? shares[1] : 0, count > 2 ? shares[2] : 0, weights);
}

/** Distance between B's witness point and where it would be, if it were `lower` apart from A's along the normal. */
function missOf(pair: Pair, { ids, weights }: EpaResult, normal: Vec3, lower: number): number {
  set(0, 0, 0, candidate);
  for (let corner = 0; corner < 3; corner++) {
    const weight = corner === 0 ? weights.x : corner === 1 ? weights.y : weights.z;
    const { position } = differencePoint(pair, ids[2 * corner], ids[2 * corner + 1], found);
    addScaled(candidate, position, weight, candidate);
  }
  return length(addScaled(candidate, normal, -lower, candidate));
}
