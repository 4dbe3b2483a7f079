/**
 * Runs in the page: triangles of meshes that the built package finds on the device, as it does on hardware, beside those
 * that the CPU finds.
 */
import type { Bodies, Tester } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { MESH_FAMILIES } from '../helpers/meshes.ts';
import type { TriangleCase, TriangleQuery } from './triangle-cases.ts';
import { createTester, hardware } from './testers.ts';

export interface TriangleComparison {
  name: string;
  /** Pairs of triangles, or pairs of bodies that meet. */
  found: number;
  /** Numbers of both results that are not the same. */
  differing: number;
}

/** Poses of a case. They are repeated until there are so many tests that a device gets most of them. */
const POSES = 24;
const LEAST_TESTS = 2 ** 18;
/** A test of parts takes as long as so many of boxes (src/parts/device-search.ts). */
const PART_TEST = 16;

function makeBodies(family: string, seed: number): Bodies & { shapes: Uint32Array } {
  const random = createRandom(seed);
  const quaternions = new Float32Array(8 * POSES);
  for (let body = 0; body < 2 * POSES; body++) {
    // Meshes far from their origins would be rotated away from each other.
    const rotation = family === 'a soup far from its origin' ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0]);
    quaternions.set(rotation, 4 * body);
  }
  return {
    shapes: Uint32Array.from({ length: 2 * POSES }, (_, i) => i % 2),
    positions: Float32Array.from({ length: 6 * POSES }, () => uniform(random, -0.3, 0.3)),
    quaternions,
  };
}

/** The arrays of a result, with the number of what was found. */
async function answer(tester: Tester, query: TriangleQuery, bodies: Bodies, pairs: Uint32Array) {
  if (query === 'intersects') {
    const { hit, hits } = await tester.intersects(bodies, pairs);
    return { found: hits, arrays: [hit] };
  }
  const { count, pair, triangleA, triangleB, segment } = await tester.trianglePairs(bodies, pairs);
  return { found: count, arrays: [pair, triangleA, triangleB, segment] };
}

function differences(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  let count = Math.abs(found.length - expected.length);
  for (let i = 0; i < expected.length; i++) if (found[i] !== expected[i]) count++;
  return count;
}

export async function compareTriangles(seed: number, cases: readonly TriangleCase[]): Promise<TriangleComparison[]> {
  const device = await createTester({ backend: 'webgpu', gpu: hardware });
  const cpu = await createTester({ backend: 'cpu', threads: 1 });
  const comparisons: TriangleComparison[] = [];
  for (const [query, family, triangles] of cases) {
    const random = createRandom(seed);
    const meshes = [0, 1].map(() => MESH_FAMILIES[family](triangles, random));
    const ids = [device, cpu].map((tester) => meshes.map((mesh) => tester.addShape({ type: 'mesh', ...mesh })));
    const given = makeBodies(family, seed);
    const [ofDevice, ofCpu] = ids.map((own) => ({ ...given, shapes: given.shapes.map((i) => own[i]) }));
    const poses = Uint32Array.from({ length: 2 * POSES }, (_, i) => i);
    await answer(cpu, query, ofCpu, poses);
    const { boxTests, partTests } = cpu.timings.tree;
    const repeats = Math.ceil(LEAST_TESTS / (boxTests + PART_TEST * partTests));
    const pairs = Uint32Array.from({ length: repeats * poses.length }, (_, i) => poses[i % poses.length]);
    const [found, expected] = [await answer(device, query, ofDevice, pairs), await answer(cpu, query, ofCpu, pairs)];
    const differing = expected.arrays.reduce((sum, array, i) => sum + differences(found.arrays[i], array), 0);
    comparisons.push({ name: `${query}: ${family}`, found: expected.found, differing });
    [device, cpu].forEach((tester, i) => ids[i].forEach((id) => tester.removeShape(id)));
  }
  device.dispose();
  cpu.dispose();
  return comparisons;
}
