/**
 * Impacts of two parts, in double precision. Of compounds that rotate, a part that is not at the position of its body moves
 * on an arc, which the reference and the kernels do not know.
 *
 * - Polytopes, spheres and capsules become hulls in the frame of the compound: bodies that rotate about their own position.
 * - Cylinders, cones and ellipsoids do not. Their pairs are advanced here (Mirtich, "Impulse-based dynamic simulation",
 *   1996): no point of the bodies is faster than a bound along the normal of the present distance, so they stay apart for
 *   that distance divided by it. This converges more slowly than the search of other pairs.
 */
import { addScaled, copy, dot, length, rotationMatrix, set, transform, vec3, type Vec3 } from '../math.ts';
import { createPair } from '../pair.ts';
import { AT_ANY_DISTANCE, contact } from '../queries/contacts.ts';
import { impactOfBodies } from '../queries/impacts.ts';
import { createMotion, type Motion, type MovingBodies } from '../queries/motion.ts';
import { createPairResult, decided, type PairResult } from '../queries/result.ts';
import {
  CORE_BOX,
  CORE_POINT,
  CORE_SEGMENT,
  CURVED_MOTION_TOUCH_ULPS,
  MOTION_TOUCH_ULPS,
  STATUS_NOT_CONVERGED,
  STATUS_OVERLAPPING,
} from '../../generated/constants.ts';
import type { BodyMotion } from '../../records/bodies.ts';
import { hasVertices, isCurved } from '../../shapes/kinds.ts';
import type { Compound } from '../../shapes/parts.ts';
import { makeShapeData, type ShapeData } from '../../shapes/shape-data.ts';
import { angularVelocity, linearVelocity, turn } from './body-motion.ts';
import type { PairPlaces } from './pair-places.ts';
import {
  createBodyPlace,
  createPartPlace,
  pairOfParts,
  placePart,
  type BodyPlace,
  type PartPlace,
} from './part-place.ts';
import type { PairQuery } from '../../request/backend.ts';
import type { AskedPairs } from '../asked-pairs.ts';

/** Whether a body rotates. */
export function isRotating({ angular }: BodyMotion, body: number): boolean {
  return (
    angular !== undefined && (angular[3 * body] !== 0 || angular[3 * body + 1] !== 0 || angular[3 * body + 2] !== 0)
  );
}

/** Whether a part of a rotating body has no hull. */
function needsAdvancing({ parts }: ShapeData, part: number): boolean {
  return parts?.type === 'compound' && isCurved(parts.shapes[part].kind);
}

const hulls = new WeakMap<Compound<ShapeData>, (ShapeData | undefined)[]>();

/** A part as a hull in the frame of its compound. */
function hullOfPart(compound: Compound<ShapeData>, part: number): ShapeData {
  const known = hulls.get(compound) ?? [];
  hulls.set(compound, known);
  return (known[part] ??= makeHull(compound, part));
}

const rotation = new Float64Array(9);
const corner = vec3();

function makeHull({ shapes, positions, quaternions, scales }: Compound<ShapeData>, part: number): ShapeData {
  const shape = shapes[part];
  const scale = scales[part];
  rotationMatrix(quaternions.subarray(4 * part, 4 * part + 4), rotation);
  const points = cornersOf(shape);
  for (let i = 0; i < points.length; i += 3) {
    transform(rotation, set(points[i] * scale, points[i + 1] * scale, points[i + 2] * scale, corner), corner);
    points[i] = corner.x + positions[3 * part];
    points[i + 1] = corner.y + positions[3 * part + 1];
    points[i + 2] = corner.z + positions[3 * part + 2];
  }
  return makeShapeData({ type: 'hull', points, radius: shape.radius * scale });
}

/** The points whose hull the core is. */
function cornersOf({ kind, halfExtents: [x, y, z], vertices }: ShapeData): number[] {
  if (hasVertices(kind)) return Array.from(vertices);
  if (kind === CORE_SEGMENT) return [0, -y, 0, 0, y, 0];
  if (kind !== CORE_BOX) return [0, 0, 0];
  return Array.from({ length: 8 }, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat();
}

/** What a query of impacts asks about each pair, and how the bodies move. */
export interface ImpactQuery extends Pick<PairQuery, 'leadStage' | 'margin'> {
  motion: BodyMotion;
}

export function impactQueryOf({
  what,
  over,
}: Pick<AskedPairs, 'what'> & { over: { motion?: BodyMotion } }): ImpactQuery {
  return { leadStage: what.leadStage, margin: what.margin, motion: over.motion! };
}

/**
 * The impact of two parts of a pair. Points are relative to A's position at that time. `to.unclampedTime` is infinite if they
 * do not meet. `begin`: a time up to which they are known to be apart, if one of the bodies rotates.
 */
export function partImpact(
  places: PairPlaces,
  numberA: number,
  numberB: number,
  query: ImpactQuery,
  to: PairResult,
  begin = 0,
): void {
  const { a, b, offset } = places;
  const isRotatingA = isRotating(query.motion, a.body);
  const isRotatingB = isRotating(query.motion, b.body);
  if ((isRotatingA && needsAdvancing(a.shape, numberA)) || (isRotatingB && needsAdvancing(b.shape, numberB))) {
    advanceParts(places, numberA, numberB, query, to, begin);
    return;
  }
  placeMovingPart(a, numberA, isRotatingA, partA);
  placeMovingPart(b, numberB, isRotatingB, partB);
  setMotion(places, query);
  setOffset(offset, partA, partB, motion.offset);
  if (partA.shape.kind === CORE_POINT) set(0, 0, 0, motion.angularVelocityA);
  if (partB.shape.kind === CORE_POINT) set(0, 0, 0, motion.angularVelocityB);
  motion.touchTolerance = F32_EPSILON * touchUlps(partA.shape.kind, partB.shape.kind);
  impactOfBodies(pair, movingParts(), query.leadStage, to, begin);
  addScaled(to.pointA, partA.offset, 1, to.pointA);
}

/** Machine epsilon of f32: what callers' positions and the times they get are rounded to. */
const F32_EPSILON = 2 ** -23;

function touchUlps(kindA: number, kindB: number): number {
  return isCurved(kindA) || isCurved(kindB) ? CURVED_MOTION_TOUCH_ULPS : MOTION_TOUCH_ULPS;
}

function placeMovingPart(place: BodyPlace, number: number, isTurning: boolean, to: typeof partA): void {
  const { parts } = place.shape;
  placePart(place, number, true, to);
  if (!isTurning || parts?.type !== 'compound') return;
  to.shape = hullOfPart(parts, number);
  to.scale = place.scale;
  to.quaternion.set(place.quaternion);
  set(0, 0, 0, to.offset);
}

/** Writes part B's position relative to part A's. */
function setOffset({ x, y, z }: Vec3, a: PartPlace, b: PartPlace, to: Vec3): void {
  set(x + b.offset.x - a.offset.x, y + b.offset.y - a.offset.y, z + b.offset.z - a.offset.z, to);
}

/** Steps of an advancement. */
const MOST_STEPS = 4000;

/** Distance at which parts have met, as a share of the sizes of both bodies: a fifth of the kernels' tolerance. */
const TOUCH = 1e-6;

const motion = createMotion();
const laterA = createBodyPlace();
const laterB = createBodyPlace();
const partA = createPartPlace();
const partB = createPartPlace();
const pair = createPair();
const between = vec3();
const present = createPairResult();

/**
 * Advances two parts until they meet or the motion ends. Points are relative to A's position at that time. `begin`: a time up to
 * which they are known to be apart.
 */
function advanceParts(
  places: PairPlaces,
  numberA: number,
  numberB: number,
  query: Pick<ImpactQuery, 'motion' | 'margin'>,
  to: PairResult,
  begin = 0,
): void {
  const { a, b } = places;
  setMotion(places, query);
  const tolerance = TOUCH * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale);
  const turning =
    length(motion.angularVelocityA) * reachOf(a, numberA) + length(motion.angularVelocityB) * reachOf(b, numberB);
  let time = begin;
  /** With `passesParting`: whether parts that overlapped at the start still do. */
  let isLeaving = false;
  for (let step = 0; step < MOST_STEPS; step++) {
    findContact(a, b, numberA, numberB, time);
    const gap = present.distance - query.margin;
    // How fast the parts approach along the normal without rotation. `turning` bounds what rotation adds.
    const closing = -dot(motion.velocity, present.normal);
    if (time === 0 && gap <= tolerance) {
      if (!motion.passesParting || closing > turning) {
        meetAtStart(numberA, numberB, a, b, to);
        return;
      }
      isLeaving = true;
    }
    if (isLeaving) isLeaving = gap <= 2 * tolerance;
    else if (gap <= tolerance) {
      meet(time, to);
      return;
    }
    const speed = closing + turning;
    if (speed <= 0 && !isLeaving) break;
    time += isLeaving ? tolerance / Math.max(Math.abs(speed), tolerance) : gap / speed;
    if (time > motion.duration) break;
    if (step === MOST_STEPS - 1) {
      decided(1, 0, step, to);
      to.status = STATUS_NOT_CONVERGED;
      to.hit = true;
      to.unclampedTime = time;
      return;
    }
  }
  decided(1, 0, 1, to);
  to.unclampedTime = Infinity;
}

function movingParts(): MovingBodies {
  return { shapeA: partA.shape, poseA: partA, shapeB: partB.shape, poseB: partB, motion };
}

function setMotion({ a, b, offset }: PairPlaces, { motion: given, margin }: Pick<ImpactQuery, 'motion' | 'margin'>) {
  const { duration, passesParting = false } = given;
  linearVelocity(given, b, motion.velocity);
  addScaled(motion.velocity, linearVelocity(given, a, between), -1, motion.velocity);
  copy(offset, motion.offset);
  Object.assign(motion, { duration, margin, passesParting, touchTolerance: TOUCH } satisfies Partial<Motion>);
  angularVelocity(given, a, motion.angularVelocityA);
  angularVelocity(given, b, motion.angularVelocityB);
}

/** The greatest distance of a part's points from the position of its body. */
function reachOf(place: BodyPlace, part: number): number {
  placePart(place, part, true, partA);
  return length(partA.offset) + partA.shape.boundingRadius * partA.scale;
}

/** Writes the contact of the parts at a time to `present`. */
function findContact(a: BodyPlace, b: BodyPlace, numberA: number, numberB: number, time: number): void {
  turn(a, motion.angularVelocityA, time, laterA);
  turn(b, motion.angularVelocityB, time, laterB);
  placePart(laterA, numberA, true, partA);
  placePart(laterB, numberB, true, partB);
  addScaled(motion.offset, motion.velocity, time, between);
  pairOfParts(partA, partB, between, pair);
  contact(pair, partA.shape, partB.shape, AT_ANY_DISTANCE, present);
}

function meet(time: number, to: PairResult): void {
  decided(0, 0, 1, to);
  to.status = STATUS_OVERLAPPING;
  to.hasPoints = true;
  to.unclampedTime = time;
  copy(present.normal, to.normal);
  addScaled(present.pointA, partA.offset, 1, to.pointA);
}

/** For parts that overlap at the start: since when, if they have moved with their linear velocities and without rotation. */
function meetAtStart(numberA: number, numberB: number, a: BodyPlace, b: BodyPlace, to: PairResult): void {
  placePart(a, numberA, true, partA);
  placePart(b, numberB, true, partB);
  setOffset(motion.offset, partA, partB, motion.offset);
  set(0, 0, 0, motion.angularVelocityA);
  set(0, 0, 0, motion.angularVelocityB);
  motion.passesParting = false;
  impactOfBodies(pair, movingParts(), 'sat', to);
  addScaled(to.pointA, partA.offset, 1, to.pointA);
}
