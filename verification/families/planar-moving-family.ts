/**
 * Families of 2-D pairs in motion, made like those of moving-family.ts. Each pair's pose is taken as its pose at some
 * moment of a motion, and the pair is moved back along that motion to its start.
 */
import type { Course } from './moving-family.ts';
import { pick } from './arrangements.ts';
import type { PlanarMover, PlanarMovingPair } from '../oracle/planar-motion.ts';
import { planarSignedDistance, type Vector2 } from '../oracle/planar.ts';
import { planarPairsOf, planarPoseOf, type PlanarFamily, type PlanarFamilyPair } from './planar-family.ts';
import { createRandom, spread, uniform, unitVector, type Random } from './random.ts';

export interface PlanarMovingFamily extends PlanarFamily {
  bodies: PlanarFamily['bodies'] & { linearVelocities: Float32Array; angularVelocities?: Float32Array };
  /** Seconds. */
  duration: number;
  /** One per pair. */
  courses: Course[];
}

/** Repeated entries are more frequent. */
const COURSES: readonly Course[] = [
  'through',
  'through',
  'through',
  'through',
  'through',
  'now',
  'now',
  'past',
  'grazing',
  'grazing',
  'together',
];

/** The family with velocities. Pair i must be bodies 2i and 2i + 1. Positions keep their type of array. */
export function setPlanarInMotion(
  family: PlanarFamily,
  seed: number,
  isTurning: boolean,
  duration = 0.5,
): PlanarMovingFamily {
  const random = createRandom(seed);
  const { bodies } = family;
  const count = bodies.shapes.length;
  const linearVelocities = new Float32Array(2 * count);
  const angularVelocities = new Float32Array(count);
  const moving: PlanarMovingFamily = {
    ...family,
    bodies: {
      ...bodies,
      positions: bodies.positions.slice(),
      angles: bodies.angles.slice(),
      linearVelocities,
      ...(isTurning && { angularVelocities }),
    },
    duration,
    courses: [],
  };
  for (const still of planarPairsOf(family)) {
    const course = pick(random, COURSES);
    moving.courses.push(course);
    const { a, b, poseA, poseB, index } = still;
    const size = a.boundingRadius * (poseA.scale ?? 1) + b.boundingRadius * (poseB.scale ?? 1) || 1;
    const velocity = course === 'together' ? [0, 0] : relativeVelocity(random, still, course, size / duration);
    // The share of the relative velocity that each body has, and a velocity that both have in addition.
    const share = pick(random, [0, 1, 0.5, uniform(random, 0, 1)]);
    const common = unitVector(random, [0, 0]).map((x) =>
      random() < 0.5 ? 0 : (x * spread(random, 4, 6) * size) / duration,
    );
    const moment =
      course === 'now' ? 0 : duration * uniform(random, course === 'past' ? -0.5 : 0, course === 'past' ? 0 : 1);
    for (const side of [0, 1]) {
      const body = 2 * index + side;
      for (let k = 0; k < 2; k++)
        linearVelocities[2 * body + k] = common[k] + (side === 0 ? -share : 1 - share) * velocity[k];
      if (isTurning && random() < 0.8) angularVelocities[body] = spin(random, duration);
      for (let k = 0; k < 2; k++) moving.bodies.positions[2 * body + k] -= moment * linearVelocities[2 * body + k];
      moving.bodies.angles[body] -= moment * angularVelocities[body];
    }
  }
  return moving;
}

/** B's velocity relative to A. `speed` 1 is one size of the pair within the duration. */
function relativeVelocity(
  random: Random,
  { a, b, poseA, poseB }: PlanarFamilyPair,
  course: Course,
  speed: number,
): number[] {
  const direction = unitVector(random, [0, 0]);
  if (course === 'grazing') {
    const [x, y] = planarSignedDistance(a, poseA, b, poseB).normal;
    const along = direction[0] * x + direction[1] * y;
    direction[0] -= along * x;
    direction[1] -= along * y;
  } else if (random() < 0.2) {
    // Along one of the axes, as for falling and sliding bodies.
    direction[random() < 0.5 ? 0 : 1] = 0;
  }
  return direction.map((x) => x * spread(random, 16, 10) * speed);
}

/** Usually a few radians within the duration, sometimes many, sometimes very few. */
function spin(random: Random, duration: number): number {
  const turn = random() < 0.1 ? 10 ** -uniform(random, 3, 7) : spread(random, 30, 10);
  return ((random() < 0.5 ? -1 : 1) * turn) / duration;
}

/** One pair of a moving family, in the form that the judge takes. */
export function planarMovingPair(family: PlanarMovingFamily, { a, b, index }: PlanarFamilyPair): PlanarMovingPair {
  return { a, b, poseA: moverOf(family, 2 * index), poseB: moverOf(family, 2 * index + 1), duration: family.duration };
}

function moverOf(family: PlanarMovingFamily, body: number): PlanarMover {
  const { linearVelocities, angularVelocities } = family.bodies;
  return {
    ...planarPoseOf(family, body),
    linearVelocity: linearVelocities.subarray(2 * body, 2 * body + 2) as unknown as Vector2,
    ...(angularVelocities && { angularVelocity: angularVelocities[body] }),
  };
}
