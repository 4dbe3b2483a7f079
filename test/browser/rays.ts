/**
 * Runs in the page: hits of rays that the built package casts on the device, as it does on hardware, and in a batch, beside
 * those by the pairs that the CPU finds.
 */
import type { Tester } from '../../src/api/types.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { submit } from '../helpers/batch.ts';
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
  const open = async (gpu?: GPU): Promise<Tester> => {
    const tester = await createTester({ backend: 'webgpu', gpu });
    for (const shape of shapes) tester.addShape(shape);
    return tester;
  };
  using onDevice = await open(hardware);
  using tester = await open();
  using batch = await tester.createBatch({ query: 'rayCasts', maxBodies: 300, maxRays: rayCount, maxPairs: 2 ** 20 });
  batch.write({ bodies, rays });
  submit(batch);
  const [inBatch, found, expected] = [
    await batch.read(),
    await onDevice.rayCasts(bodies, rays),
    await tester.rayCasts(bodies, rays),
  ];
  const differs = (_: unknown, ray: number): boolean =>
    [found, inBatch].some(({ body, time }) => body[ray] !== expected.body[ray] || time[ray] !== expected.time[ray]);
  return { hits: found.statusCounts[1], differing: Array.from({ length: rayCount }, differs).filter(Boolean).length };
}
