/** The reference's answers for two parts of bodies in 2-D. A part has the pose of its body, so points need not be moved. */
import { MOTION_TOUCH_ULPS } from '../../generated/constants.ts';
import { planarMprDepth, planarStage } from '../../request/planar-algorithm.ts';
import { planarPart } from '../../shapes/planar-part-shapes.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import type { PairOptions } from '../asked-pairs.ts';
import { feature } from '../planar/feature.ts';
import { createManifoldPoints, manifold } from '../planar/manifold.ts';
import { addScaled, rotateBack, scale, set, vec2 } from '../planar/math.ts';
import { createPlanarPair, rotatedPair, type PlanarPair } from '../planar/pair.ts';
import { contact } from '../planar/queries/contacts.ts';
import { distance } from '../planar/queries/distances.ts';
import { impactOfBodies } from '../planar/queries/impacts.ts';
import { intersects } from '../planar/queries/intersects.ts';
import { writeManifold } from '../planar/queries/manifolds.ts';
import { createMotion, isRound, type MovingBodies } from '../planar/queries/motion.ts';
import { marginInUnits } from '../planar/queries/pair-unit.ts';
import { createAnswer } from '../planar/queries/signed-distance.ts';
import { support } from '../planar/support.ts';
import type { PairResult } from '../queries/result.ts';
import { vec3 } from '../math.ts';
import { angularVelocity, linearVelocity } from './body-motion.ts';
import type { PairPlaces } from './pair-places.ts';
import type { ImpactQuery } from './part-impacts.ts';
import type { BodyPlace } from './part-place.ts';

/** The shape of a body in 2-D. */
export function planarShapeOf({ shape }: Pick<BodyPlace, 'shape'>): PlanarShapeData {
  return shape as unknown as PlanarShapeData;
}

const pair = createPlanarPair();
const motion = createMotion();
const posed: MovingBodies = {
  shapeA: undefined!,
  poseA: { scale: 1, angle: 0 },
  shapeB: undefined!,
  poseB: { scale: 1, angle: 0 },
  motion,
};
const rotationA = vec2();
const rotationB = vec2();
const offset = vec2();
const ofA = vec3();
const ofB = vec3();

function setShapes({ a, b }: PairPlaces, partA: number, partB: number): void {
  posed.shapeA = planarPart(planarShapeOf(a), partA);
  posed.shapeB = planarPart(planarShapeOf(b), partB);
  posed.poseA.scale = a.scale;
  posed.poseB.scale = b.scale;
}

/** The pair of two parts, until the next call. */
export function planarPairOf(places: PairPlaces, partA: number, partB: number): PlanarPair {
  setShapes(places, partA, partB);
  set(places.a.rotation[0], places.a.rotation[1], rotationA);
  set(places.b.rotation[0], places.b.rotation[1], rotationB);
  set(places.offset.x, places.offset.y, offset);
  return rotatedPair(posed, rotationA, rotationB, offset, 0, pair);
}

export function planarContact(
  places: PairPlaces,
  partA: number,
  partB: number,
  { margin, leadStage, mprDepth }: PairOptions,
  to: PairResult,
): void {
  contact(planarPairOf(places, partA, partB), margin, planarStage(leadStage), to, planarMprDepth(mprDepth));
}

type AnswerParts = (places: PairPlaces, partA: number, partB: number, options: PairOptions, to: PairResult) => void;

function answerBy(algorithm: typeof distance | typeof intersects): AnswerParts {
  return (places, partA, partB, { margin, leadStage }, to) =>
    algorithm(planarPairOf(places, partA, partB), margin, planarStage(leadStage), to);
}

export const planarDistance = answerBy(distance);
export const planarIntersects = answerBy(intersects);

/**
 * The impact of two parts. Points are relative to A's position at that time. `to.unclampedTime` is infinite if they do not meet.
 * `begin`: a time up to which they are known to be apart, if one of the bodies rotates.
 */
export function planarImpact(
  places: PairPlaces,
  [partA, partB]: readonly [number, number],
  { motion: given, margin, leadStage }: ImpactQuery,
  to: PairResult,
  begin = 0,
): void {
  const { a, b } = places;
  setShapes(places, partA, partB);
  linearVelocity(given, a, ofA);
  linearVelocity(given, b, ofB);
  set(ofB.x - ofA.x, ofB.y - ofA.y, motion.velocity);
  motion.angularVelocityA = isRound(posed.shapeA) ? 0 : angularVelocity(given, a, ofA).z;
  motion.angularVelocityB = isRound(posed.shapeB) ? 0 : angularVelocity(given, b, ofB).z;
  // Circles that only rotate, and bodies that do not, are searched from the start.
  const isTurning = motion.angularVelocityA !== 0 || motion.angularVelocityB !== 0;
  const from = isTurning && begin > 0 ? begin : 0;
  const { x, y } = places.offset;
  set(x + motion.velocity.x * from, y + motion.velocity.y * from, motion.offset);
  posed.poseA.angle = Math.atan2(a.rotation[1], a.rotation[0]) + motion.angularVelocityA * from;
  posed.poseB.angle = Math.atan2(b.rotation[1], b.rotation[0]) + motion.angularVelocityB * from;
  motion.duration = given.duration - from;
  motion.margin = margin;
  motion.passesParting = given.passesParting === true && from === 0;
  motion.touchTolerance = MOTION_TOUCH_ULPS * 2 ** -23;
  impactOfBodies(pair, posed, leadStage, to);
  if (from > 0) to.unclampedTime = from + Math.max(to.unclampedTime, 0);
}

const answer = createAnswer();
const points = createManifoldPoints();
const pointA = vec2();
const backward = vec2();

/**
 * Writes the features of a contact, and with a margin the points of its manifold, from its normal, distance and points relative to A's
 * position.
 */
export function finishPlanarContact(
  places: PairPlaces,
  [partA, partB]: readonly [number, number],
  margin: number | undefined,
  to: PairResult,
): void {
  const { rotationA: turn, rotation, middleA, unit, coreA, coreB } = planarPairOf(places, partA, partB);
  const { normal } = answer;
  rotateBack(turn, to.normal, normal);
  rotateBack(rotation, scale(normal, -1, backward), backward);
  answer.lower = to.distance / unit;
  answer.cornerA = support(coreA, normal);
  answer.cornerB = support(coreB, backward);
  to.featureA = feature(coreA, normal, answer.cornerA);
  to.featureB = feature(coreB, backward, answer.cornerB);
  to.pointCount = 0;
  if (margin === undefined) return;
  addScaled(scale(rotateBack(turn, to.pointA, pointA), 1 / unit, pointA), middleA, -1, pointA);
  manifold(pair, answer, pointA, marginInUnits(pair, margin), points);
  writeManifold(pair, margin, points, to);
}
