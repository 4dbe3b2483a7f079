/** Pairs of triangles for the comparison: those that leaves of two meshes' trees meet, and families of the tests. */
import { createRequire } from 'node:module';
import { createRandom, below, uniform, unitVector, type Random } from '../../../verification/families/random.ts';
import { trianglePairs } from '../../../verification/families/triangle-pairs.ts';
import { rotationMatrix, transform, vec3 } from '../../../src/cpu/math.ts';

// The package has no types.
const bunny = createRequire(import.meta.url)('bunny') as Mesh;

export interface PairSet {
  name: string;
  /** Nine numbers each. */
  a: Float64Array[];
  b: Float64Array[];
}

interface Mesh {
  positions: number[][];
  cells: number[][];
}

const ofFamily = (name: string, family: string, count: number, seed: number): PairSet => {
  const pairs = trianglePairs(family, count, seed);
  return { name, a: pairs.map(([a]) => Float64Array.from(a)), b: pairs.map(([, b]) => Float64Array.from(b)) };
};

function trianglesOf({ positions, cells }: Mesh): Float64Array[] {
  return cells.map((cell) => Float64Array.from(cell.flatMap((vertex) => positions[vertex])));
}

/** The mesh, rotated about its middle and moved by up to a quarter of its size. */
function placed({ positions, cells }: Mesh, random: Random): Mesh {
  const matrix = rotationMatrix(unitVector(random, [0, 0, 0, 0]), new Float64Array(9));
  const low = [0, 1, 2].map((k) => Math.min(...positions.map((p) => p[k])));
  const high = [0, 1, 2].map((k) => Math.max(...positions.map((p) => p[k])));
  const middle = low.map((x, k) => (x + high[k]) / 2);
  const offset = low.map((x, k) => middle[k] + 0.25 * (high[k] - x) * uniform(random, -1, 1));
  const turned = vec3();
  return {
    cells,
    positions: positions.map((p) => {
      const { x, y, z } = transform(matrix, vec3(p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]), turned);
      return [x + offset[0], y + offset[1], z + offset[2]];
    }),
  };
}

const lowOf = (t: Float64Array, k: number): number => Math.min(t[k], t[3 + k], t[6 + k]);
const highOf = (t: Float64Array, k: number): number => Math.max(t[k], t[3 + k], t[6 + k]);

/**
 * Pairs of triangles of two bunnies whose boxes overlap, if the boxes of B's triangles are widened by `margin` of their
 * size: 0 is what a tree with one triangle per leaf tests, and leaves of several triangles test pairs farther apart too.
 */
function ofBunnies(name: string, margin: number, count: number, seed: number): PairSet {
  const random = createRandom(seed);
  const fixed = trianglesOf(bunny).sort((s, t) => lowOf(s, 0) - lowOf(t, 0));
  const set: PairSet = { name, a: [], b: [] };
  const longest = Math.max(...fixed.map((t) => highOf(t, 0) - lowOf(t, 0)));
  while (set.a.length < count) {
    const moved = trianglesOf(placed(bunny, random));
    for (let i = 0; i < moved.length; i++) {
      const t = moved[below(random, moved.length)];
      const size = Math.max(...[0, 1, 2].map((k) => highOf(t, k) - lowOf(t, k)));
      const room = margin * size;
      const partners = fixed.filter((s) =>
        [0, 1, 2].every((k) => lowOf(s, k) <= highOf(t, k) + room && lowOf(t, k) - room <= highOf(s, k)),
      );
      for (const s of partners) {
        set.a.push(s);
        set.b.push(t);
      }
      if (set.a.length >= count * (1 + longest * 0)) break;
    }
  }
  return { name, a: set.a.slice(0, count), b: set.b.slice(0, count) };
}
export { ofBunnies, ofFamily };
