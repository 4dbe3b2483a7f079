/** The deepest contact of a mesh with another body, against the contacts of all their parts; and what bounds depths. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { contact as contactOf, createShape } from '../../src/cpu.ts';
import { createPairPlaces, placePair } from '../../src/cpu/parts/pair-places.ts';
import { createTester, type Tester } from '../../src/index.ts';
import { createDepthBounds } from '../../src/parts/depth-bounds.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { makeSheet, MESH_FAMILIES } from '../helpers/meshes.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 17;
const POSES = atNight(12, 100);
const BODIES = atNight(12, 60);

const OTHERS: Record<string, ShapeDescription> = {
  sphere: { type: 'sphere', radius: 0.3 },
  box: { type: 'box', halfExtents: [0.3, 0.1, 0.2] },
  capsule: { type: 'capsule', halfHeight: 0.3, radius: 0.1 },
  cylinder: { type: 'cylinder', halfHeight: 0.2, radius: 0.2 },
  cone: { type: 'cone', halfHeight: 0.2, radius: 0.2 },
  ellipsoid: { type: 'ellipsoid', radii: [0.1, 0.3, 0.2] },
  'hull away from its origin': {
    type: 'hull',
    points: [0.4, 0, 0, 0.8, 0.1, 0, 0.5, 0.3, 0.1, 0.6, 0, 0.4, 0.6, 0.1, 0.2],
  },
  triangle: { type: 'triangle', points: [0.3, 0, 0, -0.2, 0.3, 0.1, -0.2, -0.3, 0] },
  compound: {
    type: 'compound',
    parts: [
      { shape: { type: 'box', halfExtents: [0.1, 0.2, 0.1] }, position: [0.3, 0, 0] },
      { shape: { type: 'sphere', radius: 0.2 }, position: [-0.2, 0.1, 0], scale: 1.25 },
    ],
  },
  mesh: { type: 'mesh', ...MESH_FAMILIES['a soup of small triangles'](60, createRandom(SEED)) },
};

const MESHES: Record<string, ShapeDescription> = {
  'a curved sheet': { type: 'mesh', ...makeSheet(12, (x, z) => 0.3 * x * x - 0.4 * x * z) },
  'a soup': { type: 'mesh', ...MESH_FAMILIES['a soup of triangles of all sizes'](150, createRandom(SEED)) },
};

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => tester.dispose());

/** Bodies of the two shapes in turn, near each other: with themselves as pairs. */
function makeBodies(first: number, second: number) {
  const random = createRandom(SEED);
  const near = (size: number): number => Math.fround(uniform(random, -size, size));
  return {
    bodies: {
      shapes: Uint32Array.from({ length: 2 * BODIES }, (_, i) => [first, second][i % 2]),
      positions: Float32Array.from({ length: 6 * BODIES }, () => near(0.4)),
      quaternions: Float32Array.from({ length: 8 * BODIES }, () => near(1)),
      scales: Float32Array.from({ length: 2 * BODIES }, () => Math.fround(uniform(random, 0.5, 1.5))),
    },
    pairs: Uint32Array.from({ length: 2 * BODIES }, (_, i) => i),
  };
}

const CASES = Object.keys(MESHES).flatMap((mesh) =>
  Object.keys(OTHERS).flatMap((other) => [
    [mesh, other],
    [other, mesh],
  ]),
);

test.each(CASES)('%s and %s: the contact is that of the deepest parts', async (first, second) => {
  const ids = [first, second].map((name) => tester.addShape(MESHES[name] ?? OTHERS[name]));
  const { bodies, pairs } = makeBodies(ids[0], ids[1]);
  const fields = ['distance', 'normal', 'pair', 'partA', 'partB'] as const;
  const found = await tester.contacts(bodies, pairs, { fields });
  const all = await tester.contacts(bodies, pairs, { fields, parts: 'all' });
  const least = new Float64Array(BODIES).fill(Infinity);
  const listed = new Map<string, { distance: number; normal: readonly number[] }>();
  for (const { pair, partA, partB, distance, normal } of all) {
    least[pair] = Math.min(least[pair], distance);
    listed.set(`${pair} ${partA} ${partB}`, { distance, normal: Array.from(normal) });
  }
  let overlaps = 0;
  for (let pair = 0; pair < BODIES; pair++) {
    if (least[pair] === Infinity) {
      expect(found.distance[pair]).toBeGreaterThanOrEqual(0);
      continue;
    }
    overlaps++;
    const what = `pair ${pair}, seed ${SEED}`;
    const distance = found.distance[pair];
    expect(Math.abs(distance - least[pair]), what).toBeLessThan(2e-6);
    const same = listed.get(`${pair} ${found.partA[pair]} ${found.partB[pair]}`);
    expect(same?.distance, what).toBe(distance);
    expect(same?.normal, what).toEqual(Array.from(found.normal.subarray(3 * pair, 3 * pair + 3)));
  }
  expect(overlaps).toBeGreaterThan(BODIES / 12);
  ids.forEach((id) => tester.removeShape(id));
});

test('on a flat floor the lowest of the triangles that are as deep decides', async () => {
  const floor = tester.addShape({ type: 'mesh', ...makeSheet(20, () => 0) });
  const box = tester.addShape({ type: 'box', halfExtents: [0.25, 0.5, 0.25] });
  const bodies = {
    shapes: Uint32Array.of(floor, box),
    positions: Float32Array.of(0, 0, 0, 0.03, 0.49, 0.03),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const fields = ['distance', 'partA'] as const;
  const pairs = Uint32Array.of(0, 1);
  const { distance, partA } = await tester.contacts(bodies, pairs, { fields });
  const all = await tester.contacts(bodies, pairs, { fields, parts: 'all' });
  const visited = tester.timings.tree!.partTests;
  expect(all.count).toBeGreaterThan(20);
  expect(distance[0]).toBeCloseTo(-0.01, 6);
  expect(partA[0]).toBe(all.partA[0]);
  // The depth of one triangle is enough to know it.
  await tester.contacts(bodies, pairs);
  expect(tester.timings.tree!.partTests).toBeLessThan(visited + 4);
});

test.each(Object.keys(OTHERS).filter((name) => !['compound', 'mesh'].includes(name)))(
  'no triangle and %s overlap deeper than their bound',
  (name) => {
    const mesh = MESH_FAMILIES['a soup of triangles of all sizes'](40, createRandom(SEED));
    const table = [makeShapeData({ type: 'mesh', ...mesh }), makeShapeData(OTHERS[name])];
    const convex = createShape(OTHERS[name]);
    const places = createPairPlaces();
    const bounds = createDepthBounds(places);
    const random = createRandom(SEED);
    let overlaps = 0;
    for (let i = 0; i < POSES; i++) {
      const quaternions = Float32Array.from([0, 1].flatMap(() => Array.from(unitVector(random, [0, 0, 0, 0]))));
      const positions = Float32Array.from({ length: 6 }, () => uniform(random, -0.5, 0.5));
      const shapes = Uint32Array.of(i % 2, 1 - (i % 2));
      placePair({ shapes, positions, quaternions }, table, 0, 1, places);
      bounds.begin();
      const poses = [0, 1].map((body) => ({
        position: positions.subarray(3 * body, 3 * body + 3),
        quaternion: quaternions.subarray(4 * body, 4 * body + 4),
      }));
      const meshBody = i % 2;
      for (let triangle = 0; triangle < 40; triangle++) {
        const points = Array.from(mesh.indices.subarray(3 * triangle, 3 * triangle + 3)).flatMap((vertex) =>
          Array.from(mesh.positions.subarray(3 * vertex, 3 * vertex + 3)),
        );
        const flat = createShape({ type: 'triangle', points });
        const { distance } = contactOf(flat, poses[meshBody], convex, poses[1 - meshBody], { margin: Infinity });
        const bound = meshBody === 0 ? bounds.boundOf(triangle, 0) : bounds.boundOf(0, triangle);
        expect(-distance, `pose ${i}, triangle ${triangle}, seed ${SEED}`).toBeLessThan(bound + 1e-6);
        if (distance < 0) overlaps++;
      }
    }
    expect(overlaps).toBeGreaterThan(0.08 * POSES);
  },
);
