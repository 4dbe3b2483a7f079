/** The workloads of the cases: those of `npm run bench`, and bodies in motion. */

import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { AnyBodies, BodyMotion } from '../../src/records/bodies.ts';
import { createRandom, uniform, unitVector, type Random } from '../families/random.ts';
import { DURATION } from '../workloads/aim.ts';
import { makeMovingWorkload, makeWorkload, type MovingWorkloadName } from '../workloads/make.ts';
import { makePlanarWorkload, PLANAR_WORKLOADS, type PlanarWorkloadName } from '../workloads/planar.ts';

export type CaseWorkloadName = MovingWorkloadName | PlanarWorkloadName;

/**
 * `straight`: without rotation. `turning`: the same, and each body rotates. `rays`: A rests, and B is a ray, as
 * `rayCasts` gives it to the kernels.
 */
export type Motion = 'straight' | 'turning' | 'rays';

/** Pair i has bodies 2i and 2i + 1. */
export interface CaseWorkload {
  dimension: 2 | 3;
  shapes: (ShapeDescription | PlanarConvexDescription)[];
  bodies: AnyBodies;
  pairs: Uint32Array;
  motion: BodyMotion | null;
}

export function isPlanar(name: CaseWorkloadName): name is PlanarWorkloadName {
  return (PLANAR_WORKLOADS as readonly string[]).includes(name);
}

/** `hitRate` is the share of pairs that overlap, 0 to 1. About half of the pairs in motion meet. */
export function makeCaseWorkload(
  name: CaseWorkloadName,
  motion: Motion | null,
  pairCount: number,
  hitRate: number,
  seed: number,
): CaseWorkload {
  if (isPlanar(name)) {
    const still = { ...makePlanarWorkload(name, pairCount, hitRate, seed), motion: null };
    return motion ? move(still, motion, createRandom(seed + 1)) : still;
  }
  if (!motion) return { ...makeWorkload(name, pairCount, hitRate, seed), motion: null };
  const { bodies, ...moving } = makeMovingWorkload(name, pairCount, seed);
  const { linearVelocities: linear, ...posed } = bodies;
  const straight = { ...moving, bodies: posed, motion: { linear, duration: DURATION } };
  return motion === 'straight' ? straight : move(straight, motion, createRandom(seed + 1));
}

function move(workload: CaseWorkload, motion: Motion, random: Random): CaseWorkload {
  const straight = { ...workload, motion: workload.motion ?? approach(workload, random) };
  if (motion === 'rays') return asRays(straight, random);
  if (motion === 'straight') return straight;
  return { ...straight, motion: { ...straight.motion, angular: turns(workload, random) } };
}

/** When B is where it was, in durations. */
const PASSES = { first: 0.2, last: 1.9 };

/** Moves B away from A, so that it comes back to where it was. */
function approach({ dimension: axes, bodies: { positions } }: CaseWorkload, random: Random): BodyMotion {
  const linear = new Float32Array(positions.length);
  for (let at = 0; at < positions.length; at += 2 * axes) {
    const [a, b] = [at, at + axes];
    const time = DURATION * uniform(random, PASSES.first, PASSES.last);
    const share = uniform(random, 1, 3);
    for (let k = 0; k < axes; k++) {
      const way = share * (positions[b + k] - positions[a + k]);
      positions[b + k] += way;
      linear[b + k] = -way / time;
    }
  }
  return { linear, duration: DURATION };
}

/** Radians per second at most. */
const FASTEST_TURN = Math.PI;

function turns({ dimension, bodies: { shapes } }: CaseWorkload, random: Random): Float32Array {
  if (dimension === 2) return Float32Array.from(shapes, () => uniform(random, -FASTEST_TURN, FASTEST_TURN));
  const axis = [0, 0, 0];
  const angular = new Float32Array(3 * shapes.length);
  for (let body = 0; body < shapes.length; body++) {
    const speed = uniform(random, 0, FASTEST_TURN);
    unitVector(random, axis).forEach((x, k) => (angular[3 * body + k] = speed * x));
  }
  return angular;
}

/** The scale of a ray's ball, as src/tester/ray-casts.ts has it. */
const RAY_SCALE = 1e-30;
/** How far from A's origin rays go past, in sizes of A's corner that is farthest out. */
const WIDEST_RAY = 2;

/** Rays from where B was to near A. Directions are as long as the way there. */
function asRays({ dimension: axes, shapes, bodies, pairs }: CaseWorkload, random: Random): CaseWorkload {
  const { positions } = bodies;
  const linear = new Float32Array(positions.length);
  const aside = axes === 2 ? [0, 0] : [0, 0, 0];
  const ball = shapes.length;
  const scales = new Float32Array(bodies.shapes.length).fill(1);
  const ids = bodies.shapes.slice();
  for (let body = 1; body < ids.length; body += 2) {
    const [a, b] = [axes * (body - 1), axes * body];
    const size = uniform(random, 0, WIDEST_RAY) * extentOf(shapes[ids[body - 1]]);
    unitVector(random, aside);
    for (let k = 0; k < axes; k++) linear[b + k] = positions[a + k] + size * aside[k] - positions[b + k];
    ids[body] = ball;
    scales[body] = RAY_SCALE;
  }
  const unit: ShapeDescription | PlanarConvexDescription = { type: axes === 2 ? 'circle' : 'sphere', radius: 1 };
  return {
    dimension: axes,
    shapes: [...shapes, unit],
    bodies: { ...bodies, shapes: ids, scales } as AnyBodies,
    pairs,
    motion: { linear, duration: Infinity },
  };
}

function extentOf(shape: ShapeDescription | PlanarConvexDescription): number {
  if ('halfExtents' in shape) return Math.hypot(...Array.from(shape.halfExtents));
  if ('points' in shape) return Math.max(...Array.from(shape.points, Math.abs));
  return 'radius' in shape ? Number(shape.radius) : 1;
}
