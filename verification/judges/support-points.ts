/**
 * Measures normals and witness points by supports: how far a normal separates the shapes, and how far a point is from a
 * surface. All computation is in double precision, in the pair's frame, for the numbers of any engine.
 *
 * A half-space has a support only along its own normal. Here the support of a patch of its plane is used, next to the
 * other shape's support and as large as the pair. A normal that is off by an angle then misses the distance by that
 * angle times the pair's size, as it would for a box's face.
 */

import { NO_GUESS, gjk, createGjkResult } from '../../src/cpu/gjk.ts';
import { halfspaceNormal, lowestPoint } from '../../src/cpu/halfspace.ts';
import { addScaled, dot, length, scale, subtract, transform, transformBack, vec3 } from '../../src/cpu/math.ts';
import type { Vec3 } from '../../src/cpu/math.ts';
import { createPair } from '../../src/cpu/pair.ts';
import type { Core, Pair } from '../../src/cpu/pair.ts';
import { createPoint, differenceSupport, vertexA, vertexB } from '../../src/cpu/support.ts';
import { CORE_HALFSPACE, GJK_NEAR } from '../../src/generated/constants.ts';

/** A normal and its supports. */
export interface Along {
  /** Signed separation of the shapes along the normal: least height of B minus greatest height of A. */
  room: number;
  /** Distance of the supporting vertices of the cores. A rotation of the normal moves `room` by this lever. */
  lever: number;
  /** The normal in A's frame, and the supporting vertices of the cores in the pair's unit. */
  normal: Vec3;
  supportA: Vec3;
  supportB: Vec3;
}

export function createAlong(): Along {
  return { room: 0, lever: 0, normal: vec3(), supportA: vec3(), supportB: vec3() };
}

const local = vec3();
const backward = vec3();
const found = createPoint();
const between = vec3();

/** `normal` is a unit vector in world axes. */
export function supportsAlong(pair: Pair, normal: Vec3, to: Along): Along {
  const { coreA, coreB } = pair;
  transformBack(pair.rotationA, normal, to.normal);
  scale(to.normal, -1, backward);
  if (coreA.kind === CORE_HALFSPACE) {
    halfspaceNormal(coreA, planeNormal);
    addScaled(
      pair.translation,
      lowestOf(coreB, transformBack(pair.rotation, backward, local), pair.rotation),
      1,
      to.supportB,
    );
    onPlane(planeNormal, ORIGIN, to.normal, to.supportB, to.supportA);
  } else if (coreB.kind === CORE_HALFSPACE) {
    transform(pair.rotation, halfspaceNormal(coreB, planeNormal), planeNormal);
    lowestPoint(coreA, to.normal, to.supportA);
    onPlane(planeNormal, pair.translation, backward, to.supportA, to.supportB);
  } else {
    differenceSupport(pair, backward, found);
    vertexA(pair, found.idA, to.supportA);
    vertexB(pair, found.idB, to.supportB);
  }
  subtract(to.supportB, to.supportA, between);
  to.room = (dot(to.normal, between) - pair.radiusA - pair.radiusB) * pair.unit;
  to.lever = length(between) * pair.unit;
  return to;
}

const ORIGIN = vec3();
const planeNormal = vec3();
const aside = vec3();

/** `lowestPoint` in A's axes. `down` is in the body's axes. */
function lowestOf(core: Core, down: Vec3, rotation: Pair['rotation']): Vec3 {
  return transform(rotation, lowestPoint(core, down, local), local);
}

/** Sines below this are rounding. */
const LEAST_SINE = 1e-14;
const ENDLESS = 1e30;

/**
 * The point farthest along `direction` on a disc in the plane through `centre`. The disc is centred at the point below
 * `point` and has the radius of the pair's unit. All in A's frame. Along a direction into the half-space the result is
 * unbounded.
 */
function onPlane(outward: Vec3, centre: Vec3, direction: Vec3, point: Vec3, to: Vec3): void {
  const along = dot(outward, direction);
  if (along <= 0) return void addScaled(point, direction, ENDLESS, to);
  addScaled(point, outward, -dot(outward, subtract(point, centre, to)), to);
  // Twice, since the first pass leaves rounding along the plane's normal.
  addScaled(direction, outward, -along, aside);
  addScaled(aside, outward, -dot(outward, aside), aside);
  const sine = length(aside);
  if (sine > LEAST_SINE) addScaled(to, aside, 1 / sine, to);
}

/** A witness point relative to its shape. On the surface both `below` and `outside` are 0. */
export interface Standing {
  /** Depth of the point below the supporting plane of the normal; negative above it, which is outside. */
  below: number;
  /** Distance of the point outside the shape; 0 inside. */
  outside: number;
  /** Distance from the core's supporting vertex. A rotation of the normal moves `below` by this lever. */
  lever: number;
}

export function createStanding(): Standing {
  return { below: 0, outside: 0, lever: 0 };
}

const fromSupport = vec3();

/** `point` is relative to A's position, in world axes and the caller's unit, as in all results. */
export function standingOnA(pair: Pair, { normal, supportA }: Along, point: Vec3, to: Standing): Standing {
  toPairFrame(pair, point, local);
  subtract(local, supportA, fromSupport);
  to.below = (pair.radiusA - dot(normal, fromSupport)) * pair.unit;
  to.lever = length(fromSupport) * pair.unit;
  to.outside = outside(pair.coreA, pair.radiusA, local) * pair.unit;
  return to;
}

export function standingOnB(pair: Pair, { normal, supportB }: Along, point: Vec3, to: Standing): Standing {
  toPairFrame(pair, point, local);
  subtract(local, supportB, fromSupport);
  to.below = (pair.radiusB + dot(normal, fromSupport)) * pair.unit;
  to.lever = length(fromSupport) * pair.unit;
  transformBack(pair.rotation, subtract(local, pair.translation, local), local);
  to.outside = outside(pair.coreB, pair.radiusB, local) * pair.unit;
  return to;
}

function toPairFrame(pair: Pair, point: Vec3, to: Vec3): void {
  // Pairs have points from A's middle.
  subtract(scale(transformBack(pair.rotationA, point, to), 1 / pair.unit, to), pair.middleA, to);
}

/** A pair of a point, as `createPair` makes A, and a core in its own frame. */
const pointAndCore: Pair = { ...createPair(), rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };
const search = createGjkResult();

/** A lower bound of a point's distance from a rounded core, in the core's frame. It is 0 for every point inside. */
function outside(core: Core, radius: number, point: Vec3): number {
  if (core.kind === CORE_HALFSPACE) return Math.max(0, dot(halfspaceNormal(core, planeNormal), point) - radius);
  pointAndCore.coreB = core;
  scale(point, -1, pointAndCore.translation);
  gjk(pointAndCore, Infinity, radius, NO_GUESS, search);
  return search.state === GJK_NEAR ? 0 : Math.max(0, search.lower - radius);
}
