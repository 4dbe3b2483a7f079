/** Mirror of shaders/gjk.wgsl: distance of two convex cores. */
import {
  CURVED_EXIT_ULPS,
  GJK_EXIT_ULPS,
  GJK_MAX_IDLE,
  GJK_MAX_ITERATIONS,
  GJK_TOUCH_ULPS,
  GJK_CONVERGED,
  GJK_ENCLOSED,
  GJK_FAR,
  GJK_NEAR,
  GJK_STALLED,
  GJK_TOUCHING,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, copy, dot, length, scale, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import { type Simplex, append, createSimplex, nearestOnSimplex } from './simplex.ts';
import { type Point, createPoint, differencePoint, differenceSupport, isCurvedPair, vertexCountOf } from './support.ts';

export interface GjkResult {
  /** One of the `GJK_` states. */
  state: number;
  iterations: number;
  /** Bounds of the cores' distance; `upper` is 0 when the simplex encloses the origin. */
  lower: number;
  upper: number;
  /** Unit vector from A to B that gave `lower`, in A's frame. */
  normal: Vec3;
  /** The last simplex; its weights give the nearest points. */
  simplex: Simplex;
}

export function createGjkResult(): GjkResult {
  return { state: GJK_STALLED, iterations: 0, lower: 0, upper: 0, normal: vec3(), simplex: createSimplex() };
}

const normal = vec3();
const opposite = vec3();
const nearest = vec3();
const next = createPoint();
/** Changes places with a result's simplex when it becomes that. */
let reduced = createSimplex();

/** No vertex has this number: those of curved cores take more bits than the kernels'. */
export const NO_ID = -1;

/** Four points of two numbers each. */
export const GUESS_LENGTH = 8;

/** The guess of those who have none. */
export const NO_GUESS = new Float64Array(GUESS_LENGTH).fill(NO_ID);

/**
 * Ends early once the distance is known to exceed `far` or to be at most `near` (negative: never). `guess` holds four
 * points to start from by their vertices' numbers, `NO_ID` after the last.
 */
export function gjk(pair: Pair, far: number, near: number, guess: Float64Array, result: GjkResult): GjkResult {
  const exit = (isCurvedPair(pair) ? CURVED_EXIT_ULPS : GJK_EXIT_ULPS) * EPSILON;
  const touch = GJK_TOUCH_ULPS * EPSILON;
  set(1, 0, 0, normal);
  const centres = length(pair.translation);
  if (centres > touch) scale(pair.translation, 1 / centres, normal);
  result.state = GJK_STALLED;
  copy(normal, result.normal);
  const first = next;
  let guesses = 0;
  if (isPoint(pair, guess, 0)) {
    differencePoint(pair, guess[0], guess[1], first);
    guesses = 4;
    result.iterations = 0;
    result.lower = -1e30;
  } else {
    differenceSupport(pair, scale(normal, -1, opposite), first);
    result.iterations = 1;
    result.lower = dot(normal, first.position);
  }
  result.upper = length(first.position);
  result.simplex.count = 0;
  append(result.simplex, first);
  result.simplex.weights[0] = 1;
  if (recorder) recorder.gjk(pair, normal, first, dot(normal, first.position), result);
  scale(first.position, 1 / Math.max(result.upper, 1e-300), normal);

  let idle = 0;
  for (let i = 1; i < GJK_MAX_ITERATIONS; i++) {
    if (result.lower > far) return end(result, GJK_FAR);
    if (result.upper <= near) return end(result, GJK_NEAR);
    if (result.upper <= touch) return end(result, GJK_TOUCHING);
    const isGuess = i < guesses && isPoint(pair, guess, i);
    if (isGuess) {
      differencePoint(pair, guess[2 * i], guess[2 * i + 1], next);
    } else {
      guesses = 0;
      differenceSupport(pair, scale(normal, -1, opposite), next);
      result.iterations++;
    }
    const height = dot(normal, next.position);
    if (recorder) recorder.gjk(pair, normal, next, height, result);
    if (isGuess && (result.upper - height <= exit || holds(result.simplex, next))) continue;
    // Bounds of one and the same normal: the best lower bound may come from an earlier one that is off by an angle.
    const hasConverged = result.upper - height <= exit;
    const isBetter = !isGuess && height > result.lower;
    if (isBetter || hasConverged) {
      result.lower = height;
      copy(normal, result.normal);
    }
    if (hasConverged) return end(result, result.lower > far ? GJK_FAR : GJK_CONVERGED);
    if (result.lower > far) continue;
    const { simplex } = result;
    if (holds(simplex, next)) return end(result, GJK_STALLED);
    append(simplex, next);
    if (nearestOnSimplex(simplex, nearest, reduced)) {
      result.upper = 0;
      return end(result, near >= 0 ? GJK_NEAR : GJK_ENCLOSED);
    }
    const size = length(nearest);
    // Near the end a turn of the normal shortens the nearest vector by its square only, and `lower` comes in zigzags.
    if (size >= result.upper && !isBetter && ++idle > GJK_MAX_IDLE) {
      simplex.count--;
      return end(result, GJK_STALLED);
    }
    result.simplex = reduced;
    reduced = simplex;
    result.upper = size;
    scale(nearest, 1 / Math.max(size, 1e-300), normal);
  }
  return end(result, GJK_STALLED);
}

function end(result: GjkResult, state: number): GjkResult {
  result.state = state;
  if (recorder) recorder.gjkEnd(result);
  return result;
}

/** Whether a guess names a point of this pair's difference: it may be of another pair. */
function isPoint({ coreA, coreB }: Pair, guess: Float64Array, i: number): boolean {
  return guess[2 * i] !== NO_ID && guess[2 * i] < vertexCountOf(coreA) && guess[2 * i + 1] < vertexCountOf(coreB);
}

/** The simplex as a guess for the next search of the same pair. */
export function storeGuess({ ids, count }: Simplex, to: Float64Array): void {
  for (let i = 0; i < GUESS_LENGTH; i++) to[i] = i < 2 * count ? ids[i] : NO_ID;
}

function holds({ ids, count }: Simplex, { idA, idB }: Point): boolean {
  for (let i = 0; i < 2 * count; i += 2) if (ids[i] === idA && ids[i + 1] === idB) return true;
  return false;
}
