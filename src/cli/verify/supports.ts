/**
 * What supports tell of a normal and of witness points: how far apart they keep the shapes, and how far a point is from a
 * surface. All in double precision, in the pair's frame, whatever engine the numbers come from.
 */

import { NO_GUESS, gjk, createGjkResult } from '../../cpu/gjk.ts';
import { dot, length, scale, subtract, transformBack, vec3 } from '../../cpu/math.ts';
import type { Vec3 } from '../../cpu/math.ts';
import { createPair } from '../../cpu/pair.ts';
import type { Core, Pair } from '../../cpu/pair.ts';
import { createPoint, differenceSupport, vertexA, vertexB } from '../../cpu/support.ts';
import { GJK_NEAR } from '../../generated/constants.ts';

/** A normal and its supports. */
export interface Along {
  /** Signed separation of the shapes along the normal: least height of B minus greatest height of A. */
  room: number;
  /** Distance of the supporting vertices of the cores: the lever by which a turn of the normal moves `room`. */
  lever: number;
  /** The normal in A's frame, and the supporting vertices of the cores in the pair's unit. */
  normal: Vec3;
  supportA: Vec3;
  supportB: Vec3;
}

export function createAlong(): Along {
  return { room: 0, lever: 0, normal: vec3(), supportA: vec3(), supportB: vec3() };
}

const backward = vec3();
const found = createPoint();

/** `normal` is a unit vector in world axes. */
export function supportsAlong(pair: Pair, normal: Vec3, to: Along): Along {
  transformBack(pair.rotationA, normal, to.normal);
  differenceSupport(pair, scale(to.normal, -1, backward), found);
  vertexA(pair, found.idA, to.supportA);
  vertexB(pair, found.idB, to.supportB);
  to.room = (dot(to.normal, found.position) - pair.radiusA - pair.radiusB) * pair.unit;
  to.lever = length(found.position) * pair.unit;
  return to;
}

/** A witness point and its shape. It lies on the surface where both lengths are 0. */
export interface Standing {
  /** How far the point lies below the supporting plane of the normal; negative above it, which is outside. */
  below: number;
  /** How far it is outside of the shape: 0 within. */
  outside: number;
  /** Its distance from the core's supporting vertex: the lever by which a turn of the normal moves `below`. */
  lever: number;
}

export function createStanding(): Standing {
  return { below: 0, outside: 0, lever: 0 };
}

const local = vec3();
const fromSupport = vec3();

/** `point` is relative to A's position, in world axes and the caller's unit, as all results are. */
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
  scale(transformBack(pair.rotationA, point, to), 1 / pair.unit, to);
}

/** A point, which is what `createPair` makes of A, and a core in its own frame. */
const pointAndCore: Pair = { ...createPair(), rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };
const search = createGjkResult();

/** A lower bound of a point's distance from a rounded core, in the core's frame: no point within is ever said to be outside. */
function outside(core: Core, radius: number, point: Vec3): number {
  pointAndCore.coreB = core;
  scale(point, -1, pointAndCore.translation);
  gjk(pointAndCore, Infinity, radius, NO_GUESS, search);
  return search.state === GJK_NEAR ? 0 : Math.max(0, search.lower - radius);
}
