/** Pins, spikes, slivers and plates, 1e-5 to 5e-3 wide, that turn fast beside each other and beside thicker bodies. */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { CpuMovingPose } from '../../src/cpu.ts';
import type { PosedBodies, Velocities } from '../../src/api/types.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

const LEAST_WIDTH = 1e-5;
const MOST_WIDTH = 5e-3;
/** Radians within the duration of 1. */
const LEAST_TURN = 0.1;
const MOST_TURN = 31.99;
const DURATION = 1;

function width(random: Random): number {
  return LEAST_WIDTH * (MOST_WIDTH / LEAST_WIDTH) ** random();
}

/** 3 to 7 corners around a ring at a height. */
function ring(random: Random, halfHeight: number, wide: number, narrow: number): number[] {
  return Array.from({ length: 3 + below(random, 5) }).flatMap(() => {
    const angle = uniform(random, 0, 2 * Math.PI);
    return [wide * Math.cos(angle), -halfHeight, narrow * Math.sin(angle)];
  });
}

function thinShape(random: Random): ShapeDescription {
  const long = uniform(random, 0.3, 1);
  const wide = width(random);
  const narrow = random() < 0.5 ? wide : width(random);
  switch (below(random, 8)) {
    case 0:
      return { type: 'box', halfExtents: [wide, long, narrow] };
    case 1:
      return { type: 'cylinder', halfHeight: long, radius: wide };
    case 2:
      return { type: 'cone', halfHeight: long, radius: wide };
    case 3:
      return { type: 'capsule', halfHeight: long, radius: wide };
    case 4:
      return { type: 'triangle', points: [-long, 0, 0, long, 0, 0, uniform(random, -long, long), wide, 0] };
    case 5:
      return { type: 'hull', points: [0, long, 0, ...ring(random, long, wide, narrow)] };
    case 6:
      return {
        type: 'hull',
        points: Array.from({ length: 4 + below(random, 12) }).flatMap(() =>
          [wide, long, narrow].map((x) => x * uniform(random, -1, 1)),
        ),
      };
    default:
      return { type: 'box', halfExtents: [long, wide, long * uniform(random, 0.1, 1)] };
  }
}

function plumpShape(random: Random): ShapeDescription {
  switch (below(random, 5)) {
    case 0:
      return { type: 'box', halfExtents: [0.5, 0.3, 0.4] };
    case 1:
      return { type: 'sphere', radius: 0.5 };
    case 2:
      return { type: 'cylinder', halfHeight: 0.4, radius: 0.4 };
    case 3:
      return { type: 'cone', halfHeight: 0.5, radius: 0.5 };
    default:
      return {
        type: 'hull',
        points: Array.from({ length: 20 }).flatMap(() => unitVector(random, [0, 0, 0]).map((x) => 0.6 * x)),
      };
  }
}

export interface Slivers {
  /** Shape of each body; bodies 2i and 2i + 1 are pair i. */
  shapes: ShapeDescription[];
  bodies: PosedBodies & Required<Velocities> & { positions: Float32Array; quaternions: Float32Array };
  duration: number;
}

/**
 * A larger count begins with the same pairs as a smaller one. In every other pair the origins pass each other within
 * 0.3, in the rest within 1.2.
 */
export function makeSlivers(count: number, seed: number): Slivers {
  const random = createRandom(seed);
  const shapes: ShapeDescription[] = [];
  const bodies = {
    shapes: Uint32Array.from({ length: 2 * count }, (_, i) => i),
    positions: new Float32Array(6 * count),
    quaternions: new Float32Array(8 * count),
    linearVelocities: new Float32Array(6 * count),
    angularVelocities: new Float32Array(6 * count),
  };
  for (let pair = 0; pair < count; pair++) {
    const b = 2 * pair + 1;
    shapes.push(thinShape(random), random() < 0.7 ? thinShape(random) : plumpShape(random));
    const direction = unitVector(random, [0, 0, 0]);
    const speed = 10 ** uniform(random, -2, 1);
    const time = uniform(random, 0.05, 1) * DURATION;
    const miss = uniform(random, 0, pair % 2 === 0 ? 0.3 : 1.2);
    const aside = unitVector(random, [0, 0, 0]);
    bodies.positions.set(
      aside.map((x, k) => miss * x - direction[k] * speed * time),
      3 * b,
    );
    bodies.linearVelocities.set(
      direction.map((x) => x * speed),
      3 * b,
    );
    for (const body of [b - 1, b]) {
      bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * body);
      const turn = random() < 0.9 ? LEAST_TURN * (MOST_TURN / LEAST_TURN) ** random() : 0;
      bodies.angularVelocities.set(
        unitVector(random, [0, 0, 0]).map((x) => (turn / DURATION) * x),
        3 * body,
      );
    }
  }
  return { shapes, bodies, duration: DURATION };
}

/** The pose in the form that the reference takes. */
export function sliverPose(
  { positions, quaternions, linearVelocities, angularVelocities }: Slivers['bodies'],
  body: number,
): CpuMovingPose {
  return {
    position: positions.subarray(3 * body, 3 * body + 3),
    quaternion: quaternions.subarray(4 * body, 4 * body + 4),
    linearVelocity: linearVelocities.subarray(3 * body, 3 * body + 3),
    angularVelocity: angularVelocities.subarray(3 * body, 3 * body + 3),
  };
}
