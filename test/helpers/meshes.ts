/** Meshes for tests of their trees, and their poses. */
import { boundTriangles, buildPartTree, type Triangles } from '../../src/bvh/build-tree.ts';
import { cutParts } from '../../src/bvh/cut-parts.ts';
import { encloseOriented } from '../../src/bvh/oriented-boxes.ts';
import type { PartTree } from '../../src/bvh/part-tree.ts';
import type { Placement } from '../../src/bvh/placement.ts';
import { rotationMatrix } from '../../src/cpu/math.ts';
import { finish, type Work } from '../../src/util/turns.ts';
import { below, uniform, unitVector, type Random } from '../../verification/families/random.ts';

export const TREE_KINDS = ['aligned', 'obb'] as const;
export type TreeKind = (typeof TREE_KINDS)[number];

/** A tree over triangles: with boxes along the mesh's axes, as compounds have them, or with axes of their own. */
export function* treeOfKind(mesh: Triangles, kind: TreeKind): Work<PartTree> {
  const boxes = yield* boundTriangles(mesh);
  return yield* kind === 'obb' ? encloseOriented(yield* cutParts(boxes), mesh) : buildPartTree(boxes);
}

export function buildTree(mesh: Triangles, kind: TreeKind): PartTree {
  return finish(treeOfKind(mesh, kind));
}

/** Triangles, each from its own three vertices. */
function soup(triangles: number, triangle: (i: number) => readonly number[]): Triangles {
  const positions = Float64Array.from(Array.from({ length: triangles }, (_, i) => triangle(i)).flat(), Math.fround);
  return { positions, indices: Uint32Array.from({ length: 3 * triangles }, (_, i) => i) };
}

function near(centre: readonly number[], size: number, random: Random): number[] {
  return [0, 1, 2].flatMap(() => centre.map((x) => x + uniform(random, -size, size)));
}

const anywhere = (random: Random, size: number): number[] => [0, 1, 2].map(() => uniform(random, -size, size));

/** A height field of `side` by `side` squares over [-1, 1] in x and z. */
export function makeSheet(side: number, height: (x: number, z: number) => number): Triangles {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= side; i++) {
    for (let j = 0; j <= side; j++) {
      const [x, z] = [(2 * i) / side - 1, (2 * j) / side - 1];
      positions.push(x, height(x, z), z);
      if (i === side || j === side) continue;
      const corner = i * (side + 1) + j;
      indices.push(corner, corner + 1, corner + side + 1, corner + side + 1, corner + 1, corner + side + 2);
    }
  }
  return { positions: Float64Array.from(positions, Math.fround), indices: Uint32Array.from(indices) };
}

/** A disc of radius 1 in the plane y = 0: triangles around their common hub. */
export function makeFan(triangles: number): Triangles {
  const rim = Array.from({ length: triangles }, (_, i) => (2 * Math.PI * i) / triangles);
  return {
    positions: Float64Array.from(
      [0, 0, 0, ...rim.flatMap((angle) => [Math.cos(angle), 0, Math.sin(angle)])],
      Math.fround,
    ),
    indices: Uint32Array.from(rim.flatMap((_, i) => [0, 1 + i, 1 + ((i + 1) % triangles)])),
  };
}

/** Whether two corners of an icosahedron of edge 2 are neighbours. */
const isEdge = (p: number[], q: number[]): boolean => Math.hypot(...p.map((x, k) => x - q[k])) < 2.1;

/** A sphere of this radius, each of whose 20 triangles is cut into four so often. */
export function makeIcosphere(cuts: number, radius = 1): Triangles {
  const g = (1 + Math.sqrt(5)) / 2;
  const corners = [1, -1].flatMap((i) => [g, -g].flatMap((k) => [[0, i, k], [i, k, 0], [k, 0, i]])); // prettier-ignore
  const faces: number[][][] = [];
  for (const [i, p] of corners.entries())
    for (const [j, q] of corners.entries())
      for (const r of corners.slice(j + 1))
        if (i < j && isEdge(p, q) && isEdge(q, r) && isEdge(r, p)) faces.push([p, q, r]);
  const middle = (p: number[], q: number[]): number[] => onSphere(p.map((x, k) => x + q[k]));
  const onSphere = (p: number[]): number[] => p.map((x) => (radius * x) / Math.hypot(...p));
  let triangles = faces.map((face) => face.map(onSphere));
  for (let cut = 0; cut < cuts; cut++) {
    triangles = triangles.flatMap(([p, q, r]) => {
      const [pq, qr, rp] = [middle(p, q), middle(q, r), middle(r, p)];
      return [[p, pq, rp], [q, qr, pq], [r, rp, qr], [pq, qr, rp]]; // prettier-ignore
    });
  }
  return soup(triangles.length, (i) => triangles[i].flat());
}

/** Meshes that differ in what makes a tree slow or wrong. */
export const MESH_FAMILIES: Record<string, (count: number, random: Random) => Triangles> = {
  'a soup of small triangles': (count, random) => soup(count, () => near(anywhere(random, 1), 0.1, random)),
  'a soup of triangles of all sizes': (count, random) =>
    soup(count, () => near(anywhere(random, 1), 2 ** -below(random, 12), random)),
  'a curved sheet': (count) => makeSheet(Math.ceil(Math.sqrt(count / 2)), (x, z) => 0.3 * x * x - 0.5 * z * x),
  'a flat grid': (count) => makeSheet(Math.ceil(Math.sqrt(count / 2)), () => 0),
  needles: (count, random) =>
    soup(count, () => {
      const [from, along] = [anywhere(random, 1), unitVector(random, [0, 0, 0])];
      return [from, from.map((x, k) => x + along[k]), from.map((x) => x + uniform(random, -1e-4, 1e-4))].flat();
    }),
  'one triangle many times': (count, random) => {
    const triangle = near([0, 0, 0], 1, random);
    return soup(count, () => triangle);
  },
  'triangles that are points': (count, random) =>
    soup(count, () => {
      const point = anywhere(random, 1);
      return [point, point, point].flat();
    }),
  'collinear triangles': (count, random) =>
    soup(count, () => [0, 1, 2].flatMap(() => [1, -2, 0.5].map((k) => k * uniform(random, -1, 1)))),
  'triangles along a line': (count, random) =>
    soup(count, (i) => [0, 1, 2].flatMap(() => [i / count + uniform(random, 0, 0.01), 0, 0])),
  'sizes that halve': (count) => soup(count, (i) => [1, 0, 0, 0, 1, 0, 0, 0, 1].map((x) => x * 2 ** -(i % 100))),
  'a soup far from its origin': (count, random) =>
    soup(count, () => near(anywhere(random, 1), 0.1, random).map((x) => x + 1e4)),
  'one triangle': (_, random) => soup(1, () => near([0, 0, 0], 1, random)),
  'two triangles': (_, random) => soup(2, () => near([0, 0, 0], 1, random)),
};

/** A placement with a random rotation, so that a point of B's shape comes to lie on one of A's. */
export function touchingPlacement(
  a: Triangles,
  b: Triangles,
  scaleA: number,
  scaleB: number,
  random: Random,
): Placement {
  const rotation = rotationMatrix(unitVector(random, [0, 0, 0, 0]), new Float64Array(9));
  const p = 3 * a.indices[below(random, a.indices.length)];
  const q = 3 * b.indices[below(random, b.indices.length)];
  const translation = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    const turned =
      rotation[k] * b.positions[q] + rotation[3 + k] * b.positions[q + 1] + rotation[6 + k] * b.positions[q + 2];
    translation[k] = scaleA * a.positions[p + k] - scaleB * turned;
  }
  return { rotation, translation, scaleA, scaleB };
}

/** All corners of a mesh's triangles in A's axes at full scale: 9 numbers per triangle. */
export function placedCorners({ positions, indices }: Triangles, scale: number, placement?: Placement): Float64Array {
  const corners = new Float64Array(3 * indices.length);
  indices.forEach((vertex, i) => {
    const [x, y, z] = [0, 1, 2].map((k) => scale * positions[3 * vertex + k]);
    const [r, t] = [placement?.rotation, placement?.translation];
    corners.set(r && t ? [0, 1, 2].map((k) => r[k] * x + r[3 + k] * y + r[6 + k] * z + t[k]) : [x, y, z], 3 * i);
  });
  return corners;
}
