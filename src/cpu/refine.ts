/** Mirror of shaders/refine.wgsl: the depth of curved pairs that EPA does not bracket. */
import {
  CLIMB_END,
  CLIMB_FAR,
  CLIMB_ROUNDS,
  CLIMB_SHRINK,
  CLIMB_START,
  REFINE_FACES,
  REFINE_MISS,
  REFINE_REACH,
  REFINE_ROOM,
  REFINE_ROUNDS,
  REFINE_SHRINK,
  REFINE_TILT,
} from '../generated/constants.ts';
import { createEpaResult, epa, type EpaResult } from './epa.ts';
import { NO_GUESS, createGjkResult, gjk } from './gjk.ts';
import {
  type Vec3,
  addScaled,
  copy,
  cross,
  distance,
  dot,
  length,
  perpendicular,
  scale,
  set,
  subtract,
  transform,
  vec3,
} from './math.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Pair } from './pair.ts';
import { polytope } from './polytope.ts';
import { createPoint, differencePoint, differenceSupport } from './support.ts';

/** What a polytope may have worse than the climb, for its witness points' sake; less than the kernels grant. */
const REFINE_LOSS = 2e-7;

const local = createEpaResult();
const outside = createGjkResult();
const simplex = { ids: new Float64Array(8), count: 4 };
const centre = vec3();
const across = vec3();
const along = vec3();
const candidate = vec3();
const direction = vec3();
const found = createPoint();

/** Makes the best of what EPA left. The upper bound stays, as it holds for all directions. */
export function refine(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, result: EpaResult): void {
  tryFaces(pair, shapeA, shapeB, result);
  climb(pair, result);
  let tilt = REFINE_TILT;
  let witnessed = -Infinity;
  for (let round = 0; round < REFINE_ROUNDS; round++, tilt *= REFINE_SHRINK) {
    around(pair, result.normal, tilt);
    epa(pair, simplex, centre, REFINE_REACH * tilt, local);
    result.iterations += local.iterations;
    // A polytope that misses the best normal still has better witness points than EPA, whose lie where its own normal
    // points.
    const isAsGood = local.lower >= result.lower - REFINE_LOSS;
    if (isAsGood || local.lower > witnessed) {
      witnessed = local.lower;
      result.ids.set(local.ids);
      copy(local.weights, result.weights);
    }
    if (!isAsGood) continue;
    result.lower = local.lower;
    copy(local.normal, result.normal);
  }
  let miss = missOf(pair, result);
  for (let round = 0; round < REFINE_ROUNDS && miss > REFINE_MISS; round++) {
    lookFromOutside(pair, result.normal, REFINE_ROOM - result.lower);
    result.iterations += outside.iterations + 1;
    copy(outside.normal, candidate);
    differenceSupport(pair, scale(candidate, -1, direction), found);
    const height = dot(candidate, found.position);
    if (height > result.lower) {
      result.lower = height;
      copy(candidate, result.normal);
    }
    takeWitness(local);
    const outsideMiss = missOf(pair, { ...local, normal: result.normal, lower: result.lower });
    if (outsideMiss >= miss) break;
    miss = outsideMiss;
    takeWitness(result);
  }
}

/** How far the witness points are from being `lower` apart along the normal. */
function missOf(pair: Pair, { ids, weights, normal, lower }: EpaResult): number {
  set(0, 0, 0, candidate);
  [weights.x, weights.y, weights.z].forEach((weight, corner) => {
    addScaled(
      candidate,
      differencePoint(pair, ids[2 * corner], ids[2 * corner + 1], found).position,
      weight,
      candidate,
    );
  });
  return length(addScaled(candidate, normal, -lower, candidate));
}

/** Distance from B moved so far along the normal that the bodies are apart. */
function lookFromOutside(pair: Pair, normal: Vec3, way: number): void {
  const { x, y, z } = pair.translation;
  addScaled(pair.translation, normal, way, pair.translation);
  gjk(pair, Infinity, -1, NO_GUESS, outside);
  set(x, y, z, pair.translation);
}

/** The points that are nearest from outside. */
function takeWitness({ ids, weights }: EpaResult): void {
  const { count, ids: from, weights: shares } = outside.simplex;
  for (let corner = 0; corner < 3; corner++) {
    const vertex = corner < count ? corner : 0;
    ids[2 * corner] = from[2 * vertex];
    ids[2 * corner + 1] = from[2 * vertex + 1];
  }
  set(shares[0], count > 1 ? shares[1] : 0, count > 2 ? shares[2] : 0, weights);
}

/**
 * Takes the best of the normals of faces that EPA did not come to, of both bodies' axes either way, and of their own
 * faces: a small hull deep in a round shape is nearest the outside along one of these.
 */
function tryFaces(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, result: EpaResult): void {
  const { planes, faceCount } = polytope;
  const [facesA, facesB] = [shapeA, shapeB].map(({ facePlanes }) => Math.min(facePlanes.length / 4, REFINE_FACES));
  const firstB = faceCount + 12 + facesA;
  for (let f = 0; f < firstB + facesB; f++) {
    if (f >= faceCount + 12)
      faceNormal(
        pair,
        f < firstB ? shapeA : shapeB,
        f < firstB ? f - faceCount - 12 : f - firstB,
        f >= firstB,
        candidate,
      );
    else if (f >= faceCount) axisAt(pair, f - faceCount, candidate);
    else if (planes[4 * f + 3] <= result.lower) continue;
    else set(planes[4 * f], planes[4 * f + 1], planes[4 * f + 2], candidate);
    differenceSupport(pair, scale(candidate, -1, direction), found);
    result.iterations++;
    const height = dot(candidate, found.position);
    if (height <= result.lower) continue;
    result.lower = height;
    copy(candidate, result.normal);
  }
}

/** Out of A, or into B, in A's frame. */
function faceNormal({ rotation }: Pair, { facePlanes }: ShapeData, face: number, isB: boolean, to: Vec3): Vec3 {
  set(facePlanes[4 * face], facePlanes[4 * face + 1], facePlanes[4 * face + 2], to);
  return isB ? scale(transform(rotation, to, to), -1, to) : to;
}

/** A's axes, then B's, each both ways. */
function axisAt({ rotation }: Pair, i: number, to: Vec3): Vec3 {
  const axis = (i >> 1) % 3;
  const sign = i & 1 ? -1 : 1;
  if (i < 6) return set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, to);
  return set(sign * rotation[3 * axis], sign * rotation[3 * axis + 1], sign * rotation[3 * axis + 2], to);
}

/**
 * Three supports along normals around one that make a triangle as large as can be, and the one along its opposite, into
 * `simplex`.
 */
function around(pair: Pair, normal: Vec3, tilt: number): void {
  makeFrame(normal);
  for (let k = 0; k < 6; k++) {
    const angle = (Math.PI / 3) * k;
    scale(tilted(tilt * Math.cos(angle), tilt * Math.sin(angle), direction), -1, direction);
    differenceSupport(pair, direction, points[k]);
  }
  // The farthest from the first, and the farthest from their line.
  const b = farthest((p) => distance(p, points[0].position));
  subtract(points[b].position, points[0].position, direction);
  const c = farthest((p) => length(cross(direction, subtract(p, points[0].position, candidate), candidate)));
  differenceSupport(pair, normal, found);
  [points[0], points[b], points[c], found].forEach(({ idA, idB }, corner) => {
    simplex.ids[2 * corner] = idA;
    simplex.ids[2 * corner + 1] = idB;
  });
}

const points = Array.from({ length: 6 }, createPoint);

function farthest(from: (point: Vec3) => number): number {
  let best = 0;
  let most = 0;
  for (let k = 1; k < 6; k++) {
    const size = from(points[k].position);
    if (size <= most) continue;
    most = size;
    best = k;
  }
  return best;
}

/**
 * Climbs to a normal of the greatest least height nearby. Heights along six normals around one make a parabola; its top
 * is tried, and so are turns about either body's axis, for shapes of revolution. The best of all is the next to start
 * from.
 */
function climb(pair: Pair, result: EpaResult): void {
  let reach = CLIMB_START;
  const { rotation } = pair;
  set(rotation[3], rotation[4], rotation[5], axisB);
  for (let round = 0; round < CLIMB_ROUNDS && reach > CLIMB_END; round++) {
    makeFrame(result.normal);
    const middle = result.lower;
    let sum = 0;
    let slopeX = 0;
    let slopeY = 0;
    let cosines = 0;
    let sines = 0;
    for (let k = 0; k < 11; k++) {
      const angle = (Math.PI / 3) * k;
      let x = reach * Math.cos(angle);
      let y = reach * Math.sin(angle);
      if (k === 6) {
        // First and second harmonics of the six are the parabola's slopes and curvatures.
        const bend = (sum / 6 - middle) * 2;
        const xx = bend + (cosines * 2) / 3;
        const yy = bend - (cosines * 2) / 3;
        const xy = (sines * 2) / 3;
        const determinant = xx * yy - xy * xy;
        const isTop = determinant > 0 && bend < 0;
        x = isTop ? (-(yy * slopeX - xy * slopeY) * reach) / 3 / determinant : slopeX;
        y = isTop ? (-(xx * slopeY - xy * slopeX) * reach) / 3 / determinant : slopeY;
        const size = Math.max(Math.hypot(x, y), 1e-300);
        const step = isTop ? Math.min(size, 2 * reach) : 2 * reach;
        x *= step / size;
        y *= step / size;
      }
      if (k < 7) tilted(x, y, candidate);
      else turned(centre, k < 9 ? AXIS : axisB, k % 2 ? reach : -reach, candidate);
      differenceSupport(pair, scale(candidate, -1, direction), found);
      const height = dot(candidate, found.position);
      if (k < 6) {
        sum += height;
        slopeX += height * Math.cos(angle);
        slopeY += height * Math.sin(angle);
        cosines += height * Math.cos(2 * angle);
        sines += height * Math.sin(2 * angle);
      }
      if (height > result.lower) {
        result.lower = height;
        copy(candidate, result.normal);
      }
    }
    result.iterations += 11;
    if (distance(result.normal, centre) < CLIMB_FAR * reach) reach *= CLIMB_SHRINK;
  }
}

const AXIS = vec3(0, 1, 0);
const axisB = vec3();

/** A unit vector turned about an axis. */
function turned(v: Vec3, axis: Vec3, angle: number, to: Vec3): Vec3 {
  const lift = dot(v, axis) * (1 - Math.cos(angle));
  cross(axis, v, to);
  scale(to, Math.sin(angle), to);
  return addScaled(addScaled(to, v, Math.cos(angle), to), axis, lift, to);
}

function makeFrame(normal: Vec3): void {
  copy(normal, centre);
  perpendicular(centre, across);
  cross(centre, across, along);
}

/** The normal that is x, y off the centre of the frame. */
function tilted(x: number, y: number, to: Vec3): Vec3 {
  addScaled(addScaled(centre, across, x, to), along, y, to);
  const toUnit = 1 / Math.sqrt(dot(to, to));
  return set(to.x * toUnit, to.y * toUnit, to.z * toUnit, to);
}
