/** Boxes for tests of the broad phase, 6 numbers each: min x, y, z, max x, y, z; and their pairs by brute force. */
import { below, uniform, type Random } from '../../verification/families/random.ts';

/** All pairs of boxes that overlap or touch, flat, in ascending order. */
export function overlappingPairs(boxes: Float64Array): Uint32Array {
  const pairs: number[] = [];
  const { length } = boxes;
  for (let a = 0; a < length; a += 6) {
    for (let b = a + 6; b < length; b += 6) {
      if (boxes[a] > boxes[b + 3] || boxes[b] > boxes[a + 3]) continue;
      if (boxes[a + 1] > boxes[b + 4] || boxes[b + 1] > boxes[a + 4]) continue;
      if (boxes[a + 2] > boxes[b + 5] || boxes[b + 2] > boxes[a + 5]) continue;
      pairs.push(a / 6, b / 6);
    }
  }
  return Uint32Array.from(pairs);
}

/** Writes box i around a centre. */
function put(boxes: Float64Array, i: number, centre: readonly number[], half: readonly number[]): void {
  for (let k = 0; k < 3; k++) {
    boxes[6 * i + k] = centre[k] - half[k];
    boxes[6 * i + 3 + k] = centre[k] + half[k];
  }
}

type Place = (i: number, count: number, random: Random) => { centre: number[]; half: number[] };

const anywhere = (random: Random, size: number): number[] => [0, 1, 2].map(() => uniform(random, 0, size));
const cube = (half: number): number[] => [half, half, half];

/** Arrangements of boxes that differ in what makes a broad phase slow or wrong. */
export const BOX_FAMILIES: Record<string, Place> = {
  'similar sizes': (_, count, random) => ({
    centre: anywhere(random, 1.1 * Math.cbrt(count)),
    half: [0, 1, 2].map(() => uniform(random, 0.5, 0.85)),
  }),
  'sizes from 1 to 1000': (_, count, random) => ({
    centre: anywhere(random, 100 * Math.cbrt(count)),
    half: cube(0.5 * 1000 ** uniform(random, 0, 1)),
  }),
  'one giant': (i, count, random) => ({
    centre: anywhere(random, 1.1 * Math.cbrt(count)),
    half: cube(i === 7 ? 1e6 : 0.5),
  }),
  clusters: (_, __, random) => {
    const cluster = below(random, 20);
    return {
      centre: [1e6 * cluster, 1e5 * cluster ** 2, 0].map((middle) => middle + uniform(random, 0, 8)),
      half: cube(0.5),
    };
  },
  'a line': (_, count, random) => ({ centre: [uniform(random, 0, count / 4), 0, 0], half: cube(0.5) }),
  'a slanting line': (_, count, random) => ({ centre: cube(uniform(random, 0, count / 4)), half: cube(0.5) }),
  'a sheet': (_, count, random) => ({
    centre: [0, 1, 2].map((k) => uniform(random, 0, k === 1 ? 1e-3 : Math.sqrt(count))),
    half: cube(0.5),
  }),
  'a grid whose boxes touch': (i) => ({
    centre: [i % 16, Math.floor(i / 16) % 16, Math.floor(i / 256)],
    half: cube(0.5),
  }),
  'flat boxes': (_, count, random) => ({
    centre: [...anywhere(random, Math.sqrt(count)).slice(0, 2), 0],
    half: [uniform(random, 0, 1), uniform(random, 0, 1), 0],
  }),
  needles: (_, count, random) => {
    const along = below(random, 3);
    return {
      centre: anywhere(random, 3 * Math.cbrt(count)),
      half: [0, 1, 2].map((k) => (k === along ? 5 : 0.005)),
    };
  },
  points: (_, __, random) => ({ centre: [0, 1, 2].map(() => below(random, 20)), half: cube(0) }),
  'far out': (_, count, random) => ({
    centre: anywhere(random, 1.1 * Math.cbrt(count)).map((x) => x + 1e8),
    half: cube(0.5),
  }),
  'an outlier beyond measure': (i, count, random) => ({
    centre: i === 3 ? [1e30, -1e30, 1e30] : anywhere(random, 1.1 * Math.cbrt(count)),
    half: cube(0.5),
  }),
  'boxes without an end': (i, count, random) => ({
    centre: anywhere(random, 1.1 * Math.cbrt(count)),
    half: i % 1000 === 0 ? [1e100, 0.5, 0.5] : cube(0.5),
  }),
};

/** Boxes of a family. */
export function makeBoxes(family: Place, count: number, random: Random): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    const { centre, half } = family(i, count, random);
    put(boxes, i, centre, half);
  }
  return boxes;
}
