/** Trees of parts: what is in them, and what traversals of two trees find, against brute force over all pairs. */
import { expect, test } from 'vitest';
import { farthestVertex } from '../../src/bvh/farthest-vertex.ts';
import { findPartPairs, firstHit } from '../../src/bvh/find-part-pairs.ts';
import { boundTriangles, type Triangles } from '../../src/bvh/build-tree.ts';
import { createNearest, nearestParts } from '../../src/bvh/nearest-parts.ts';
import { MAX_DEPTH, treeOfOnePart, type PartTree } from '../../src/bvh/part-tree.ts';
import { createWalk } from '../../src/bvh/walk.ts';
import { createTriangleDistance, triangleDistance } from '../../src/cpu/triangle-distance.ts';
import { AXES } from '../../src/shapes/vectors.ts';
import { finish } from '../../src/util/turns.ts';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import {
  buildTree,
  MESH_FAMILIES,
  placedCorners,
  touchingPlacement,
  TREE_KINDS,
  treeOfKind,
} from '../helpers/meshes.ts';

const families = Object.entries(MESH_FAMILIES);

const familiesAndKinds = families.flatMap(([name, family]) => TREE_KINDS.map((kind) => [name, kind, family] as const));

/** Whether a box of the tree contains a point: whether it is centre + sum of y_k · axis_k with |y_k| up to the half extents. */
function contains({ boxes, axes }: PartTree, node: number, point: Float64Array): boolean {
  const offset = [0, 1, 2].map((k) => point[k] - boxes[6 * node + k]);
  const [u, v, w] = [0, 3, 6].map((k) => (axes ? [...axes.subarray(9 * node + k, 9 * node + k + 3)] : AXES[k / 3]));
  const volume = triple(u, v, w);
  return [triple(offset, v, w), triple(u, offset, w), triple(u, v, offset)].every(
    (part, k) => Math.abs(part / volume) <= boxes[6 * node + 3 + k],
  );
}

function triple(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/** The distance of a box's farthest corner from the origin. */
function reachOf({ boxes, axes }: PartTree, node: number): number {
  const [x, y, z, ...halves] = boxes.subarray(6 * node, 6 * node + 6);
  const corners = Array.from({ length: 8 }, (_, k) =>
    [x, y, z].map((centre, axis) =>
      halves.reduce((sum, half, i) => {
        const along = axes ? axes[9 * node + 3 * i + axis] : AXES[i][axis];
        return sum + (k & (1 << i) ? half : -half) * along;
      }, centre),
    ),
  );
  return Math.max(...corners.map((corner) => Math.hypot(...corner)));
}

test.each(familiesAndKinds)('each box contains its triangles, and each is in one leaf: %s, %s', (_, kind, family) => {
  const mesh = family(500, createRandom(1));
  const tree = buildTree(mesh, kind);
  const leaves = new Set<number>();
  const visit = (node: number, depth: number): number[] => {
    expect(depth).toBeLessThanOrEqual(tree.depth);
    const link = tree.links[node];
    const parts = link >= 0 ? [...visit(link, depth + 1), ...visit(link + 1, depth + 1)] : [-1 - link];
    if (link < 0) leaves.add(-1 - link);
    for (const corner of parts.flatMap((part) => [...mesh.indices.subarray(3 * part, 3 * part + 3)])) {
      const point = mesh.positions.subarray(3 * corner, 3 * corner + 3);
      if (!contains(tree, node, point)) expect.fail(`vertex ${corner} is not in node ${node}`);
    }
    if (reachOf(tree, node) > tree.extent) expect.fail(`node ${node} reaches farther than the tree`);
    return parts;
  };
  expect(visit(0, 1).length).toBe(mesh.indices.length / 3);
  expect(leaves.size).toBe(mesh.indices.length / 3);
  expect(tree.depth).toBeLessThanOrEqual(MAX_DEPTH);
});

/** The surfaces of the boxes of a tree, enlarged by a share of their distances from the origin. */
function surfacesOf({ boxes, links }: PartTree, share: number): number[] {
  return Array.from(links, (_link, node) => {
    const rounding = share * Math.hypot(...boxes.subarray(6 * node, 6 * node + 3));
    const [x, y, z] = boxes.subarray(6 * node + 3, 6 * node + 6).map((half) => half + rounding);
    return x * y + y * z + z * x;
  });
}

test('the boxes of an OBB-tree are no larger than aligned ones, and far smaller if the mesh is turned', () => {
  for (const [name, family] of families) {
    const mesh = family(500, createRandom(2));
    const [aligned, oriented] = TREE_KINDS.map((kind) => buildTree(mesh, kind));
    const most = surfacesOf(aligned, 2 ** -22);
    surfacesOf(oriented, 0).forEach((surface, node) => {
      if (surface > most[node] * (1 + 1e-4)) expect.fail(`${name}: node ${node} has ${surface}, not ${most[node]}`);
    });
  }
  const grid = MESH_FAMILIES['a flat grid'](500, createRandom(2));
  const positions = placedCorners(grid, 1, touchingPlacement(grid, grid, 1, 1, createRandom(3))).map(Math.fround);
  const turned = { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
  const [aligned, oriented] = TREE_KINDS.map((kind) => surfacesOf(buildTree(turned, kind), 0));
  expect(oriented[0]).toBeLessThan(1.3);
  expect(aligned[0]).toBeGreaterThan(2);
});

test('a tree whose every cut takes one triangle off is not deep', () => {
  // Each is four times as far out as the one before: the surface of all others is as nothing to its own.
  const count = 60;
  const positions = Float64Array.from(
    { length: 9 * count },
    (_, i) => 4 ** (Math.floor(i / 9) - 30) * (1 + (i % 7) / 8),
  );
  const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  expect(buildTree({ positions, indices }, 'obb').depth).toBeLessThanOrEqual(MAX_DEPTH);
  const many = { positions, indices: Uint32Array.from({ length: 300_000 }, (_, i) => indices[i % indices.length]) };
  expect(buildTree(many, 'obb').depth).toBeLessThanOrEqual(MAX_DEPTH);
});

test('trees are built in short steps', () => {
  const mesh = MESH_FAMILIES['a curved sheet'](20_000, createRandom(1));
  for (const kind of TREE_KINDS) {
    const work = treeOfKind(mesh, kind);
    let steps = 0;
    while (!work.next().done) steps++;
    // About 20 levels of 20,000 triangles.
    expect(steps, kind).toBeGreaterThan(100);
  }
});

const pairs = new Map<string, ReturnType<typeof makePair>>();

/** The pair of a family and a seed, which all tests share. */
function pairOf(name: string, seed: number) {
  const key = `${name} ${seed}`;
  const pair = pairs.get(key) ?? makePair(MESH_FAMILIES[name], seed);
  pairs.set(key, pair);
  return pair;
}

/** The trees of two meshes in a pose, and the distances of all pairs of triangles. */
function makePair(family: (typeof families)[number][1], seed: number) {
  const random = createRandom(seed);
  const [scaleA, scaleB] = [
    [1, 1],
    [1, 1000],
    [0.03, 0.02],
    [50, 0.5],
  ][seed % 4];
  const meshes: Triangles[] = [family(30, random), families[seed % families.length][1](30, random)];
  const [a, b] = meshes;
  const placement = touchingPlacement(a, b, scaleA, scaleB, random);
  // Some poses apart: by up to the size of both.
  const away = unitVector(random, [0, 0, 0]);
  const shift = seed % 3 === 0 ? 0 : (scaleA + scaleB) * random();
  away.forEach((x, k) => (placement.translation[k] += x * shift));
  const cornersA = placedCorners(a, scaleA);
  const cornersB = placedCorners(b, scaleB, placement);
  const counts = meshes.map(({ indices }) => indices.length / 3);
  const gaps = new Float64Array(counts[0] * counts[1]);
  const distance = createTriangleDistance();
  for (let i = 0; i < counts[0]; i++) {
    const triangle = cornersA.subarray(9 * i, 9 * i + 9);
    for (let j = 0; j < counts[1]; j++) {
      gaps[i * counts[1] + j] = triangleDistance(triangle, cornersB.subarray(9 * j, 9 * j + 9), distance);
    }
  }
  const trees = meshes.map((mesh, i) => {
    if (counts[i] === 1 && seed % 3 === 0) return treeOfOnePart(finish(boundTriangles(mesh)));
    return buildTree(mesh, TREE_KINDS[(seed >> i) & 1]);
  });
  const size = scaleA * trees[0].extent + scaleB * trees[1].extent + Math.hypot(...placement.translation);
  return { treeA: trees[0], treeB: trees[1], placement, gaps, countB: counts[1], size };
}

const SEEDS = Array.from({ length: 12 }, (_, i) => i);

test.each(families)('findPartPairs visits all pairs within the margin, and bounds the others: %s', (name) => {
  const walk = createWalk();
  for (const seed of SEEDS) {
    const { treeA, treeB, placement, gaps, countB, size } = pairOf(name, seed);
    const sorted = gaps.slice().sort();
    for (const margin of [0, sorted[sorted.length >> 2], sorted[sorted.length >> 1], Infinity]) {
      const where = `seed ${seed}, margin ${margin}`;
      const visited = new Uint8Array(gaps.length);
      finish(findPartPairs({ a: treeA, b: treeB, placement }, margin, (i, j) => void visited[i * countB + j]++, walk));
      expect(Math.max(...visited), where).toBeLessThanOrEqual(1);
      const left = gaps.filter((_gap, pair) => visited[pair] === 0);
      const leastLeft = left.length ? Math.min(...left) : Infinity;
      if (margin < Infinity) expect(walk.bound, where).toBeGreaterThan(margin * (1 - 1e-12));
      if (left.length === 0) expect(walk.bound, where).toBe(Infinity);
      else expect(walk.bound, where).toBeLessThanOrEqual(leastLeft + 1e-8 * size);
      if (left.length > 0) expect(Math.hypot(...walk.axis), where).toBeCloseTo(1, 12);
    }
  }
});

test('the bound of two trees as a whole is that of their boxes, and its axis separates all triangles', () => {
  const walk = createWalk();
  for (const seed of SEEDS) {
    const random = createRandom(seed);
    const [a, b] = [0, 1].map(() => MESH_FAMILIES['a soup of small triangles'](40, random));
    const placement = touchingPlacement(a, b, 2, 0.5, random);
    const away = unitVector(random, [0, 0, 0]);
    away.forEach((x, k) => (placement.translation[k] += 30 * x));
    const [treeA, treeB] = [a, b].map((mesh, i) => buildTree(mesh, TREE_KINDS[(seed >> i) & 1]));
    finish(findPartPairs({ a: treeA, b: treeB, placement }, 0, () => expect.fail('they are apart'), walk));
    const project = (corners: Float64Array): number[] =>
      Array.from({ length: corners.length / 3 }, (_, i) =>
        walk.axis.reduce((sum, x, k) => sum + x * corners[3 * i + k], 0),
      );
    const gap = Math.min(...project(placedCorners(b, 0.5, placement))) - Math.max(...project(placedCorners(a, 2)));
    expect(gap, `seed ${seed}`).toBeGreaterThanOrEqual(walk.bound);
    expect(walk.bound, `seed ${seed}`).toBeGreaterThan(20);
  }
});

test('a visit that returns true ends the traversal', () => {
  const { treeA, treeB, placement } = pairOf('a soup of small triangles', 0);
  let visits = 0;
  finish(findPartPairs({ a: treeA, b: treeB, placement }, Infinity, () => ++visits === 7, createWalk()));
  expect(visits).toBe(7);
});

test.each(families)('firstHit finds whether any pair hits: %s', (name) => {
  const walk = createWalk();
  for (const seed of SEEDS) {
    const { treeA, treeB, placement, gaps, countB, size } = pairOf(name, seed);
    const touches = (i: number, j: number): boolean => gaps[i * countB + j] <= 1e-9 * size;
    // A pair within rounding of touching may not be visited at all.
    const isHit = gaps.some((gap) => gap === 0);
    const isNear = gaps.some((gap) => gap <= 1e-9 * size);
    const found = finish(firstHit({ a: treeA, b: treeB, placement }, touches, walk));
    if (isHit || !isNear) expect(found, `seed ${seed}`).toBe(isHit);
  }
});

test.each(families)('nearestParts finds the least distance and the lowest pair that has it: %s', (name) => {
  const walk = createWalk();
  const nearest = createNearest();
  for (const seed of SEEDS) {
    const { treeA, treeB, placement, gaps, countB, size } = pairOf(name, seed);
    const distanceOf = (i: number, j: number): number => gaps[i * countB + j];
    const least = Math.min(...gaps);
    for (const slack of [0, 1e-3 * size]) {
      const where = `seed ${seed}, slack ${slack}`;
      finish(nearestParts({ a: treeA, b: treeB, placement }, distanceOf, { limit: Infinity, slack }, nearest, walk));
      expect(nearest.distance, where).toBe(least);
      const lowest = gaps.findIndex((gap) => gap <= least + slack);
      if (least > 0) expect(nearest.partA * countB + nearest.partB, where).toBe(lowest);
    }
    if (least === 0) continue;
    // With a limit below the least distance there is nothing but a bound.
    const limit = least * 0.9;
    finish(nearestParts({ a: treeA, b: treeB, placement }, distanceOf, { limit, slack: 0 }, nearest, walk));
    expect(nearest.distance, `seed ${seed}`).toBe(Infinity);
    if (walk.bound < Infinity) expect(walk.bound, `seed ${seed}`).toBeGreaterThan(limit * (1 - 1e-12));
  }
});

test.each(families)('farthestVertex finds the support along any direction: %s', (_, family) => {
  const random = createRandom(3);
  const mesh = family(400, random);
  const trees = TREE_KINDS.map((kind) => buildTree(mesh, kind));
  for (let i = 0; i < 100; i++) {
    const [x, y, z] = unitVector(random, [0, 0, 0]);
    const along = (vertex: number): number =>
      mesh.positions[3 * vertex] * x + mesh.positions[3 * vertex + 1] * y + mesh.positions[3 * vertex + 2] * z;
    const best = Math.max(...Array.from(mesh.indices, along));
    for (const tree of trees) expect(along(farthestVertex(tree, mesh, x, y, z)), `direction ${i}`).toBe(best);
  }
});
