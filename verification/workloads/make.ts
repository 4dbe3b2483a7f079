/** The workloads in space by name; the same seed gives the same numbers everywhere. */

import { shapeCores } from '../families/family.ts';
import { below, createRandom, uniform, type Random } from '../families/random.ts';
import { randomBox, randomCapsule, randomSphere } from '../families/random-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { aimPair, DURATION } from './aim.ts';
import { makeDebris } from './debris.ts';
import { hullOf } from '../families/hulls.ts';
import { placePair } from './place.ts';
import { emptyWorkload, type MovingWorkload, type Workload } from './workload.ts';

export const WORKLOADS = ['boxes', 'hull8', 'hull32', 'hull64', 'hull128', 'mixed', 'debris'] as const;
export type WorkloadName = (typeof WORKLOADS)[number];
export type MovingWorkloadName = Exclude<WorkloadName, 'debris'>;

const SHAPES = 64;

const box = (random: Random, index: number): ShapeDescription => randomBox(random, index);
const hull =
  (count: number) =>
  (random: Random): ShapeDescription =>
    hullOf(random, count);
/** Debris is of about one size. */
const chunk =
  (count: number) =>
  (random: Random): ShapeDescription =>
    hullOf(random, count, uniform(random, 0.4, 0.8));
const plank = (random: Random, index: number): ShapeDescription => randomBox(random, index, uniform(random, 0.4, 0.8));

/** Shape k of a workload is made by maker k, counted round. */
const MAKERS: Record<WorkloadName, ((random: Random, index: number) => ShapeDescription)[]> = {
  boxes: [box],
  hull8: [hull(8)],
  hull32: [hull(32)],
  hull64: [hull(64)],
  hull128: [hull(128)],
  mixed: [
    box,
    hull(8),
    (random) => randomCapsule(random),
    hull(32),
    box,
    (random) => randomSphere(random),
    hull(16),
    hull(64),
  ],
  debris: [plank, chunk(8), chunk(16), chunk(32)],
};

/** `hitRate` is the share of pairs that overlap, 0 to 1; for debris it is as it comes. */
export function makeWorkload(name: WorkloadName, pairCount: number, hitRate: number, seed: number): Workload {
  const random = createRandom(seed);
  const shapes = makeShapes(name, random);
  const cores = shapeCores(shapes);
  if (name === 'debris') return makeDebris(random, emptyWorkload({ name, shapes }, 0), cores, pairCount);
  const workload = emptyWorkload({ name, shapes }, 2 * pairCount);
  for (let i = 0; i < pairCount; i++)
    placePair(random, workload, cores, i, [below(random, SHAPES), below(random, SHAPES)], random() < hitRate);
  return { ...workload, pairs: Uint32Array.from({ length: 2 * pairCount }, (_, body) => body) };
}

/** Bodies in motion, pair by pair; as `aimPair` aims them about half of the pairs meet. */
export function makeMovingWorkload(name: MovingWorkloadName, pairCount: number, seed: number): MovingWorkload {
  const random = createRandom(seed);
  const shapes = makeShapes(name, random);
  const cores = shapeCores(shapes);
  const { bodies } = emptyWorkload({ name, shapes }, 2 * pairCount);
  const moving = { ...bodies, linearVelocities: new Float32Array(6 * pairCount) };
  for (let i = 0; i < pairCount; i++) aimPair(random, moving, cores, i, [below(random, SHAPES), below(random, SHAPES)]);
  return {
    name,
    dimension: 3,
    shapes,
    bodies: moving,
    pairs: Uint32Array.from({ length: 2 * pairCount }, (_, body) => body),
    duration: DURATION,
  };
}

function makeShapes(name: WorkloadName, random: Random): ShapeDescription[] {
  const makers = MAKERS[name];
  return Array.from({ length: SHAPES }, (_, index) => makers[index % makers.length](random, index));
}
