/** Meshes of flat, convex and rough ground, and of solids, in triangulations that are hard for contacts with their surfaces. */
import type { MeshDescription } from '../../src/api/shapes.ts';
import { below, uniform, type Random } from './random.ts';

/** A profile in the plane of x and y, drawn out along z into strips of squares; its front is up if x ascends. */
export function makePrism(
  profile: readonly (readonly [number, number])[],
  depth: number,
  cells: number,
): MeshDescription {
  const positions = profile.flatMap(([x, y]) =>
    Array.from({ length: cells + 1 }, (_, j) => [x, y, (2 * depth * j) / cells - depth]).flat(),
  );
  const indices: number[] = [];
  for (let i = 0; i + 1 < profile.length; i++) {
    for (let j = 0; j < cells; j++) {
      const a = i * (cells + 1) + j;
      const c = a + cells + 1;
      indices.push(a, a + 1, c + 1, a, c + 1, c);
    }
  }
  return { type: 'mesh', positions, indices };
}

/** The six sides of a box, each cut into squares, without common vertices between sides. */
export function makeBoxMesh(halfExtents: readonly number[], cells: number): MeshDescription {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      for (let i = 0; i <= cells; i++) {
        for (let j = 0; j <= cells; j++) {
          const point = [0, 0, 0];
          point[axis] = side * halfExtents[axis];
          point[u] = ((side * (2 * i)) / cells - side) * halfExtents[u];
          point[v] = ((2 * j) / cells - 1) * halfExtents[v];
          positions.push(...point);
          if (i === cells || j === cells) continue;
          const a = first + i * (cells + 1) + j;
          const c = a + cells + 1;
          indices.push(a, c, c + 1, a, c + 1, a + 1);
        }
      }
    }
  }
  return { type: 'mesh', positions, indices };
}

/** A square sheet around the origin, `cells` by `cells` squares of two triangles each; alternating diagonals with `alternates`. */
export function makeGround(
  cells: number,
  size: number,
  height: (x: number, z: number) => number = () => 0,
  alternates = false,
): MeshDescription {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= cells; i++) {
    for (let j = 0; j <= cells; j++) {
      const [x, z] = [(i / cells - 0.5) * size, (j / cells - 0.5) * size];
      positions.push(x, height(x, z), z);
      if (i === cells || j === cells) continue;
      const a = i * (cells + 1) + j;
      const c = a + cells + 1;
      if (alternates && (i + j) % 2 === 1) indices.push(a, a + 1, c + 1, a, c + 1, c);
      else indices.push(a, a + 1, c, a + 1, c + 1, c);
    }
  }
  return { type: 'mesh', positions, indices };
}

/** Flat ground of columns, each with rows of its own: T-junctions everywhere. */
export function makeColumns(cells: number, size: number, random: Random): MeshDescription {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < cells; i++) {
    const [x0, x1] = [i, i + 1].map((k) => (k / cells - 0.5) * size);
    const rows = 2 + below(random, cells);
    const first = positions.length / 3;
    for (let j = 0; j <= rows; j++) positions.push(x0, 0, (j / rows - 0.5) * size, x1, 0, (j / rows - 0.5) * size);
    for (let a = first; a < first + 2 * rows; a += 2) indices.push(a, a + 2, a + 3, a, a + 3, a + 1);
  }
  return { type: 'mesh', positions, indices };
}

/** Flat ground with strips of a thousandth. */
export function makeStrips(random: Random): MeshDescription {
  const xs = [-2];
  while (xs.at(-1)! < 2) xs.push(xs.at(-1)! + (random() < 0.4 ? 1e-3 * (1 + random()) : uniform(random, 0.05, 0.45)));
  const zs = [-2, -0.7, -0.699, 0.5, 2];
  const positions = xs.flatMap((x) => zs.flatMap((z) => [x, 0, z]));
  const indices: number[] = [];
  for (let i = 0; i + 1 < xs.length; i++) {
    for (let j = 0; j + 1 < zs.length; j++) {
      const a = i * zs.length + j;
      const c = a + zs.length;
      indices.push(a, a + 1, c + 1, a, c + 1, c);
    }
  }
  return { type: 'mesh', positions, indices };
}

/** The triangles of a mesh again: from the other side, or only the first of them as they are. */
export function withMore({ positions, indices }: MeshDescription, flips: boolean, triangles: number): MeshDescription {
  const more = Array.from(indices).slice(0, 3 * triangles);
  if (flips) more.reverse();
  return { type: 'mesh', positions, indices: [...Array.from(indices), ...more] };
}

/** Two meshes as one, the second moved. */
export function withSecond(a: MeshDescription, b: MeshDescription, offset: readonly number[]): MeshDescription {
  const count = a.positions.length / 3;
  return {
    type: 'mesh',
    positions: [...Array.from(a.positions), ...Array.from(b.positions, (x, i) => x + offset[i % 3])],
    indices: [...Array.from(a.indices), ...Array.from(b.indices, (vertex) => vertex + count)],
  };
}

/** Corner i of an octahedron: 2 k and 2 k + 1 are on axis k. */
const corner = (i: number): number[] => [0, 1, 2].map((k) => (i >> 1 === k ? 1 - 2 * (i & 1) : 0));

/** An octahedron, each of whose triangles is cut into four so often: `round` pushes the corners onto the unit sphere. */
export function makeOctahedron(cuts: number, round: boolean): MeshDescription {
  let triangles = [0, 1].flatMap((x) =>
    [2, 3].flatMap((y) => [4, 5].map((z) => ((x + y + z) % 2 ? [x, z, y] : [x, y, z]).map(corner))),
  );
  const middle = (p: number[], q: number[]): number[] => {
    const m = p.map((x, k) => (x + q[k]) / 2);
    return round ? m.map((x) => x / Math.hypot(...m)) : m;
  };
  for (let cut = 0; cut < cuts; cut++) {
    triangles = triangles.flatMap(([p, q, r]) => {
      const [pq, qr, rp] = [middle(p, q), middle(q, r), middle(r, p)];
      return [[p, pq, rp], [q, qr, pq], [r, rp, qr], [pq, qr, rp]]; // prettier-ignore
    });
  }
  return {
    type: 'mesh',
    positions: triangles.flat(2),
    indices: Array.from({ length: 3 * triangles.length }, (_, i) => i),
  };
}

/** A closed pillar of so many sides and so many rows, with a fan at each end. */
export function makePillar(sides: number, rows: number): MeshDescription {
  const positions: number[] = [];
  const indices: number[] = [];
  const at = (i: number, j: number): number => (i % sides) * (rows + 1) + j;
  const [bottom, top] = [sides * (rows + 1), sides * (rows + 1) + 1];
  for (let i = 0; i < sides; i++) {
    const angle = (2 * Math.PI * i) / sides;
    for (let j = 0; j <= rows; j++) positions.push(0.6 * Math.cos(angle), (2 * j) / rows - 1, 0.6 * Math.sin(angle));
    for (let j = 0; j < rows; j++)
      indices.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
    indices.push(bottom, at(i, 0), at(i + 1, 0), top, at(i + 1, rows), at(i, rows));
  }
  positions.push(0, -1, 0, 0, 1, 0);
  return { type: 'mesh', positions, indices };
}
