/** Meshes whose vertices move, among bodies of other types, and all that may be asked of them. */
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { MovingBodies, Tester } from '../../src/api/types.ts';
import type { Triangles } from '../../src/bvh/build-tree.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { makeIcosphere, makeSheet } from './meshes.ts';
import { answersOf } from './planar-tester.ts';

export const SEED = 20_261_203;
const RAYS = 60;

/** A sphere of triangles that share vertices and are counter-clockwise from outside. */
function closedSphere(): Triangles {
  const { positions } = makeIcosphere(2);
  const numbers = new Map<string, number>();
  const kept: number[] = [];
  const numberOf = (point: readonly number[]): number => {
    const name = point.map((x) => Math.round(1e4 * x)).join(' ');
    if (!numbers.has(name)) {
      numbers.set(name, kept.length / 3);
      kept.push(...point);
    }
    return numbers.get(name)!;
  };
  const indices: number[] = [];
  for (let i = 0; i < positions.length; i += 9) {
    const [a, b, c] = [0, 3, 6].map((k) => Array.from(positions.subarray(i + k, i + k + 3)));
    const height =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    indices.push(numberOf(a), ...(height > 0 ? [b, c] : [c, b]).map(numberOf));
  }
  return { positions: Float64Array.from(kept), indices: Uint32Array.from(indices) };
}

/** The ids of the meshes. The other shapes follow. */
export const MESHES: readonly Triangles[] = [
  makeSheet(9, (x, z) => 0.1 * Math.sin(3 * x + z)),
  makeSheet(7, (x, z) => 0.2 * Math.cos(2 * x - z)),
  closedSphere(),
];

const OTHERS: readonly ShapeDescription[] = [
  { type: 'sphere', radius: 0.4 },
  { type: 'box', halfExtents: [0.3, 0.4, 0.5], radius: 0.05 },
  { type: 'capsule', halfHeight: 0.4, radius: 0.2 },
  { type: 'cylinder', halfHeight: 0.4, radius: 0.3 },
  { type: 'hull', points: [0, 0, 0, 0.8, 0, 0, 0, 0.9, 0, 0, 0, 0.7, 0.5, 0.5, 0.5] },
  {
    type: 'compound',
    parts: [
      { shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] }, position: [0.2, 0, 0] },
      { shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] }, position: [-0.2, 0, 0] },
    ],
  },
  { type: 'halfspace', normal: [0.2, 1, 0.1], offset: -0.6 },
];

/** The vertices of mesh `id` at a moment; at 0 those that it has at first. */
export function positionsAt(id: number, moment: number): Float32Array {
  const { positions } = MESHES[id];
  const to = Float32Array.from(positions);
  for (let i = 0; i < to.length; i += 3) {
    const [x, y, z] = positions.subarray(i, i + 3);
    to[i] += moment * 0.1 * Math.sin(5 * y + z);
    to[i + 1] += moment * 0.2 * Math.sin(3 * x - 2 * z);
    to[i + 2] *= 1 + 0.2 * moment;
  }
  return to;
}

/** Makes the shapes of all tests the only ones of a tester, the meshes as they are at a moment. */
export function useMeshes(tester: Tester, moment: number): void {
  const sides = ['both', 'front', 'both'] as const;
  const meshes = MESHES.map(({ indices }, id): ShapeDescription => {
    return { type: 'mesh', positions: positionsAt(id, moment), indices, sides: sides[id] };
  });
  useShapes(tester, [...meshes, ...OTHERS]);
}

/** Moves the meshes to where they are at a moment. */
export function moveMeshes(tester: Tester, moment: number): void {
  for (const id of MESHES.keys()) tester.updateMesh(id, positionsAt(id, moment));
}

/** Two bodies of each mesh and of each other shape, which move, and all pairs with a mesh. */
export function makeScene(): { bodies: MovingBodies; pairs: Uint32Array } {
  const random = createRandom(SEED);
  const shapes = [...MESHES.keys(), ...MESHES.keys()];
  for (const i of OTHERS.keys()) shapes.push(MESHES.length + i, MESHES.length + i);
  const count = shapes.length;
  const floats = (of: number, size: number): Float32Array =>
    Float32Array.from({ length: of * count }, () => uniform(random, -size, size));
  const quaternions = new Float32Array(4 * count);
  for (let body = 0; body < count; body++) quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * body);
  const pairs: number[] = [];
  for (let a = 0; a < 2 * MESHES.length; a++) for (let b = a + 1; b < count; b++) pairs.push(a, b);
  const bodies = {
    shapes: Uint32Array.from(shapes),
    positions: floats(3, 1.2),
    quaternions,
    linearVelocities: floats(3, 1),
    angularVelocities: floats(3, 0.5),
  };
  return { bodies, pairs: Uint32Array.from(pairs) };
}

/** The times of impact of bodies that rotate. Searches begin them where the boxes of trees first meet. */
export async function turningTimes(tester: Tester): Promise<number[]> {
  const { bodies, pairs } = makeScene();
  return Array.from((await tester.impacts(bodies, pairs.subarray(0, 60), { duration: 1 })).unclampedTime);
}

/**
 * All that queries say about the scene whose bits don't depend on the boxes of trees: neither bounds of gaps that exceed the
 * margin nor impacts of bodies that rotate.
 */
export async function answersAbout(tester: Tester): Promise<Record<string, unknown>> {
  const { bodies, pairs } = makeScene();
  const { angularVelocities: _angular, ...sliding } = bodies;
  const random = createRandom(SEED + 1);
  const rays = {
    origins: Float32Array.from({ length: 3 * RAYS }, () => uniform(random, -3, 3)),
    directions: Float32Array.from({ length: 3 * RAYS }, () => uniform(random, -1, 1)),
    radii: Float32Array.from({ length: RAYS }, (__, i) => (i % 2 ? 0.1 : 0)),
  };
  const ofMeshes = pairs.filter((__, i) => pairs[i | 1] < 2 * MESHES.length);
  return {
    intersects: answersOf(await tester.intersects(bodies, pairs)),
    distances: answersOf(await tester.distances(bodies, pairs)),
    contacts: answersOf(await tester.contacts(bodies, pairs, { margin: Infinity })),
    hits: answersOf(await tester.contacts(bodies, pairs, { margin: 0.1, results: 'hits' })),
    manifolds: answersOf(await tester.manifolds(bodies, pairs, { margin: 0.1 })),
    impacts: answersOf(await tester.impacts(sliding, pairs, { duration: 1 })),
    hitsOfParts: answersOf(await tester.intersects(bodies, pairs, { parts: 'all' })),
    contactsOfParts: answersOf(await tester.contacts(bodies, pairs, { parts: 'all' })),
    rays: answersOf(await tester.rayCasts(bodies, rays)),
    allHits: answersOf(await tester.rayCasts(bodies, rays, { results: 'all' })),
    trianglePairs: answersOf(await tester.trianglePairs(bodies, ofMeshes)),
    pairs: Array.from(await tester.findPairs(bodies)),
    mass: tester.massProperties(2),
    geometry: tester.shapeGeometry(1),
  };
}
