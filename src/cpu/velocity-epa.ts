/** Mirror of shaders/velocity-epa.wgsl: when two convex bodies that translate meet. */
import {
  EPA_TIE_ULPS,
  EXPAND_FULL,
  EXPAND_IMPOSSIBLE,
  IMPACT_MET,
  IMPACT_NONE,
  IMPACT_OPEN,
  VELOCITY_EPA_MAX_ITERATIONS,
  VELOCITY_EPA_EXIT_ULPS,
  VELOCITY_EPA_MISS_ULPS,
  VELOCITY_EPA_POINTS_ULPS,
  VELOCITY_GJK_MAX_ITERATIONS,
  NO_HEIGHT,
  SWEPT_ENCLOSED,
  SWEPT_OUTSIDE,
  SWEPT_UNDECIDED,
} from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { createCastResult, touchOf } from './cast.ts';
import { type Translation, impactNormal, isPassing } from './impact-normal.ts';
import { GUESS_LENGTH, NO_ID, createGjkResult, gjk } from './gjk.ts';
import { type ImpactResult, touchPoint } from './impact.ts';
import { EPSILON, type Vec3, addScaled, copy, dot, length, scale, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import { addFace, addVertex, closeFace, expand, linkFaces, firstFace, polytope } from './polytope.ts';
import { acceptedGap } from './queries/result.ts';
import { simplexWitness } from './queries/witness.ts';
import { append } from './simplex.ts';
import { type Point, createPoint, differencePoint, isCurvedPair } from './support.ts';
import { addPoint, createSweptSimplex, nextNormal, startSimplex, sweptSupport } from './swept-simplex.ts';
import { createNearest, nearestOnTriangle } from './triangle.ts';

/** A ray from the origin out of the polytope. */
const crossing = {
  /** Unit vector. */
  ray: vec3(),
  /** The polytope is to be built. */
  isBuilding: true,
  /** The face to expand, and whether there is nothing left to expand. */
  face: 0,
  isDone: false,
  iterations: 0,
  /**
   * An upper bound of the distance along the ray at which it exits, how far a lower one is off, and the inward normal
   * of the face there.
   */
  exit: 0,
  gap: 0,
  normal: vec3(),
};

const start = createSweptSimplex();
const plane = vec3();
const opposite = vec3();
const away = vec3();
const origin = vec3();
const next = createPoint();
const corners = new Float64Array(9);
const cornerIds = new Float64Array(6);
const onFace = createNearest();
const nearestOnFace = createNearest();
const found = createCastResult();
const cores = createGjkResult();
const guess = new Float64Array(GUESS_LENGTH);
const touching = { onA: vec3(), onB: vec3() };

function startCrossing(direction: Vec3, sign: number): void {
  scale(direction, sign, crossing.ray);
  crossing.isBuilding = true;
  crossing.isDone = false;
  crossing.iterations = 0;
  crossing.exit = Infinity;
  crossing.gap = Infinity;
}

/** As `impact`. */
export function velocityEpa(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  translation: Translation,
  result: ImpactResult,
): ImpactResult {
  const { direction, isMoving, end, targetDistance, touchTolerance } = translation;
  const travel = isMoving ? Math.max(end, 0) : 0;
  const touch = touchOf(pair);
  result.isInside = false;
  result.iterations = 0;
  result.travelled = 0;
  result.state = IMPACT_OPEN;
  startSimplex(direction, start);
  while (start.state !== SWEPT_ENCLOSED) {
    nextNormal(start, plane);
    sweptSupport(pair, scale(plane, -1, opposite), direction, travel, targetDistance, next);
    result.iterations++;
    if (recorder) recorder.swept(pair, plane, next, start);
    const isLast = result.iterations === VELOCITY_GJK_MAX_ITERATIONS;
    addPoint(start, next, dot(plane, next.position), touch, touchTolerance, isLast);
    if (start.state === SWEPT_UNDECIDED) return result;
    if (start.state === SWEPT_OUTSIDE) {
      result.state = IMPACT_NONE;
      return result;
    }
  }
  startCrossing(direction, 1);
  if (!crossPolytope(pair, direction, travel, targetDistance, result)) return result;
  // Rounding may put the exit beyond the whole translation.
  result.travelled = travel - Math.max(crossing.exit, 0);
  result.isInside = result.travelled <= 0;
  result.state = IMPACT_MET;
  copy(crossing.normal, result.normal);
  storeTouch(pair, shapeA, shapeB, translation, result);
  if (!result.isInside || !isMoving || result.state !== IMPACT_MET) return result;
  // The bodies are in touch at the start: they may be about to part.
  startCrossing(direction, -1);
  if (!crossPolytope(pair, direction, travel, targetDistance, result)) result.state = IMPACT_OPEN;
  // The overlap along the normal along which they part.
  else if (crossing.exit * -dot(crossing.normal, crossing.ray) <= touchTolerance) result.state = IMPACT_NONE;
  return result;
}

/** Follows the ray out of the polytope, and gives whether that told where it exits. */
function crossPolytope(
  pair: Pair,
  direction: Vec3,
  travel: number,
  targetDistance: number,
  result: ImpactResult,
): boolean {
  startPolytope();
  if (recorder) recorder.epaStart(pair);
  for (;;) {
    nextFace(plane);
    if (crossing.isDone) break;
    sweptSupport(pair, scale(plane, -1, opposite), direction, travel, targetDistance, next);
    result.iterations++;
    if (recorder) recorder.crossing(pair, crossing.face, plane, next, crossing.exit, crossing.gap);
    expandFace(plane, next);
    if (crossing.isDone) break;
  }
  polytope.isCrossing = false;
  return crossing.gap <= acceptedGap(pair) && chooseFace() <= VELOCITY_EPA_MISS_ULPS * EPSILON;
}

/** The tetrahedron's four faces, outward. */
function startPolytope(): void {
  polytope.faceCount = 0;
  polytope.vertexCount = 0;
  polytope.isCrossing = true;
  copy(crossing.ray, polytope.ray);
  const { positions: p, ids } = start.simplex;
  for (let i = 0; i < 4; i++) {
    set(p[3 * i], p[3 * i + 1], p[3 * i + 2], next.position);
    next.idA = ids[2 * i];
    next.idB = ids[2 * i + 1];
    addVertex(next);
  }
  const [ux, uy, uz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
  const [vx, vy, vz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
  const rise =
    (uy * vz - uz * vy) * (p[9] - p[0]) + (uz * vx - ux * vz) * (p[10] - p[1]) + (ux * vy - uy * vx) * (p[11] - p[2]);
  for (let side = 0; side < 3; side++) {
    const after = (side + 1) % 3;
    if (rise > 0) addFace(side, after, 3);
    else addFace(after, side, 3);
  }
  if (rise > 0) addFace(0, 2, 1);
  else addFace(0, 1, 2);
  linkFaces();
}

/** Writes the inward normal of the face that the ray crosses. */
function nextFace(to: Vec3): void {
  const { planes } = polytope;
  const face = firstFace();
  set(planes[4 * face], planes[4 * face + 1], planes[4 * face + 2], to);
  crossing.face = face;
  crossing.isDone =
    planes[4 * face + 3] <= NO_HEIGHT ||
    -dot(to, crossing.ray) <= 0 ||
    crossing.iterations === VELOCITY_EPA_MAX_ITERATIONS;
}

/** Expands a face by a point of the swept difference, which gives a bound of the exit, too. */
function expandFace(normal: Vec3, point: Point): void {
  const { face } = crossing;
  crossing.iterations++;
  const height = polytope.planes[4 * face + 3];
  const rate = -dot(normal, crossing.ray);
  const least = dot(normal, point.position);
  const hasConverged = height - least <= VELOCITY_EPA_EXIT_ULPS * EPSILON;
  if (-least < crossing.exit * rate || hasConverged) {
    crossing.exit = -least / rate;
    crossing.gap = height - least;
    copy(normal, crossing.normal);
  }
  if (hasConverged) {
    crossing.isDone = true;
    return;
  }
  const outcome = expand(face, point);
  crossing.isDone = outcome === EXPAND_FULL;
  if (outcome === EXPAND_IMPOSSIBLE) closeFace(face);
}

/**
 * Chooses, of the faces that share the plane at the exit, the one that the ray crosses, and its point there: several
 * faces can cover a facet of the difference, and any of them may have ended the search. Gives the distance between the
 * ray and that face. If it is more than rounding, the ray has gone through a gap of faces too thin to be searched.
 */
function chooseFace(): number {
  const { ray, exit, normal } = crossing;
  const { faceCount, planes, corners: numbers, positions, ids } = polytope;
  const rate = -dot(normal, ray);
  const tie = EPA_TIE_ULPS * EPSILON;
  let leastMiss = Infinity;
  for (let f = 0; f < faceCount; f++) {
    const x = planes[4 * f];
    const y = planes[4 * f + 1];
    const z = planes[4 * f + 2];
    const own = -(x * ray.x + y * ray.y + z * ray.z);
    const height = planes[4 * f + 3];
    if (height <= NO_HEIGHT || own <= 0 || (height / own + exit) * rate < -tie) continue;
    for (let c = 0; c < 3; c++) {
      const v = 3 * numbers[4 * f + c];
      corners[3 * c] = positions[v] - ray.x * exit;
      corners[3 * c + 1] = positions[v + 1] - ray.y * exit;
      corners[3 * c + 2] = positions[v + 2] - ray.z * exit;
    }
    const { point, weights } = nearestOnTriangle(corners, 0, 3, 6, nearestOnFace);
    const miss = length(point);
    if (miss >= leastMiss) continue;
    leastMiss = miss;
    copy(weights, onFace.weights);
    for (let c = 0; c < 3; c++) {
      cornerIds[2 * c] = ids[2 * numbers[4 * f + c]];
      cornerIds[2 * c + 1] = ids[2 * numbers[4 * f + c] + 1];
    }
  }
  return leastMiss;
}

/** Writes point and normal where B meets A, and whether they meet or pass. */
function storeTouch(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  translation: Translation,
  result: ImpactResult,
): void {
  const { direction, isMoving, end, targetDistance, touchTolerance } = translation;
  const { onA, onB } = touching;
  copy(pair.translation, origin);
  addScaled(origin, direction, result.travelled, pair.translation);
  const { weights } = onFace;
  found.simplex.count = 0;
  for (let c = 0; c < 3; c++)
    append(found.simplex, differencePoint(pair, cornerIds[2 * c], cornerIds[2 * c + 1], next));
  found.simplex.weights[0] = weights.x;
  found.simplex.weights[1] = weights.y;
  found.simplex.weights[2] = weights.z;
  copy(result.normal, found.normal);
  if (targetDistance > 0 && !isCurvedPair(pair)) {
    // Faces that cover a rounding are chords of it: their normals are off by up to the root of the exit gap. The vector
    // between the nearest points of the cores has no such error, and GJK needs a step or two from here.
    for (let i = 0; i < GUESS_LENGTH; i++) guess[i] = i < cornerIds.length ? cornerIds[i] : NO_ID;
    gjk(pair, Infinity, 0, guess, cores);
    result.iterations += cores.iterations;
    if (cores.upper - cores.lower <= acceptedGap(pair)) {
      copy(cores.normal, found.normal);
      const { simplex } = found;
      found.simplex = cores.simplex;
      cores.simplex = simplex;
    }
  }
  simplexWitness(pair, found.simplex, onA, onB);
  set(onB.x - onA.x, onB.y - onA.y, onB.z - onA.z, found.nearest);
  found.distance = length(found.nearest);
  if (Math.abs(found.distance - targetDistance) > VELOCITY_EPA_POINTS_ULPS * EPSILON) {
    copy(origin, pair.translation);
    result.state = IMPACT_OPEN;
    return;
  }
  touchPoint(
    pair,
    onA,
    onB,
    scale(found.nearest, 1 / Math.max(found.distance, 1e-300), away),
    targetDistance,
    result.point,
  );
  const face = impactNormal(pair, shapeA, shapeB, translation, found, touching);
  copy(found.normal, result.normal);
  copy(origin, pair.translation);
  if (isMoving && isPassing(face, result.travelled, end, touchTolerance)) result.state = IMPACT_NONE;
}
