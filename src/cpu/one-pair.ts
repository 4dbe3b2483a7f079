/** The reference's queries of one pair in 3-D: synchronous, nothing rounded to f32 on the way in or out. */
import { Status, type ManifoldPoint } from '../api/types.ts';
import { invalidInput } from '../api/errors.ts';
import { expectCoordinate } from '../request/validate-bodies.ts';
import { expectedOfScale } from '../request/validate-scales.ts';
import { isTooFast } from '../records/turning.ts';
import {
  expectDuration,
  expectMprDepth,
  chooseLeadStage,
  chooseImpactStage,
  passesParting,
  queryMargin,
} from '../request/validate.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import { LARGEST_EXACT_SIZE } from '../shapes/fields.ts';
import { isCurved } from '../shapes/kinds.ts';
import { makeShapeData, type ShapeData } from '../shapes/shape-data.ts';
import { type Vec3, set } from './math.ts';
import { expectKnown, namesOf } from '../util/known.ts';
import { CPU_IMPACT_OPTIONS, CPU_OPTIONS, type CpuImpactOptions, type CpuOptions } from './options.ts';
import { type Pose, createPair, makePair } from './pair.ts';
import { contact as contactOfPair } from './queries/contacts.ts';
import { distance as distanceOfPair } from './queries/distances.ts';
import { impactOfBodies } from './queries/impacts.ts';
import { intersects as intersectsPair } from './queries/intersects.ts';
import { manifold as manifoldOfPair } from './queries/manifolds.ts';
import { createMotion } from './queries/motion.ts';
import { createPairResult, invalidPair, type PairResult } from './queries/result.ts';
import { CORE_BOX, CORE_HALFSPACE, CORE_POINT } from '../generated/constants.ts';

/** A shape made by `createShape`. */
export type CpuShape = ShapeData;

/** Place of a body. */
export interface CpuPose {
  /** World-space position x, y, z. */
  position: ArrayLike<number>;
  /** Rotation x, y, z, w, of any length of at least 1e-6. */
  quaternion: ArrayLike<number>;
  /** Uniform positive scale factor; default 1. */
  scale?: number;
}

/** Result of `distance`. */
export interface CpuDistance {
  status: Status;
  /** Whether the signed distance is at most `margin`. */
  hit: boolean;
  /** Signed distance in world units; of `distance`, 0 for a pair that overlaps. */
  distance: number;
  /** Unit vector from A to B in world space. */
  normal: [number, number, number];
  /** Point on A's surface in world space. */
  pointA: [number, number, number];
  /** Point on B's surface in world space. */
  pointB: [number, number, number];
  /** Iterations of all searches. */
  iterations: number;
}

/** Result of `contact`. */
export interface CpuContact extends CpuDistance {
  /**
   * Feature of A that the point lies on;
   * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md#feature-numbers.
   */
  featureA: number;
  /** Feature of B that the point lies on. */
  featureB: number;
  /** Lower bound of the true signed distance. */
  lower: number;
  /** Upper bound of the true signed distance. */
  upper: number;
}

/** Result of `manifold`; see `Manifolds`. */
export interface CpuManifold {
  status: Status;
  /** Whether the signed distance is at most `margin`. */
  hit: boolean;
  /** Signed distance of the pair, as `contact` returns it. */
  distance: number;
  /** Unit vector from A to B in world space. */
  normal: [number, number, number];
  /** Contact points; the first is the deepest. */
  points: ManifoldPoint[];
  iterations: number;
}

/**
 * Validates a description and builds its hull. Unlike `addShape`, it rounds nothing to f32.
 *
 * @throws NarrowphaseError `INVALID_INPUT` for a bad description; `LIMIT_EXCEEDED` for a hull of more than 65,535 vertices.
 */
export function createShape(description: ShapeDescription): CpuShape {
  return makeShapeData(description, 'description', (value) => value);
}

/**
 * Says whether the signed distance is at most `margin` (default 0), and the status.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function intersects(
  a: CpuShape,
  poseA: CpuPose,
  b: CpuShape,
  poseB: CpuPose,
  options: CpuOptions = {},
): { hit: boolean; status: Status } {
  const { hit, status } = run('intersects', a, poseA, b, poseB, options);
  return { hit, status: status as Status };
}

/**
 * Computes the gap, the normal and the nearest points; zeros for a pair that overlaps. The default margin is `Infinity`.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function distance(
  a: CpuShape,
  poseA: CpuPose,
  b: CpuShape,
  poseB: CpuPose,
  options: CpuOptions = {},
): CpuDistance {
  return distanceResult(run('distances', a, poseA, b, poseB, options), poseA);
}

/**
 * Computes the signed distance with penetration resolved, points, features and bounds. With the default margin 0, the
 * distance of a pair that is apart is a lower bound of the gap.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function contact(
  a: CpuShape,
  poseA: CpuPose,
  b: CpuShape,
  poseB: CpuPose,
  options: CpuOptions = {},
): CpuContact {
  const found = run('contacts', a, poseA, b, poseB, options);
  const { featureA, featureB, lower, upper } = found;
  return { ...distanceResult(found, poseA), featureA, featureB, lower, upper };
}

/**
 * Computes up to four contact points of a pair that is at most `margin` (default 0) apart.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function manifold(
  a: CpuShape,
  poseA: CpuPose,
  b: CpuShape,
  poseB: CpuPose,
  options: CpuOptions = {},
): CpuManifold {
  const found = run('manifolds', a, poseA, b, poseB, options);
  const { status, hit, distance: depth, normal, iterations } = distanceResult(found, poseA);
  const { pointCount, positions, distances, features } = found;
  const [x, y, z] = [0, 1, 2].map((k) => poseA.position[k]);
  const points = Array.from({ length: pointCount }, (_, i): ManifoldPoint => ({
    position: [x + positions[3 * i], y + positions[3 * i + 1], z + positions[3 * i + 2]],
    distance: distances[i],
    feature: features[i],
  }));
  return { status, hit, distance: depth, normal, points, iterations };
}

/** Place of a body at the start of a motion, and its velocities. */
export interface CpuMovingPose extends CpuPose {
  /** World-space velocity x, y, z in units per second. */
  linearVelocity: ArrayLike<number>;
  /**
   * World-space angular velocity x, y, z in radians per second: the body rotates about its origin, around the axis that
   * the three numbers point along. Default 0.
   */
  angularVelocity?: ArrayLike<number>;
}

/** Result of `impact`; see `Impacts`. */
export interface CpuImpact {
  status: Status;
  /** Whether they meet within the duration. */
  hit: boolean;
  /** Seconds from 0 to the duration; `Infinity`: no impact. */
  time: number;
  /** The same, except for bodies that overlap at the start: minus the seconds since they met, or `-Infinity`. */
  unclampedTime: number;
  /** Unit vector from A to B in world space at `unclampedTime`. */
  normal: [number, number, number];
  /** Point on A's surface where they touch, in world space at `unclampedTime`. */
  point: [number, number, number];
  /** Support evaluations of all searches. */
  iterations: number;
}

/**
 * Computes when two moving bodies come within `margin` (default 0) of each other. If a body rotates by more than 32 radians
 * within the duration, the status is `InvalidInput` and all results are 0.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function impact(
  a: CpuShape,
  poseA: CpuMovingPose,
  b: CpuShape,
  poseB: CpuMovingPose,
  options: CpuImpactOptions,
): CpuImpact {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, '{ duration, margin? }');
  expectKnown(options, 'options', CPU_IMPACT_OPTIONS, 'for impact');
  const { duration, algorithm = 'auto' } = options;
  const leadStage = chooseImpactStage(algorithm);
  checkShapes(a, b);
  expectDuration('options.duration', duration);
  const margin = queryMargin('impacts', options.margin);
  checkPose(a, poseA, 'poseA');
  checkPose(b, poseB, 'poseB');
  const v = velocityOf(poseA, 'poseA');
  const w = velocityOf(poseB, 'poseB');
  setOffset(poseA, poseB);
  set(w[0] - v[0], w[1] - v[1], w[2] - v[2], motion.velocity);
  const fastest = Math.max(
    setAngularVelocity(a, poseA, 'poseA', motion.angularVelocityA),
    setAngularVelocity(b, poseB, 'poseB', motion.angularVelocityB),
  );
  motion.duration = duration;
  motion.margin = margin;
  motion.passesParting = passesParting(options.stopAtPenetration);
  motion.touchTolerance = isCurved(a.kind) || isCurved(b.kind) ? CURVED_SLACK : TOUCH_TOLERANCE;
  if (isTooFast(fastest, duration)) invalidPair(result);
  else
    impactOfBodies(
      pair,
      { shapeA: a, poseA: fullPose(poseA), shapeB: b, poseB: fullPose(poseB), motion },
      leadStage,
      result,
    );
  const { status, hit, unclampedTime, normal, pointA, iterations, hasPoints } = result;
  const moved = Number.isFinite(unclampedTime) ? unclampedTime : 0;
  const p = poseA.position;
  return {
    status: status as Status,
    hit,
    time: Math.max(unclampedTime, 0),
    unclampedTime,
    normal: [normal.x, normal.y, normal.z],
    point: hasPoints
      ? [p[0] + v[0] * moved + pointA.x, p[1] + v[1] * moved + pointA.y, p[2] + v[2] * moved + pointA.z]
      : [0, 0, 0],
    iterations,
  };
}

/** Overlap up to which moving bodies count as apart, as a share of their size: a tenth of the tolerance. */
const TOUCH_TOLERANCE = 1e-10;
const CURVED_SLACK = 1e-7;

function velocityOf({ linearVelocity }: CpuMovingPose, field: string): ArrayLike<number> {
  if (!(linearVelocity?.length === 3)) invalidInput(`${field}.linearVelocity`, linearVelocity, 'an array of 3 numbers');
  for (let i = 0; i < 3; i++) expectCoordinate(`${field}.linearVelocity`, linearVelocity, i);
  return linearVelocity;
}

/** Returns the angular speed. Spheres look the same however they turn. */
function setAngularVelocity(
  { kind }: CpuShape,
  { angularVelocity: angular = [0, 0, 0] }: CpuMovingPose,
  field: string,
  to: Vec3,
): number {
  if (!(angular?.length === 3)) invalidInput(`${field}.angularVelocity`, angular, 'an array of 3 numbers');
  const speed = Math.hypot(angular[0], angular[1], angular[2]);
  if (!Number.isFinite(speed)) invalidInput(`${field}.angularVelocity`, Array.from(angular), 'finite numbers');
  if (kind === CORE_POINT) set(0, 0, 0, to);
  else set(angular[0], angular[1], angular[2], to);
  return speed;
}

const pair = createPair();
const motion = createMotion();
const { offset } = motion;
const result = createPairResult();

const queries = {
  intersects: intersectsPair,
  distances: distanceOfPair,
  contacts: contactOfPair,
  manifolds: manifoldOfPair,
};

function run(
  query: keyof typeof queries,
  a: CpuShape,
  poseA: CpuPose,
  b: CpuShape,
  poseB: CpuPose,
  options: CpuOptions,
): PairResult {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  expectKnown(options, 'options', CPU_OPTIONS);
  const { algorithm = 'auto', mprDepth } = options;
  checkShapes(a, b);
  const margin = queryMargin(query, options.margin);
  const leadStage = chooseLeadStage(query, algorithm);
  expectMprDepth(algorithm, mprDepth);
  if (algorithm === 'sat' && !(a.kind === CORE_BOX && b.kind === CORE_BOX)) {
    invalidInput('options.algorithm', algorithm, "'auto', 'gjk' or 'mpr', as not both shapes are boxes");
  }
  checkPose(a, poseA, 'poseA');
  checkPose(b, poseB, 'poseB');
  setOffset(poseA, poseB);
  makePair(a, fullPose(poseA), b, fullPose(poseB), offset, pair);
  return queries[query](pair, a, b, { margin, leadStage, mprDepth }, result);
}

function setOffset({ position: p }: CpuPose, { position: q }: CpuPose): void {
  set(q[0] - p[0], q[1] - p[1], q[2] - p[2], offset);
}

function fullPose({ scale = 1, quaternion }: CpuPose): Pose {
  return { scale, quaternion: normalised(quaternion) };
}

function checkShapes(a: CpuShape, b: CpuShape): void {
  if (!a?.facePlanes) invalidInput('a', a, 'a shape from createShape');
  if (!b?.facePlanes) invalidInput('b', b, 'a shape from createShape');
  for (const [name, { parts }] of Object.entries({ a, b }))
    if (parts) invalidInput(name, `a ${parts.type}`, 'a convex shape: testers take compounds and meshes');
  if (a.kind === CORE_HALFSPACE && b.kind === CORE_HALFSPACE)
    invalidInput('b', 'a half-space', 'a bounded shape, as a is a half-space already');
}

function normalised(q: ArrayLike<number>): number[] {
  const size = Math.hypot(q[0], q[1], q[2], q[3]);
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

/** Every query takes velocities, so that one object serves `impact` and the others. */
const POSE_FIELDS = namesOf<CpuMovingPose>({
  position: true,
  quaternion: true,
  scale: true,
  linearVelocity: true,
  angularVelocity: true,
});

function checkPose(shape: CpuShape, pose: CpuPose, field: string): void {
  if (typeof pose !== 'object' || pose === null) invalidInput(field, pose, '{ position, quaternion, scale? }');
  expectKnown(pose, field, POSE_FIELDS);
  const { position, quaternion, scale = 1 } = pose;
  if (!(position?.length === 3)) invalidInput(`${field}.position`, position, 'an array of 3 numbers');
  if (!(quaternion?.length === 4)) invalidInput(`${field}.quaternion`, quaternion, 'an array of 4 numbers');
  for (let i = 0; i < 3; i++) expectCoordinate(`${field}.position`, position, i);
  const size = Math.hypot(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  if (!(size >= 1e-6 && size < Infinity))
    invalidInput(`${field}.quaternion`, Array.from(quaternion), 'finite numbers of length at least 1e-6');
  const expected = expectedOfScale(scale, shape, LARGEST_EXACT_SIZE);
  if (expected) invalidInput(`${field}.scale`, scale, expected);
}

function distanceResult(from: PairResult, poseA: CpuPose): CpuDistance {
  const origin = from.hasPoints ? poseA.position : [0, 0, 0];
  const { normal, pointA, pointB } = from;
  return {
    status: from.status as Status,
    hit: from.hit,
    distance: from.distance,
    normal: [normal.x, normal.y, normal.z],
    pointA: [origin[0] + pointA.x, origin[1] + pointA.y, origin[2] + pointA.z],
    pointB: [origin[0] + pointB.x, origin[1] + pointB.y, origin[2] + pointB.z],
    iterations: from.iterations,
  };
}
