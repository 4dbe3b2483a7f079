/**
 * Mirror of shaders/velocity-epa.wgsl: when two convex bodies in straight motion meet, by the expanding polytope of all
 * places that B comes through.
 */
import {
  EPA_TIE_ULPS,
  EXPAND_FULL,
  EXPAND_IMPOSSIBLE,
  FLAT_ULPS,
  GJK_NEARBY,
  IMPACT_MET,
  IMPACT_NONE,
  IMPACT_OPEN,
  VELOCITY_EPA_MAX_ITERATIONS,
  VELOCITY_EPA_EXIT_ULPS,
  VELOCITY_EPA_MISS_ULPS,
  VELOCITY_EPA_POINTS_ULPS,
  VELOCITY_GJK_MAX_ITERATIONS,
  NO_HEIGHT,
} from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { createCastResult, touchOf } from './cast.ts';
import { facing, isPassing } from './facing.ts';
import { GUESS_LENGTH, NO_ID, createGjkResult, gjk } from './gjk.ts';
import { type ImpactResult, touchPoint } from './impact.ts';
import {
  EPSILON,
  type Vec3,
  addScaled,
  copy,
  cross as cross3,
  dot,
  length,
  perpendicular,
  scale,
  set,
  vec3,
} from './math.ts';
import type { Pair } from './pair.ts';
import { addFace, addVertex, closeFace, expand, linkFaces, firstFace, polytope } from './polytope.ts';
import { acceptedGap } from './queries/result.ts';
import { simplexWitness } from './queries/witness.ts';
import { append, createSimplex, nearestOnSimplex } from './simplex.ts';
import { type Point, createPoint, differencePoint, differenceSupport, isCurvedPair } from './support.ts';
import { createNearest, createTriangleFrame, nearestOnTriangle, triangleFrame } from './triangle.ts';

/** The pair's difference, swept along the way and enlarged by a ball. */
interface Swept {
  pair: Pair;
  along: Vec3;
  end: number;
  reach: number;
}

let simplex = createSimplex();
let reduced = createSimplex();
const normal = vec3();
const opposite = vec3();
const nearest = vec3();
const next = createPoint();
const chosen = createPoint();
const axis = vec3();
const across = vec3();
const upwards = vec3();
const away = vec3();
const backward = vec3();
const frame = createTriangleFrame();
const AXES = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)] as const;
/** Where the ray leaves the difference. */
let leave = 0;
const best = vec3();
const start = vec3();
const corners = new Float64Array(9);
const onFace = createNearest();
const nearestOnFace = createNearest();
const found = createCastResult();
const cores = createGjkResult();
const guess = new Float64Array(GUESS_LENGTH);
const onA = vec3();
const onB = vec3();

/** As `impact`. */
export function velocityEpa(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  along: Vec3,
  end: number,
  margin: number,
  isMoving: boolean,
  slack: number,
  result: ImpactResult,
): ImpactResult {
  const reach = pair.radiusA + pair.radiusB + margin;
  const swept: Swept = { pair, along, end: isMoving ? Math.max(end, 0) : 0, reach };
  result.isInside = false;
  result.iterations = 0;
  result.path = 0;
  result.state = enclose(swept, slack, result);
  if (result.state !== IMPACT_MET) return result;
  result.state = cross(swept, along, result);
  if (result.state !== IMPACT_MET) return result;
  // Rounding may take the crossing of a face along the way beyond its end.
  const path = swept.end - Math.max(leave, 0);
  result.path = path;
  result.isInside = path <= 0;
  copy(best, result.normal);
  touch(swept, shapeA, shapeB, path, isMoving, slack, result);
  if (path > 0 || !isMoving || result.state !== IMPACT_MET) return result;
  // The bodies are in touch as the way starts: they may be about to part.
  const state = cross(swept, scale(along, -1, backward), result);
  if (state === IMPACT_OPEN) result.state = IMPACT_OPEN;
  else if (leave * -dot(best, backward) <= slack) result.state = IMPACT_NONE;
  return result;
}

/**
 * Looks for a simplex of the swept difference that holds the origin: `IMPACT_MET` where there is one, `_NONE` where B
 * passes or grazes A at most.
 */
function enclose(swept: Swept, slack: number, result: ImpactResult): number {
  const { pair, along } = swept;
  const least = touchOf(pair);
  scale(along, -1, normal);
  simplex.count = 0;
  let distance = Infinity;
  for (let i = 0; i < VELOCITY_GJK_MAX_ITERATIONS; i++) {
    sweptSupport(swept, scale(normal, -1, opposite), next);
    result.iterations++;
    if (dot(normal, next.position) > 0) return IMPACT_NONE;
    append(simplex, next);
    if (simplex.count === 1) {
      copy(next.position, nearest);
    } else {
      if (nearestOnSimplex(simplex, nearest, reduced)) return IMPACT_MET;
      [simplex, reduced] = [reduced, simplex];
    }
    const last = distance;
    distance = length(nearest);
    const isStalled = distance >= last;
    // The origin lies on the simplex, to rounding, wherever in the difference that may be.
    if (distance <= least || (isStalled && distance <= GJK_NEARBY))
      return grow(swept, slack, result) ? IMPACT_MET : IMPACT_NONE;
    if (isStalled) break;
    scale(nearest, 1 / distance, normal);
  }
  return IMPACT_OPEN;
}

/**
 * Adds to a simplex that has the origin on it until it is a tetrahedron; false where the difference is flat or has no
 * room on one of its sides.
 */
function grow(swept: Swept, slack: number, result: ImpactResult): boolean {
  const flat = FLAT_ULPS * EPSILON;
  while (simplex.count < 3) {
    set(0, 0, 0, axis);
    let axes: readonly Vec3[] = AXES;
    if (simplex.count === 2) {
      fromFirst(simplex.positions, 3, axis);
      scale(axis, 1 / Math.max(length(axis), 1e-300), axis);
      perpendicular(axis, across);
      axes = [across, cross3(axis, across, upwards)];
    }
    let farthest = flat;
    let isFound = false;
    for (const towards of axes) {
      for (const sign of [1, -1]) {
        sweptSupport(swept, scale(towards, sign, opposite), next);
        result.iterations++;
        const { x, y, z } = next.position;
        set(x - simplex.positions[0], y - simplex.positions[1], z - simplex.positions[2], away);
        addScaled(away, axis, -dot(away, axis), away);
        if (length(away) <= farthest) continue;
        farthest = length(away);
        isFound = true;
        copyPoint(next, chosen);
      }
    }
    if (!isFound) return false;
    append(simplex, chosen);
  }
  const { hasInside } = triangleFrame(simplex.positions, 0, 3, 6, frame);
  if (!hasInside) return false;
  sweptSupport(swept, frame.normal, chosen);
  const above = dot(frame.normal, chosen.position);
  sweptSupport(swept, scale(frame.normal, -1, opposite), next);
  const below = -dot(frame.normal, next.position);
  result.iterations += 2;
  if (Math.min(above, below) <= slack) return false;
  append(simplex, above > below ? chosen : next);
  return true;
}

/**
 * Expands the face that a ray from the origin crosses, from the simplex that holds it, until it can't be expanded:
 * `leave` is where the ray leaves the difference at the latest, and `best` the inward normal there.
 */
function cross(swept: Swept, ray: Vec3, result: ImpactResult): number {
  const { planes } = polytope;
  const exit = VELOCITY_EPA_EXIT_ULPS * EPSILON;
  startPolytope(ray);
  leave = Infinity;
  let gap = Infinity;
  for (let i = 0; i < VELOCITY_EPA_MAX_ITERATIONS; i++) {
    const face = firstFace();
    const height = planes[4 * face + 3];
    set(planes[4 * face], planes[4 * face + 1], planes[4 * face + 2], normal);
    const rate = -dot(normal, ray);
    if (height <= NO_HEIGHT || rate <= 0) break;
    sweptSupport(swept, scale(normal, -1, opposite), next);
    result.iterations++;
    const least = dot(normal, next.position);
    const hasMet = height - least <= exit;
    if (-least < leave * rate || hasMet) {
      leave = -least / rate;
      gap = height - least;
      copy(normal, best);
    }
    if (hasMet) break;
    const outcome = expand(face, next);
    if (outcome === EXPAND_FULL) break;
    if (outcome === EXPAND_IMPOSSIBLE) closeFace(face);
  }
  polytope.isCrossing = false;
  if (gap > acceptedGap(swept.pair)) return IMPACT_OPEN;
  return chooseFace(ray, leave, best) <= VELOCITY_EPA_MISS_ULPS * EPSILON ? IMPACT_MET : IMPACT_OPEN;
}

/** Point and normal where B meets A. */
function touch(
  { pair, along, end, reach }: Swept,
  shapeA: ShapeData,
  shapeB: ShapeData,
  path: number,
  isMoving: boolean,
  slack: number,
  result: ImpactResult,
): void {
  copy(pair.translation, start);
  addScaled(start, along, path, pair.translation);
  const { weights } = onFace;
  found.simplex.count = 0;
  for (let c = 0; c < 3; c++)
    append(found.simplex, differencePoint(pair, cornerIds[2 * c], cornerIds[2 * c + 1], next));
  found.simplex.weights[0] = weights.x;
  found.simplex.weights[1] = weights.y;
  found.simplex.weights[2] = weights.z;
  copy(result.normal, found.normal);
  if (reach > 0 && !isCurvedPair(pair)) {
    // The faces that cover a rounding are chords of it. The vector between the nearest points of the cores is the
    // normal, and GJK is a step or two away from it.
    for (let i = 0; i < GUESS_LENGTH; i++) guess[i] = i < cornerIds.length ? cornerIds[i] : NO_ID;
    gjk(pair, Infinity, 0, guess, cores);
    result.iterations += cores.iterations;
    if (cores.upper - cores.lower <= acceptedGap(pair)) {
      copy(cores.normal, found.normal);
      [found.simplex, cores.simplex] = [cores.simplex, found.simplex];
    }
  }
  simplexWitness(pair, found.simplex, onA, onB);
  set(onB.x - onA.x, onB.y - onA.y, onB.z - onA.z, found.nearest);
  found.distance = length(found.nearest);
  if (Math.abs(found.distance - reach) > VELOCITY_EPA_POINTS_ULPS * EPSILON) {
    copy(start, pair.translation);
    result.state = IMPACT_OPEN;
    return;
  }
  touchPoint(pair, onA, onB, scale(found.nearest, 1 / Math.max(found.distance, 1e-300), away), reach, result.point);
  const face = facing(pair, shapeA, shapeB, along, reach, slack, found, onA, onB);
  copy(found.normal, result.normal);
  copy(start, pair.translation);
  if (isMoving && isPassing(face, path, end, slack)) result.state = IMPACT_NONE;
}

const cornerIds = new Float64Array(6);

/**
 * Takes the face that the ray crosses, and its point there: a facet of the difference can be covered by several faces,
 * any of which may have ended the search. Gives how far beside it the ray is: if that is more than rounding, the ray
 * has come through a gap of faces too thin to be searched.
 */
function chooseFace(ray: Vec3, at: number, inward: Vec3): number {
  const { faceCount, planes, corners: numbers, positions, ids } = polytope;
  const rate = -dot(inward, ray);
  const tie = EPA_TIE_ULPS * EPSILON;
  let leastMiss = Infinity;
  for (let f = 0; f < faceCount; f++) {
    const x = planes[4 * f];
    const y = planes[4 * f + 1];
    const z = planes[4 * f + 2];
    const own = -(x * ray.x + y * ray.y + z * ray.z);
    const height = planes[4 * f + 3];
    if (height <= NO_HEIGHT || own <= 0 || (height / own + at) * rate < -tie) continue;
    for (let c = 0; c < 3; c++) {
      const v = 3 * numbers[4 * f + c];
      corners[3 * c] = positions[v] - ray.x * at;
      corners[3 * c + 1] = positions[v + 1] - ray.y * at;
      corners[3 * c + 2] = positions[v + 2] - ray.z * at;
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

/** The simplex's four faces, outward. */
function startPolytope(ray: Vec3): void {
  polytope.faceCount = 0;
  polytope.vertexCount = 0;
  polytope.isCrossing = true;
  copy(ray, polytope.ray);
  const { positions: p, ids } = simplex;
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

/** The vector from the first of the points to the one at `at`. */
function fromFirst(positions: Float64Array, at: number, to: Vec3): Vec3 {
  return set(positions[at] - positions[0], positions[at + 1] - positions[1], positions[at + 2] - positions[2], to);
}

function copyPoint({ position, idA, idB }: Point, to: Point): void {
  copy(position, to.position);
  to.idA = idA;
  to.idB = idB;
}

/** The point of the swept difference that is farthest along a unit vector. */
function sweptSupport({ pair, along, end, reach }: Swept, direction: Vec3, to: Point): Point {
  differenceSupport(pair, direction, to);
  addScaled(to.position, direction, reach, to.position);
  if (dot(direction, along) > 0) addScaled(to.position, along, end, to.position);
  return to;
}
