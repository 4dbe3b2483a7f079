/** When rays cross triangles of meshes, against exact predicates; no ray slips through an edge or a vertex. */
import { orient3d } from 'robust-predicates';
import { expect, test } from 'vitest';
import type { Triangles } from '../../src/bvh/build-tree.ts';
import { createShearedRay, crossingTime, shearRay, UNCERTAIN } from '../../src/cpu/parts/ray-triangle.ts';
import { below, createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { makeSheet, MESH_FAMILIES } from '../helpers/meshes.ts';

const SEED = 23;
const sheared = createShearedRay();

function cornersOf({ positions, indices }: Triangles, triangle: number): Float64Array[] {
  return [0, 1, 2].map((k) => positions.subarray(3 * indices[3 * triangle + k], 3 * indices[3 * triangle + k] + 3));
}

test.each(Object.entries(MESH_FAMILIES))('crossings are those of exact predicates: %s', (_, family) => {
  const random = createRandom(SEED);
  const mesh = family(60, random);
  const count = mesh.indices.length / 3;
  const size = mesh.positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  for (let i = 0; i < 60; i++) {
    const target = cornersOf(mesh, below(random, count))[0].map((x) => x + (i % 3) * uniform(random, -0.1, 0.1));
    // Exact in f32, so that the end of the ray is too.
    const direction = unitVector(random, new Float64Array(3)).map((x) => Math.fround(3 * size * x));
    const origin = target.map((x, k) => Math.fround(x - direction[k]));
    const end = origin.map((x, k) => x + 4 * direction[k]);
    shearRay({ origin, direction }, sheared);
    for (let triangle = 0; triangle < count; triangle++) {
      const time = crossingTime(mesh, triangle, sheared);
      if (time === UNCERTAIN) continue;
      const corners = cornersOf(mesh, triangle);
      const signs = [0, 1, 2].map((k) => {
        const [p, q] = [corners[k], corners[(k + 1) % 3]];
        return orient3d(...([origin, end, p, q].flatMap((point) => [...point]) as Parameters<typeof orient3d>));
      });
      const what = `ray ${i}, triangle ${triangle}, seed ${SEED}: ${signs.join()}`;
      // Rounding of the shear may decide where the ray all but meets an edge.
      const clear = 1e-12 * size ** 3;
      if (signs.every((sign) => sign > clear) || signs.every((sign) => sign < -clear)) {
        expect(time, what).not.toBe(Infinity);
        const [a, b, c] = corners;
        const n = [0, 1, 2].map((k) => {
          const [u, v] = [(k + 1) % 3, (k + 2) % 3];
          return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
        });
        const height = n.reduce((sum, x, k) => sum + x * (origin[k] + time * direction[k] - a[k]), 0);
        expect(Math.abs(height) / Math.hypot(...n), what).toBeLessThan(1e-8 * size);
      }
      if (signs.some((sign) => sign > clear) && signs.some((sign) => sign < -clear)) expect(time, what).toBe(Infinity);
    }
  }
});

test('a ray at an edge or a vertex of a sheet crosses one of its triangles', () => {
  const random = createRandom(SEED);
  const sheet = makeSheet(16, (x, z) => 0.2 * Math.sin(5 * x) * Math.cos(4 * z));
  const count = sheet.indices.length / 3;
  for (let i = 0; i < 2000; i++) {
    const corners = cornersOf(sheet, below(random, count));
    const share = i % 2 === 0 ? 0 : random();
    const target = corners[0].map((x, k) => x + share * (corners[1][k] - x));
    if (Math.max(Math.abs(target[0]), Math.abs(target[2])) > 0.99) continue;
    const origin = target.map((x, k) => x + uniform(random, -1, 1) + (k === 1 ? 3 : 0));
    shearRay({ origin, direction: target.map((x, k) => x - origin[k]) }, sheared);
    const times = Array.from({ length: count }, (_, triangle) => crossingTime(sheet, triangle, sheared));
    expect(Math.min(...times), `ray ${i}, seed ${SEED}`).toBeCloseTo(1, 9);
  }
});

test('a ray in the plane of a triangle, and a degenerate triangle, are uncertain', () => {
  const mesh = {
    positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 2, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 0, 3),
  };
  shearRay({ origin: Float64Array.of(-1, 0.25, 0), direction: Float64Array.of(1, 0, 0) }, sheared);
  expect(crossingTime(mesh, 0, sheared)).toBe(UNCERTAIN);
  shearRay({ origin: Float64Array.of(1, 1, 1), direction: Float64Array.of(0, 0, -1) }, sheared);
  expect(crossingTime(mesh, 1, sheared)).toBe(UNCERTAIN);
});
