/** Pairs of triangles for the comparison: those that two bunnies' trees come to, and families of the tests. */
// @ts-expect-error: the package has no types
import untypedBunny from 'bunny';
import { rotationMatrix, transform, vec3 } from '../../../src/cpu/math.ts';
import { createRandom, below, uniform, unitVector, type Random } from '../../../verification/families/random.ts';
import { trianglePairs } from '../../../verification/families/triangle-pairs.ts';

export interface PairSet {
  name: string;
  /** The first and second triangle of each pair: 9 numbers. */
  a: Float64Array[];
  b: Float64Array[];
}

const AXES = [0, 1, 2] as const;
const bunny = untypedBunny as { positions: number[][]; cells: number[][] };

const lowOf = (t: Float64Array, k: number): number => Math.min(t[k], t[3 + k], t[6 + k]);
const highOf = (t: Float64Array, k: number): number => Math.max(t[k], t[3 + k], t[6 + k]);

export function pairsOfFamily(name: string, count: number, seed: number): PairSet {
  const pairs = trianglePairs(name, count, seed);
  return { name, a: pairs.map(([a]) => Float64Array.from(a)), b: pairs.map(([, b]) => Float64Array.from(b)) };
}

/**
 * Pairs whose boxes overlap once those of the second bunny's triangles are widened by `margin` of their size. With 0
 * these are the pairs that a tree with one triangle per leaf tests. Leaves of several triangles test pairs that are
 * farther apart, too.
 */
export function pairsOfBunnies(name: string, margin: number, count: number, seed: number): PairSet {
  const random = createRandom(seed);
  const fixed = trianglesOf(bunny.positions);
  const set: PairSet = { name, a: [], b: [] };
  while (set.a.length < count) {
    const moved = trianglesOf(placed(random));
    for (let tries = 0; tries < 500; tries++) {
      const t = moved[below(random, moved.length)];
      const room = margin * Math.max(...AXES.map((k) => highOf(t, k) - lowOf(t, k)));
      for (const s of fixed) {
        if (AXES.some((k) => lowOf(s, k) > highOf(t, k) + room || lowOf(t, k) - room > highOf(s, k))) continue;
        set.a.push(s);
        set.b.push(t);
      }
    }
  }
  set.a.length = count;
  set.b.length = count;
  return set;
}

function trianglesOf(positions: readonly number[][]): Float64Array[] {
  return bunny.cells.map((cell) => Float64Array.from(cell.flatMap((vertex) => positions[vertex])));
}

/** The bunny's vertices, rotated about its middle and moved by up to a quarter of its size. */
function placed(random: Random): number[][] {
  const { positions } = bunny;
  const matrix = rotationMatrix(unitVector(random, [0, 0, 0, 0]), new Float64Array(9));
  const low = AXES.map((k) => Math.min(...positions.map((p) => p[k])));
  const high = AXES.map((k) => Math.max(...positions.map((p) => p[k])));
  const middle = AXES.map((k) => (low[k] + high[k]) / 2);
  const target = AXES.map((k) => middle[k] + 0.25 * (high[k] - low[k]) * uniform(random, -1, 1));
  const turned = vec3();
  return positions.map((p) => {
    transform(matrix, vec3(p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]), turned);
    return [turned.x + target[0], turned.y + target[1], turned.z + target[2]];
  });
}
