/**
 * Runs in the page: triangles of meshes that the built package finds on the device, as it does on hardware, beside those
 * that the CPU finds.
 */
import type { Tester } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { MESH_FAMILIES } from '../helpers/meshes.ts';
import { hardware } from './rays.ts';
import { createTester } from './testers.ts';

export interface PartComparison {
  name: string;
  /** Pairs of triangles, and bodies that meet. */
  found: number;
  hits: number;
  /** Numbers of both results that are not the same. */
  differing: number;
}

const TRIANGLES = 160;
/** So many that the device gets most of them. */
const PAIRS = 400;
/** How often `intersects` gets them: it ends at the first triangles that meet. */
const REPEATS = 12;

function makeCase(name: string, seed: number) {
  const random = createRandom(seed);
  const meshes = [0, 1].map(() => MESH_FAMILIES[name](TRIANGLES, random));
  const quaternions = new Float32Array(8 * PAIRS);
  for (let body = 0; body < 2 * PAIRS; body++) {
    // A mesh far from its origin would be rotated away from the other one.
    const rotation = name === 'a soup far from its origin' ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0]);
    quaternions.set(rotation, 4 * body);
  }
  const bodies = {
    shapes: Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i % 2),
    positions: Float32Array.from({ length: 6 * PAIRS }, () => uniform(random, -0.3, 0.3)),
    quaternions,
  };
  return { meshes, bodies, pairs: Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i) };
}

function differences(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  let count = Math.abs(found.length - expected.length);
  for (let i = 0; i < expected.length; i++) if (found[i] !== expected[i]) count++;
  return count;
}

export async function compareParts(seed: number): Promise<PartComparison[]> {
  const device = await createTester({ backend: 'webgpu', gpu: hardware });
  const cpu = await createTester({ backend: 'cpu', threads: 1 });
  const comparisons: PartComparison[] = [];
  for (const name of Object.keys(MESH_FAMILIES)) {
    const { meshes, bodies, pairs } = makeCase(name, seed);
    const repeated = Uint32Array.from({ length: REPEATS * pairs.length }, (_, i) => pairs[i % pairs.length]);
    const ask = async (tester: Tester) => {
      const ids = meshes.map((mesh) => tester.addShape({ type: 'mesh', ...mesh }));
      const placed = { ...bodies, shapes: bodies.shapes.map((i) => ids[i]) };
      const triangles = await tester.trianglePairs(placed, pairs);
      const { hit, hits } = await tester.intersects(placed, repeated);
      for (const id of ids) tester.removeShape(id);
      return { triangles, hit, hits };
    };
    const [found, expected] = [await ask(device), await ask(cpu)];
    let differing = differences(found.hit, expected.hit);
    for (const field of ['pair', 'triangleA', 'triangleB', 'segment'] as const)
      differing += differences(found.triangles[field], expected.triangles[field]);
    comparisons.push({ name, found: expected.triangles.count, hits: expected.hits, differing });
  }
  device.dispose();
  cpu.dispose();
  return comparisons;
}
