/**
 * Families in motion, made from a family of pairs that overlap, touch or are apart. Each pair's pose is taken as its
 * pose at some moment of a motion, and the pair is moved back along that motion to its start.
 */

import { contact, createShape, type CpuMovingPose, type CpuShape } from '../../src/cpu.ts';
import type { MovingBodies } from '../../src/api/types.ts';
import { multiply, pick } from './arrangements.ts';
import { joinFamilies, poseOf, shapeCores, type Family } from './family.ts';
import { createRandom, spread, uniform, unitVector, type Random } from './random.ts';

/**
 * How a pair moves. Its pose in the still family occurs during the motion (`through`), at the start (`now`) or before
 * the start (`past`). Or it passes with almost no touch (`grazing`), or both bodies have the same velocity
 * (`together`).
 */
export type Course = 'through' | 'now' | 'past' | 'grazing' | 'together';

export interface MovingFamily extends Family {
  bodies: Family['bodies'] & MovingBodies & { linearVelocities: Float32Array; matrices?: undefined };
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

export interface MotionOptions {
  isTurning?: boolean;
  /** Default half a second. */
  duration?: number;
}

/** The family with velocities. Pair i must be bodies 2i and 2i + 1. Positions keep their type of array. */
export function setInMotion(
  family: Family,
  seed: number,
  { isTurning = false, duration = 0.5 }: MotionOptions = {},
): MovingFamily {
  const random = createRandom(seed);
  const { extents } = shapeCores(family.shapes);
  const shapes = family.shapes.map((description) => createShape(description));
  const { bodies } = family;
  const count = bodies.shapes.length;
  const linearVelocities = new Float32Array(3 * count);
  const angularVelocities = new Float32Array(3 * count);
  const moving: MovingFamily = {
    ...family,
    bodies: {
      ...bodies,
      positions: bodies.positions.slice(),
      quaternions: bodies.quaternions.slice(),
      linearVelocities,
      ...(isTurning && { angularVelocities }),
    },
    duration,
    courses: [],
  };
  for (let i = 0; i < count / 2; i++) {
    const course = pick(random, COURSES);
    moving.courses.push(course);
    const size =
      [0, 1].reduce(
        (sum, side) => sum + extents[bodies.shapes[2 * i + side]] * (bodies.scales?.[2 * i + side] ?? 1),
        0,
      ) || 1;
    const velocity =
      course === 'together' ? [0, 0, 0] : relativeVelocity(random, family, shapes, i, course, size / duration);
    // The share of the relative velocity that each body has, and a velocity that both have in addition.
    const share = pick(random, [0, 1, 0.5, uniform(random, 0, 1)]);
    const common = unitVector(random, [0, 0, 0]).map((x) =>
      random() < 0.5 ? 0 : (x * spread(random, 4, 6) * size) / duration,
    );
    const moment =
      course === 'now' ? 0 : duration * uniform(random, course === 'past' ? -0.5 : 0, course === 'past' ? 0 : 1);
    for (const side of [0, 1]) {
      const body = 2 * i + side;
      for (let k = 0; k < 3; k++)
        linearVelocities[3 * body + k] = common[k] + (side === 0 ? -share : 1 - share) * velocity[k];
      if (isTurning && random() < 0.8) angularVelocities.set(spin(random, duration), 3 * body);
      sendBack(moving, family, body, moment);
    }
  }
  return moving;
}

/** B's velocity relative to A. `speed` 1 is one size of the pair within the duration. */
function relativeVelocity(
  random: Random,
  family: Family,
  shapes: CpuShape[],
  pair: number,
  course: Course,
  speed: number,
): number[] {
  const direction = unitVector(random, [0, 0, 0]);
  const { bodies } = family;
  if (course === 'grazing') {
    const { normal } = contact(
      shapes[bodies.shapes[2 * pair]],
      poseOf(family, 2 * pair),
      shapes[bodies.shapes[2 * pair + 1]],
      poseOf(family, 2 * pair + 1),
      { margin: Infinity },
    );
    const along = direction.reduce((sum, x, k) => sum + x * normal[k], 0);
    for (let k = 0; k < 3; k++) direction[k] -= along * normal[k];
  } else if (random() < 0.2) {
    // Along one of the axes, as for falling and sliding bodies.
    const axis = Math.floor(3 * random());
    for (let k = 0; k < 3; k++) direction[k] = k === axis ? Math.sign(direction[k]) : 0;
  }
  return direction.map((x) => x * spread(random, 16, 10) * speed);
}

/**
 * Usually a few radians within the duration, sometimes many, sometimes very few, sometimes about an axis of the world.
 */
function spin(random: Random, duration: number): number[] {
  const axis =
    random() < 0.25
      ? pick(random, [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, -1],
        ])
      : unitVector(random, [0, 0, 0]);
  const turn = random() < 0.1 ? 10 ** -uniform(random, 3, 7) : spread(random, 30, 10);
  return axis.map((x) => (x * turn) / duration);
}

/** Makes the pose in the still family the body's pose at the moment. */
function sendBack({ bodies }: MovingFamily, still: Family, body: number, moment: number): void {
  const { linearVelocities, angularVelocities } = bodies;
  for (let k = 0; k < 3; k++)
    bodies.positions[3 * body + k] = still.bodies.positions[3 * body + k] - moment * linearVelocities[3 * body + k];
  if (!angularVelocities) return;
  const w = angularVelocities.subarray(3 * body, 3 * body + 3);
  bodies.quaternions.set(
    multiply(turnOf(w, -moment), still.bodies.quaternions.subarray(4 * body, 4 * body + 4)),
    4 * body,
  );
}

/** The rotation by an angular velocity in radians per second over a number of seconds, as a unit quaternion. */
export function turnOf(velocity: ArrayLike<number>, seconds: number): number[] {
  const speed = Math.hypot(velocity[0], velocity[1], velocity[2]);
  if (speed === 0) return [0, 0, 0, 1];
  const half = 0.5 * speed * seconds;
  const share = Math.sin(half) / speed;
  return [velocity[0] * share, velocity[1] * share, velocity[2] * share, Math.cos(half)];
}

/** One body of a moving family, in the form that the reference takes. */
export function movingPoseOf(family: MovingFamily, body: number): CpuMovingPose {
  const { linearVelocities, angularVelocities } = family.bodies;
  return {
    ...poseOf(family, body),
    linearVelocity: linearVelocities.subarray(3 * body, 3 * body + 3),
    ...(angularVelocities && { angularVelocity: angularVelocities.subarray(3 * body, 3 * body + 3) }),
  };
}

function joined<Column extends Float32Array | Float64Array>(columns: readonly Column[]): Column {
  const all = new (columns[0].constructor as new (length: number) => Column)(
    columns.reduce((sum, column) => sum + column.length, 0),
  );
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/** Joins families with the same motion. The pairs of each family follow all pairs of those before it. */
export function joinMoving(name: string, families: readonly MovingFamily[]): MovingFamily {
  const family = joinFamilies(name, families);
  const turns = families.flatMap(({ bodies: { angularVelocities } }) => (angularVelocities ? [angularVelocities] : []));
  return {
    ...family,
    bodies: {
      ...family.bodies,
      scales: family.bodies.scales ?? new Float32Array(family.bodies.shapes.length).fill(1),
      linearVelocities: joined(families.map(({ bodies }) => bodies.linearVelocities)),
      ...(turns.length > 0 && { angularVelocities: joined(turns) }),
    },
    duration: families[0].duration,
    courses: families.flatMap(({ courses }) => courses),
  };
}
