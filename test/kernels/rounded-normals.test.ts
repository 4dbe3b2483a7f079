/**
 * Normals of spheres that velocity EPA casts at rounded and sharp shapes, and of circles in 2-D, against closed forms
 * in double precision.
 */

import { describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PlanarShapeDescription, ShapeDescription } from '../../src/index.ts';
import type { RayHits, Rays } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_123;
const RAYS = atNight(500, 2000);
/** Radians. */
const TOLERANCE = 1e-4;
/** Within this angle of a face its normal separates the bodies too, to the slack that impacts allow for sliding. */
const FACE_ANGLE = 0.01;

/** A box, a segment along y or a point, and everything within a radius of it. */
interface Rounded {
  name: string;
  halfExtents: readonly number[];
  radius: number;
}

const SOLIDS: readonly (Rounded & { description: ShapeDescription })[] = [
  {
    name: 'a sphere',
    halfExtents: [0, 0, 0],
    radius: 0.75,
    description: { type: 'sphere', radius: 0.75 },
  },
  {
    name: 'a capsule',
    halfExtents: [0, 0.875, 0],
    radius: 0.25,
    description: { type: 'capsule', halfHeight: 0.875, radius: 0.25 },
  },
  {
    name: 'a sharp box',
    halfExtents: [0.5, 0.25, 0.75],
    radius: 0,
    description: { type: 'box', halfExtents: [0.5, 0.25, 0.75] },
  },
  {
    name: 'a rounded box',
    halfExtents: [0.5, 0.25, 0.75],
    radius: 0.125,
    description: { type: 'box', halfExtents: [0.5, 0.25, 0.75], radius: 0.125 },
  },
];

/** Each type of shape has kernels of its own: in CI the two boxes share one. */
const ON_GPU = atNight(SOLIDS.slice(2), SOLIDS);

const FIGURES: readonly (Rounded & { description: PlanarShapeDescription })[] = [
  {
    name: 'a circle',
    halfExtents: [0, 0],
    radius: 0.75,
    description: { type: 'circle', radius: 0.75 },
  },
  {
    name: 'a capsule',
    halfExtents: [0, 0.875],
    radius: 0.25,
    description: { type: 'capsule', halfHeight: 0.875, radius: 0.25 },
  },
  {
    name: 'a sharp rectangle',
    halfExtents: [0.5, 0.25],
    radius: 0,
    description: { type: 'rectangle', halfExtents: [0.5, 0.25] },
  },
  {
    name: 'a rounded rectangle',
    halfExtents: [0.5, 0.25],
    radius: 0.125,
    description: { type: 'rectangle', halfExtents: [0.5, 0.25], radius: 0.125 },
  },
];

const RADII = [0.125, 0.5];

/** Rays from a sphere or circle of radius 3 that pass the origin by up to 0.9. */
function makeRays(axes: number, radius: number): Required<Pick<Rays, 'origins' | 'directions' | 'radii'>> {
  const random = createRandom(SEED + axes);
  const origins = new Float32Array(axes * RAYS);
  const directions = new Float32Array(axes * RAYS);
  const zero = Array.from({ length: axes }, () => 0);
  for (let i = 0; i < RAYS; i++) {
    const from = unitVector(random, [...zero]);
    const by = unitVector(random, [...zero]);
    const aside = uniform(random, 0, 0.9);
    for (let k = 0; k < axes; k++) {
      origins[axes * i + k] = 3 * from[k];
      directions[axes * i + k] = aside * by[k] - 3 * from[k];
    }
  }
  return { origins, directions, radii: new Float32Array(RAYS).fill(radius) };
}

/** From the nearest point of the core to a point. */
function fromCore(halfExtents: readonly number[], point: readonly number[]): number[] {
  return point.map((x, k) => x - Math.min(Math.max(x, -halfExtents[k]), halfExtents[k]));
}

/**
 * The normal where a ray's ball meets the shape at the origin; undefined where it misses or only grazes it. The
 * distance to a convex core is convex along a line.
 */
function trueNormal(
  { halfExtents, radius }: Rounded,
  origin: readonly number[],
  direction: readonly number[],
  ball: number,
): number[] | undefined {
  const vectorAt = (time: number): number[] =>
    fromCore(
      halfExtents,
      origin.map((x, k) => x + direction[k] * time),
    );
  const distance = (time: number): number => Math.hypot(...vectorAt(time)) - radius - ball;
  let [low, high] = [0, 3];
  for (let i = 0; i < 100; i++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (distance(a) < distance(b)) high = b;
    else low = a;
  }
  if (distance(low) > -0.02) return undefined;
  [low, high] = [0, low];
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (distance(middle) > 0) low = middle;
    else high = middle;
  }
  const vector = vectorAt(low);
  return vector.map((x) => x / Math.hypot(...vector));
}

/** Whether a normal of a core with faces is all but one of theirs. */
function isNearFace(halfExtents: readonly number[], normal: readonly number[]): boolean {
  if (halfExtents.includes(0)) return false;
  return normal.some((_, axis) => {
    const across = Math.hypot(...normal.filter((__, other) => other !== axis));
    return across > 0 && across < FACE_ANGLE;
  });
}

/** The rays whose normals are off, by how much, and how many were judged. */
function judge(
  solid: Rounded,
  { normal }: Pick<RayHits, 'normal'>,
  rays: ReturnType<typeof makeRays>,
  axes: number,
): { judged: number; faults: string[] } {
  const faults: string[] = [];
  let judged = 0;
  for (let i = 0; i < RAYS; i++) {
    const of = (array: ArrayLike<number>): number[] => Array.from({ length: axes }, (_, k) => array[axes * i + k]);
    const expected = trueNormal(solid, of(rays.origins), of(rays.directions), rays.radii[i]);
    if (!expected || isNearFace(solid.halfExtents, expected)) continue;
    judged++;
    const found = of(normal);
    const chord = Math.hypot(...found.map((x, k) => x - expected[k]));
    if (!(chord <= TOLERANCE)) faults.push(`ray ${i}: ${found} for ${expected}, off by ${chord}`);
  }
  return { judged, faults };
}

describe.each(['cpu', 'webgpu'] as const)('%s', (backend) => {
  test('the normal of a sphere cast is the direction between the nearest points of the cores', async () => {
    const tester = await createTester({ backend });
    for (const solid of backend === 'cpu' ? SOLIDS : ON_GPU) {
      const shapes = Uint32Array.of(tester.addShape(solid.description));
      const bodies = { shapes, positions: new Float32Array(3), quaternions: Float32Array.of(0, 0, 0, 1) };
      for (const radius of RADII) {
        const rays = makeRays(3, radius);
        const hits = await tester.rayCasts(bodies, rays, { algorithm: 'velocity-epa' });
        const { judged, faults } = judge(solid, hits, rays, 3);
        const label = `${solid.name}, radius ${radius}, seed ${SEED}: ${faults.length} of ${judged}`;
        expect(faults.slice(0, 5), label).toEqual([]);
        expect(judged).toBeGreaterThan(RAYS / 4);
      }
    }
    tester.dispose();
  });

  test('so is that of a circle cast in 2-D', async () => {
    const tester = await createTester({ backend, dimension: 2 });
    for (const figure of FIGURES) {
      const shapes = Uint32Array.of(tester.addShape(figure.description));
      const bodies = { shapes, positions: new Float32Array(2), angles: new Float32Array(1) };
      for (const radius of RADII) {
        const rays = makeRays(2, radius);
        const hits = await tester.rayCasts(bodies, rays, { algorithm: 'velocity-epa' });
        const { judged, faults } = judge(figure, hits, rays, 2);
        const label = `${figure.name}, radius ${radius}, seed ${SEED}: ${faults.length} of ${judged}`;
        expect(faults.slice(0, 5), label).toEqual([]);
        expect(judged).toBeGreaterThan(RAYS / 4);
      }
    }
    tester.dispose();
  });
});
