/**
 * Runs in the page: hits of rays that the built package casts on the device, as it does on hardware, beside those by the
 * pairs that the CPU finds.
 */
import type { Tester } from '../../src/api/types.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { createTester, hardware } from './testers.ts';

export interface RayComparison {
  hits: number;
  /** Rays whose bodies or times are not the same. */
  differing: number;
}

export async function compareRays(rayCount: number, seed: number): Promise<RayComparison> {
  const { shapes, bodies } = broadPhaseScene('halfspaces', 300, seed);
  const random = createRandom(seed);
  const vectors = (low: number, high: number): Float32Array =>
    Float32Array.from({ length: 3 * rayCount }, () => uniform(random, low, high));
  const rays = { origins: vectors(-2, 9), directions: vectors(-1, 1) };
  const cast = async (tester: Tester) => {
    for (const shape of shapes) tester.addShape(shape);
    const hits = await tester.rayCasts(bodies, rays);
    tester.dispose();
    return hits;
  };
  const found = await cast(await createTester({ backend: 'webgpu', gpu: hardware }));
  const expected = await cast(await createTester({ backend: 'webgpu' }));
  const differs = (_: unknown, ray: number): boolean =>
    found.body[ray] !== expected.body[ray] || found.time[ray] !== expected.time[ray];
  return { hits: found.statusCounts[1], differing: Array.from({ length: rayCount }, differs).filter(Boolean).length };
}
