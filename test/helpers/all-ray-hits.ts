/** Answers of `rayCasts` with `results: 'all'`, made of those with one body at a time. */
import { NO_BODY, type Bodies, type RayHitItem, type Rays, type Tester } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import type { AnyDescription, Dimension } from './dimensions.ts';
import { mixFamilyShapes, randomSolids } from './ray-scenes.ts';

export const SEED = 20_261_201;

/** Points, balls, rays with an end, rays that don't move, from all over a scene. */
export function mixedRays({ axes }: Dimension, count: number, seed = SEED): Rays & { origins: Float32Array } {
  const random = createRandom(seed);
  const extent = axes === 2 ? 10 : 4;
  const directions = new Float32Array(axes * count);
  for (let ray = 0; ray < count; ray++) {
    const direction = unitVector(random, axes === 2 ? [0, 0] : [0, 0, 0]);
    if (ray % 31 === 0) direction.fill(0);
    directions.set(
      direction.map((x) => x * uniform(random, 0.1, 10)),
      axes * ray,
    );
  }
  return {
    origins: Float32Array.from({ length: axes * count }, () => uniform(random, -extent, extent)),
    directions,
    radii: Float32Array.from({ length: count }, (_, i) => (i % 2 ? uniform(random, 0, 0.4) : 0)),
    maxTimes: Float32Array.from({ length: count }, (_, i) => (i % 3 ? Infinity : uniform(random, 0, 3))),
  };
}

/** Bodies of all convex types, in 3-D with a half-space. */
export function convexScene(dimension: Dimension): { descriptions: AnyDescription[]; bodies: Bodies } {
  const { descriptions, bodies } = dimension.axes === 2 ? mixFamilyShapes(SEED) : randomSolids(SEED);
  // Solids are closer together, so that rays meet several.
  if (dimension.axes === 3) bodies.positions = bodies.positions.map((x) => 0.4 * x);
  return { descriptions, bodies: dimension.makeBodies(bodies) };
}

/** The first `count` bodies from body `first` on. */
export function someOf(bodies: Bodies, first: number, count: number): Bodies {
  const total = bodies.shapes.length;
  const cut = (array: Float32Array): Float32Array => {
    const width = array.length / total;
    return array.slice(width * first, width * (first + count));
  };
  const entries = Object.entries(bodies).map(([name, array]) => [name, array && cut(array as Float32Array)]);
  return Object.fromEntries(entries) as Bodies;
}

/** The hits of the bodies, each cast at by itself. */
export async function hitsOfSingleBodies(tester: Tester, bodies: Bodies, rays: Rays): Promise<RayHitItem[]> {
  const hits: RayHitItem[] = [];
  for (let body = 0; body < bodies.shapes.length; body++) {
    for (const item of await tester.rayCasts(someOf(bodies, body, 1), rays))
      if (item.body !== NO_BODY) hits.push({ ...item, body });
  }
  return hits.sort((a, b) => a.ray - b.ray || a.time - b.time || a.body - b.body);
}

/** The first hit of each ray that has one. */
export function firstOfRays(hits: Iterable<RayHitItem>): RayHitItem[] {
  const first = new Map<number, RayHitItem>();
  for (const hit of hits) if (!first.has(hit.ray)) first.set(hit.ray, hit);
  return [...first.values()];
}
