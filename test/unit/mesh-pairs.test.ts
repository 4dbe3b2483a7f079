/** The intersecting triangles of two meshes against brute force over all pairs, and what is skipped on the way. */
import { expect, test } from 'vitest';
import { createNearest } from '../../src/bvh/nearest-parts.ts';
import type { Triangles } from '../../src/bvh/build-tree.ts';
import type { Placement } from '../../src/bvh/placement.ts';
import { createWalk, type Walk } from '../../src/bvh/walk.ts';
import {
  findTrianglePairs,
  intersectTriangles,
  meshesIntersect,
  nearestTriangles,
  type TreeMesh,
} from '../../src/cpu/parts/mesh-pairs.ts';
import { createTriangleDistance, triangleDistance } from '../../src/cpu/triangle-distance.ts';
import { createTriangleIntersection, triangleIntersection } from '../../src/cpu/triangle-intersection.ts';
import { finish } from '../../src/util/turns.ts';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import {
  buildTree,
  makeSheet,
  MESH_FAMILIES,
  placedCorners,
  touchingPlacement,
  TREE_KINDS,
  type TreeKind,
} from '../helpers/meshes.ts';

function withTree(mesh: Triangles, kind: TreeKind): TreeMesh {
  return { ...mesh, tree: buildTree(mesh, kind) };
}

/** The pairs that `findTrianglePairs` finds, in ascending order. */
function trianglePairs(a: TreeMesh, b: TreeMesh, placement: Placement, walk: Walk): Uint32Array {
  const pairs: [number, number][] = [];
  finish(findTrianglePairs(a, b, placement, (i, j) => void pairs.push([i, j]), walk));
  return Uint32Array.from(pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat());
}

/** All pairs that intersect, and their segments, by testing every triangle with every other. */
function bruteForce(a: Triangles, b: Triangles, placement: Placement): { pairs: number[]; segments: number[] } {
  const cornersA = placedCorners(a, placement.scaleA);
  const cornersB = placedCorners(b, placement.scaleB, placement);
  const intersection = createTriangleIntersection();
  const pairs: number[] = [];
  const segments: number[] = [];
  for (let i = 0; i < cornersA.length; i += 9) {
    for (let j = 0; j < cornersB.length; j += 9) {
      if (!triangleIntersection(cornersA.subarray(i, i + 9), cornersB.subarray(j, j + 9), intersection)) continue;
      pairs.push(i / 9, j / 9);
      segments.push(...intersection.segment);
    }
  }
  return { pairs, segments };
}

test.each(Object.entries(MESH_FAMILIES))('all intersecting pairs are found, in ascending order: %s', (_, family) => {
  const walk = createWalk();
  let found = 0;
  for (let seed = 0; seed < 12; seed++) {
    const random = createRandom(seed);
    const meshes = [family(60, random), Object.values(MESH_FAMILIES)[seed](60, random)];
    const [scaleA, scaleB] = [
      [1, 1],
      [1000, 1],
      [0.3, 0.7],
    ][seed % 3];
    const placement = touchingPlacement(meshes[0], meshes[1], scaleA, scaleB, random);
    const truth = bruteForce(meshes[0], meshes[1], placement);
    found += truth.pairs.length / 2;
    for (const kind of TREE_KINDS) {
      const where = `seed ${seed}, ${kind}`;
      const [a, b] = meshes.map((mesh) => withTree(mesh, kind));
      const pairs = trianglePairs(a, b, placement, walk);
      expect([...pairs], where).toEqual(truth.pairs);
      const segments = new Float64Array(3 * pairs.length);
      intersectTriangles(a, b, placement, pairs, segments);
      expect([...segments], where).toEqual(truth.segments);
      expect(finish(meshesIntersect(a, b, placement, walk)), where).toBe(pairs.length > 0);
    }
  }
  expect(found).toBeGreaterThan(0);
});

test.each(Object.entries(MESH_FAMILIES))('the nearest triangles are those of all pairs: %s', (_, family) => {
  const walk = createWalk();
  const nearest = createNearest();
  const distance = createTriangleDistance();
  for (let seed = 0; seed < 6; seed++) {
    const random = createRandom(seed);
    const meshes = [family(40, random), Object.values(MESH_FAMILIES)[2 * seed](40, random)];
    const placement = touchingPlacement(meshes[0], meshes[1], 1, 0.5, random);
    const away = unitVector(random, [0, 0, 0]);
    away.forEach((x, k) => (placement.translation[k] += 4 * random() * x));
    const cornersA = placedCorners(meshes[0], 1);
    const cornersB = placedCorners(meshes[1], 0.5, placement);
    let least = Infinity;
    for (let i = 0; i < cornersA.length; i += 9) {
      for (let j = 0; j < cornersB.length; j += 9) {
        const gap = triangleDistance(cornersA.subarray(i, i + 9), cornersB.subarray(j, j + 9), distance);
        least = Math.min(least, gap);
      }
    }
    for (const kind of TREE_KINDS) {
      const [a, b] = meshes.map((mesh) => withTree(mesh, kind));
      finish(nearestTriangles(a, b, placement, { limit: Infinity, slack: 0 }, nearest, walk));
      expect(nearest.distance, `seed ${seed}, ${kind}`).toBe(least);
      finish(nearestTriangles(a, b, placement, { limit: least, slack: 0 }, nearest, walk));
      expect(nearest.distance, `seed ${seed}, ${kind}, with the distance as the limit`).toBe(least);
    }
  }
});

test('two grids in one plane intersect in all pairs that touch', () => {
  const grid = makeSheet(8, () => 0);
  const placement: Placement = {
    rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    translation: Float64Array.of(0.125, 0, 0),
    scaleA: 1,
    scaleB: 1,
  };
  const truth = bruteForce(grid, grid, placement);
  expect(truth.pairs.length / 2).toBeGreaterThan(500);
  for (const kind of TREE_KINDS) {
    const mesh = withTree(grid, kind);
    expect([...trianglePairs(mesh, mesh, placement, createWalk())], kind).toEqual(truth.pairs);
  }
});

test('a tree skips nearly all pairs of two sheets that cross', () => {
  const sheet = makeSheet(64, (x, z) => 0.1 * x * x - 0.2 * z);
  const random = createRandom(5);
  const placement = touchingPlacement(sheet, sheet, 1, 1, random);
  const counts = TREE_KINDS.map((kind) => {
    const walk = createWalk();
    const mesh = withTree(sheet, kind);
    const pairs = trianglePairs(mesh, mesh, placement, walk);
    expect(pairs.length).toBeGreaterThan(100);
    expect(walk.partTests).toBeLessThan(20 * pairs.length);
    expect(walk.boxTests).toBeLessThan(300 * pairs.length);
    return walk.boxTests;
  });
  // Of 8192 by 8192 pairs of triangles.
  expect(counts[0]).toBeLessThan(4000);
  expect(counts[1]).toBeLessThan(0.7 * counts[0]);
});

test('meshes far apart take one test of boxes', () => {
  const mesh = withTree(MESH_FAMILIES['a soup of small triangles'](100, createRandom(1)), 'obb');
  const walk = createWalk();
  const translation = Float64Array.from(unitVector(createRandom(2), [0, 0, 0]), (x) => 10 * x);
  const placement = { rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), translation, scaleA: 1, scaleB: 1 };
  expect(finish(meshesIntersect(mesh, mesh, placement, walk))).toBe(false);
  expect(trianglePairs(mesh, mesh, placement, walk).length).toBe(0);
  expect(walk.boxTests).toBe(2);
  expect(walk.partTests).toBe(0);
});
