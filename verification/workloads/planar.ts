/**
 * The workloads in the plane by name, of the sizes and with the shares of hits of those in space; the same seed gives
 * the same numbers everywhere.
 */

import { below, createRandom, spread, uniform, unitVector, type Random } from '../families/random.ts';
import { outlineOf } from './outlines.ts';
import { placePlanarPair } from './place-planar.ts';
import type { PlanarOutline, PlanarWorkload } from './workload.ts';

export const PLANAR_WORKLOADS = ['rectangles', 'polygon8'] as const;
export type PlanarWorkloadName = (typeof PLANAR_WORKLOADS)[number];

const SHAPES = 64;

/** A regular octagon's corners, counter-clockwise. */
const OCTAGON = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
].map((corner) => corner.map((x) => x / Math.hypot(...corner)));

const MAKERS: Record<PlanarWorkloadName, (random: Random, index: number) => PlanarOutline> = {
  rectangles: randomRectangle,
  polygon8: randomOctagon,
};

/** `hitRate` is the share of pairs that overlap, 0 to 1. */
export function makePlanarWorkload(
  name: PlanarWorkloadName,
  pairCount: number,
  hitRate: number,
  seed: number,
): PlanarWorkload {
  const random = createRandom(seed);
  const shapes = Array.from({ length: SHAPES }, (_, index) => MAKERS[name](random, index));
  const outlines = shapes.map(outlineOf);
  const bodies = {
    shapes: new Uint32Array(2 * pairCount),
    positions: new Float32Array(4 * pairCount),
    angles: new Float32Array(2 * pairCount),
  };
  for (let i = 0; i < pairCount; i++)
    placePlanarPair(random, bodies, outlines, i, [below(random, SHAPES), below(random, SHAPES)], random() < hitRate);
  return { name, dimension: 2, shapes, bodies, pairs: Uint32Array.from({ length: 2 * pairCount }, (_, body) => body) };
}

/**
 * As `randomBox`: the longer half edge is `longest`, the other down to a tenth of it; one in 16 is a needle of 100:1.
 */
function randomRectangle(random: Random, index: number): PlanarOutline {
  const longest = spread(random, 1, 4);
  const halfExtents = [longest, longest * (index % 16 === 7 ? 0.01 : uniform(random, 0.1, 1))].map(Math.fround);
  return { type: 'rectangle', halfExtents: random() < 0.5 ? halfExtents : halfExtents.reverse() };
}

/**
 * As `hullOf`: eight corners of an ellipse around the origin whose longer half axis is `longest`, the other 0.2 to 1 of
 * it; none goes past its neighbours.
 */
function randomOctagon(random: Random): PlanarOutline {
  const longest = spread(random, 1, 4);
  const axes = [longest, longest * uniform(random, 0.2, 1)];
  const points = OCTAGON.flatMap((corner) => {
    const moved = unitVector(random, [0, 0]).map((x, k) => corner[k] + 0.3 * x);
    return moved.map((x, k) => (axes[k] * x) / Math.hypot(...moved));
  });
  return { type: 'polygon', points: Float32Array.from(points) };
}
