/**
 * Bodies that overlap at the start of their motion, with any velocities, and the expected outcome from signed distances
 * at many times.
 */

import { createShape, planar, type CpuMovingPose } from '../../src/cpu.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import { gapAt, movingPair, type MovingPair } from '../oracle/motion.ts';
import type { PlanarMover } from '../oracle/planar-motion.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

export const DURATION = 3;
/** Least depth. At smaller depths rounding decides. */
const LEAST_DEPTH = 1e-3;
/** Seconds between two evaluations. */
const LOOK = 2e-3;
/** Durations in seconds over which a change of depth must be consistent, and the least rate of change that counts. */
const SOON = [5e-4, 1e-2];
const LEAST_RATE = 0.03;
/** From this distance on, bodies that touch again have separated before. */
const APART = 0.01;

/** The expected answer: a hit at once, no hit, or a hit at a later time after the bodies have separated. */
export type Course = 'closing' | 'parting' | 'returning' | 'unclear';

export interface OverlappingPair<Pose, Shape> {
  shapeA: Shape;
  shapeB: Shape;
  a: Pose;
  b: Pose;
  course: Course;
  /** For `returning`: the time of the later hit, to within `LOOK`. */
  time: number;
}

/** `fastest`: an upper bound of the rate of change of the distance, per second. */
function courseOf(distanceAt: (time: number) => number, fastest: number): { course: Course; time: number } {
  const [rate, later] = SOON.map((seconds) => (distanceAt(seconds) - distanceAt(0)) / seconds);
  if (Math.min(Math.abs(rate), Math.abs(later)) < LEAST_RATE || rate * later < 0)
    return { course: 'unclear', time: NaN };
  if (rate < 0) return { course: 'closing', time: 0 };
  let isApart = false;
  /** Even by very little. */
  let wasApart = false;
  let least = Infinity;
  for (let look = 0; look * LOOK <= DURATION;) {
    const time = look * LOOK;
    const distance = distanceAt(time);
    if (isApart) least = Math.min(least, distance);
    if (isApart && distance < -1e-4) return { course: 'returning', time };
    if (!isApart && wasApart && distance <= 0) return { course: 'unclear', time: NaN };
    wasApart ||= distance > 0;
    isApart ||= distance > APART;
    // Until then the distance stays on this side of zero, and of APART.
    look += Math.max(1, Math.floor((Math.abs(distance) - APART) / fastest / LOOK));
  }
  // If the bodies almost touch again, either answer is right.
  return { course: wasApart && (!isApart || least < APART) ? 'unclear' : 'parting', time: Infinity };
}

interface Mover {
  position: ArrayLike<number>;
  linearVelocity?: ArrayLike<number>;
  angularVelocity?: ArrayLike<number> | number;
}

function lengthOf(x: ArrayLike<number> | number = 0): number {
  return Math.hypot(...(typeof x === 'number' ? [x] : Array.from(x)));
}

/** An upper bound of the rate of change of the distance of two moving bodies, per second. */
function greatestRate(
  a: Mover,
  b: Mover,
  shapeA: { boundingRadius: number },
  shapeB: { boundingRadius: number },
): number {
  const speeds = lengthOf(a.linearVelocity) + lengthOf(b.linearVelocity);
  // The bounding radius of a half-space is 0, but its plane reaches as far as the other body may be.
  const farthest = lengthOf(a.position) + lengthOf(b.position) + speeds * DURATION;
  const reachOf = (own: number, other: number): number => (own > 0 ? own : farthest + other);
  const reachA = reachOf(shapeA.boundingRadius, shapeB.boundingRadius);
  const reachB = reachOf(shapeB.boundingRadius, shapeA.boundingRadius);
  return speeds + lengthOf(a.angularVelocity) * reachA + lengthOf(b.angularVelocity) * reachB;
}

function vector(random: Random, most: number, axes: number): number[] {
  return Array.from({ length: axes }, () => Math.fround(uniform(random, -most, most)));
}

function turn(random: Random, isTurning: boolean): number[] {
  return isTurning ? unitVector(random, [0, 0, 0]).map((x) => Math.fround(x * uniform(random, 0, 4))) : [0, 0, 0];
}

const SHAPES: ShapeDescription[] = [
  { type: 'sphere', radius: 0.5 },
  { type: 'box', halfExtents: [0.5, 0.3, 0.4] },
  { type: 'box', halfExtents: [0.3, 0.3, 0.2], radius: 0.1 },
  { type: 'capsule', halfHeight: 0.4, radius: 0.2 },
  { type: 'cylinder', halfHeight: 0.4, radius: 0.4 },
  { type: 'cone', halfHeight: 0.5, radius: 0.5 },
  { type: 'hull', points: [0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.4, 0, 0, 0, 0.5, 0, 0, -0.3] },
  { type: 'hull', points: [0, 0, 0, 0.6, 0, 0, 0, 0.6, 0, 0, 0, 0.6] },
  { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
];

export function overlappingPairs(
  count: number,
  seed: number,
  isTurning: boolean,
): OverlappingPair<CpuMovingPose, ShapeDescription>[] {
  const random = createRandom(seed);
  const made = SHAPES.map((shape) => createShape(shape));
  const found: OverlappingPair<CpuMovingPose, ShapeDescription>[] = [];
  const mover = (most: number): CpuMovingPose => ({
    position: vector(random, most, 3),
    quaternion: unitVector(random, [0, 0, 0, 0]).map(Math.fround),
    linearVelocity: vector(random, 1, 3),
    angularVelocity: turn(random, isTurning),
  });
  while (found.length < count) {
    const [indexA, indexB] = [below(random, SHAPES.length), below(random, SHAPES.length - 1)];
    const [shapeA, shapeB, a, b] = [SHAPES[indexA], SHAPES[indexB], mover(0), mover(0.6)];
    const pair: MovingPair = movingPair(
      { shape: shapeA, pose: a },
      { shape: shapeB, pose: b },
      made[indexA],
      made[indexB],
    );
    if (gapAt(pair, 0).distance > -LEAST_DEPTH) continue;
    found.push({
      shapeA,
      shapeB,
      a,
      b,
      ...courseOf((time) => gapAt(pair, time).distance, greatestRate(a, b, made[indexA], made[indexB])),
    });
  }
  return found;
}

const PLANAR_SHAPES: PlanarConvexDescription[] = [
  { type: 'circle', radius: 0.4 },
  { type: 'rectangle', halfExtents: [0.5, 0.3] },
  { type: 'rectangle', halfExtents: [0.3, 0.2], radius: 0.1 },
  { type: 'capsule', halfHeight: 0.4, radius: 0.2 },
  { type: 'polygon', points: [-0.4, -0.3, 0.5, -0.2, 0, 0.5] },
];

function poseAt(
  { position, angle, linearVelocity, angularVelocity = 0 }: PlanarMover,
  time: number,
): { position: number[]; angle: number } {
  return { position: [0, 1].map((k) => position[k] + linearVelocity[k] * time), angle: angle + angularVelocity * time };
}

export function overlappingPlanarPairs(
  count: number,
  seed: number,
  isTurning: boolean,
): OverlappingPair<PlanarMover, PlanarConvexDescription>[] {
  const random = createRandom(seed);
  const made = PLANAR_SHAPES.map((shape) => planar.createShape(shape));
  const found: OverlappingPair<PlanarMover, PlanarConvexDescription>[] = [];
  const mover = (most: number): PlanarMover => ({
    position: vector(random, most, 2),
    angle: Math.fround(uniform(random, -3, 3)),
    linearVelocity: vector(random, 1, 2),
    angularVelocity: isTurning ? Math.fround(uniform(random, -4, 4)) : 0,
  });
  while (found.length < count) {
    const [indexA, indexB] = [below(random, PLANAR_SHAPES.length), below(random, PLANAR_SHAPES.length)];
    const [a, b] = [mover(0), mover(0.6)];
    const distanceAt = (time: number): number =>
      planar.contact(made[indexA], poseAt(a, time), made[indexB], poseAt(b, time), { margin: Infinity }).distance;
    if (distanceAt(0) > -LEAST_DEPTH) continue;
    const fastest = greatestRate(a, b, made[indexA], made[indexB]);
    found.push({
      shapeA: PLANAR_SHAPES[indexA],
      shapeB: PLANAR_SHAPES[indexB],
      a,
      b,
      ...courseOf(distanceAt, fastest),
    });
  }
  return found;
}

/** Faults of an answer for which bodies that separate don't count as an impact. */
export function partingFault(
  { course, time }: Pick<OverlappingPair<unknown, unknown>, 'course' | 'time'>,
  said: { status: number; time: number },
): string | undefined {
  const [SEPARATED, OVERLAPPING] = [0, 1];
  if (course === 'closing')
    return said.status === OVERLAPPING && said.time === 0 ? undefined : 'closes in, and is no hit at once';
  if (course === 'parting')
    return said.status === SEPARATED && said.time === Infinity ? undefined : `parts, and is a hit at ${said.time}`;
  if (course === 'unclear') return said.status <= OVERLAPPING ? undefined : 'is left open';
  return said.status === OVERLAPPING && Math.abs(said.time - time) < 2 * LOOK
    ? undefined
    : `returns at ${time}, not ${said.time}`;
}
