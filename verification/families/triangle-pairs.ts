/**
 * Seeded pairs of triangles: general ones, and every way in which triangles touch, lie in one plane or are degenerate.
 *
 * Most are on a lattice: A has the corners (0, 0, 0), (8, 0, 0) and (0, 8, 0) in a frame of random whole vectors, and B
 * whole coordinates in that frame. What touches or lies in a plane does so exactly, in f32 too.
 */
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

/** Three corners of either triangle: 9 numbers each. */
export type TrianglePair = readonly [a: number[], b: number[]];

/** What coordinates are rounded to, and one ulp is of. */
export type Precision = 'single' | 'double';

type Place = readonly [number, number, number];
type Make = (random: Random, precision: Precision) => TrianglePair;

const SIDE = 8;
const WHOLE_A: readonly Place[] = [
  [0, 0, 0],
  [SIDE, 0, 0],
  [0, SIDE, 0],
];

const from = (random: Random, low: number, high: number): number => low + below(random, high - low + 1);
const either = (random: Random): number => (random() < 0.5 ? -1 : 1);

/** Corners at these places of a random lattice. */
function onLattice(random: Random, a: readonly Place[], b: readonly Place[]): TrianglePair {
  const most = random() < 0.3 ? 1 : 4;
  const whole = (size: number): Place => [
    from(random, -size, size),
    from(random, -size, size),
    from(random, -size, size),
  ];
  for (;;) {
    const [o, u, v, w] = [whole(8), whole(most), whole(most), whole(most)];
    const volume =
      w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
    if (volume === 0) continue;
    const put = ([x, y, z]: Place): number[] => [0, 1, 2].map((k) => o[k] + x * u[k] + y * v[k] + z * w[k]);
    return [a.flatMap(put), b.flatMap(put)];
  }
}

const anywhere = (random: Random): Place => [from(random, -4, 12), from(random, -4, 12), from(random, -6, 6)];
const below0 = (random: Random): Place => [from(random, -4, 12), from(random, -8, -1), 0];
const off = ([x, y]: Place, random: Random): Place => [x, y, from(random, 1, 6) * either(random)];
const inside = (random: Random): Place => {
  const x = from(random, 1, SIDE - 2);
  return [x, from(random, 1, SIDE - 1 - x), 0];
};
const onEdge = (random: Random): Place => [from(random, 0, SIDE), 0, 0];

/** A pair of the lattice with B's corners as `corners` has them. */
const lattice =
  (corners: (random: Random) => readonly Place[]): Make =>
  (random) =>
    onLattice(random, WHOLE_A, corners(random));

/** Three corners without an inside: a point, two corners that coincide, or three on a line. */
function degenerate(random: Random, p: Place, d: Place): Place[] {
  const at = (share: number): Place => [p[0] + d[0] * share, p[1] + d[1] * share, p[2] + d[2] * share];
  const shares = [
    [0, 0, 0],
    [-1, -1, 1],
    [-1, 0, 2],
    [0, 1, 2],
  ][below(random, 4)];
  return shares.map(at);
}

const direction = (random: Random): Place => {
  const d: Place = [from(random, -3, 3), from(random, -3, 3), random() < 0.4 ? 0 : from(random, -3, 3)];
  return d.some((x) => x !== 0) ? d : [1, 0, 0];
};
const somewhere = (random: Random): Place =>
  [WHOLE_A[below(random, 3)], inside(random), onEdge(random), below0(random), anywhere(random)][below(random, 5)];

const free = (random: Random, size: number): number[] => Array.from({ length: 9 }, () => uniform(random, -size, size));

function needle(random: Random, slenderness: number): number[] {
  const axis = unitVector(random, [0, 0, 0]);
  const across = unitVector(random, [0, 0, 0]);
  const middle = Array.from({ length: 3 }, () => uniform(random, -0.3, 0.3));
  const third = uniform(random, -1, 1);
  const at = (x: number, y: number): number[] => middle.map((m, k) => m + axis[k] * x + across[k] * y);
  return [...at(-1, 0), ...at(1, 0), ...at(third, 1 / slenderness)];
}

const coplanar: Record<string, Make> = {
  'coplanar, overlapping': lattice((random) => {
    const flat = (): Place => [from(random, -4, 12), from(random, -4, 12), 0];
    return [flat(), flat(), flat()];
  }),
  'coplanar, touching at a vertex': lattice((random) => {
    const beyond = (): Place => [from(random, -8, 0), from(random, -8, 0), 0];
    return [[0, 0, 0], beyond(), beyond()];
  }),
  'coplanar, vertex on an edge': lattice((random) => [onEdge(random), below0(random), below0(random)]),
  'coplanar, edge along an edge': lattice((random) => {
    const along = (): Place => [from(random, -2, SIDE + 2), 0, 0];
    return [along(), along(), below0(random)];
  }),
  'coplanar, apart': lattice((random) => [below0(random), below0(random), below0(random)]),
  'coplanar, nested': lattice((random) => [inside(random), inside(random), inside(random)]),
  identical: lattice(() => WHOLE_A),
  // In a plane across an axis, as in most drawings: coordinates have all bits of f32.
  'faces of boxes': (random) => {
    const axis = below(random, 3);
    const height = Math.fround(uniform(random, -1, 1));
    const corner = (): number[] => [0, 1, 2].map((k) => (k === axis ? height : Math.fround(uniform(random, -1, 1))));
    const half = (): number[] => {
      const [p, q] = [corner(), corner()];
      const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
      const between = p.slice();
      between[i] = q[i];
      const other = random() < 0.5 ? between : p.map((x, k) => (k === j ? q[j] : x));
      return [...p, ...q, ...other];
    };
    return [half(), half()];
  },
};

const touching: Record<string, Make> = {
  'sharing a vertex': lattice((random) => [WHOLE_A[below(random, 3)], anywhere(random), anywhere(random)]),
  'sharing an edge': lattice((random) => [WHOLE_A[0], WHOLE_A[1], anywhere(random)]),
  'vertex in the face': lattice((random) => [
    inside(random),
    off(anywhere(random), random),
    off(anywhere(random), random),
  ]),
  'edge through an edge': lattice((random) => {
    const [x] = onEdge(random);
    const d = direction(random);
    return [[x + d[0], d[1], d[2]], [x - d[0], -d[1], -d[2]], anywhere(random)];
  }),
  'edge in the plane': lattice((random) => {
    const flat = (): Place => [from(random, -4, 12), from(random, -4, 12), 0];
    return [flat(), flat(), off(anywhere(random), random)];
  }),
  'edge through a vertex': lattice((random) => {
    const d = direction(random);
    return [d, [-2 * d[0], -2 * d[1], -2 * d[2]], anywhere(random)];
  }),
};

const degenerates: Record<string, Make> = {
  'degenerate with a triangle': lattice((random) => degenerate(random, somewhere(random), direction(random))),
  'two degenerate': (random) => {
    const p = somewhere(random);
    const d = direction(random);
    const isOnLine = random() < 0.4;
    const start: Place = isOnLine ? [p[0] + d[0] * from(random, -2, 2), p[1], p[2]] : p;
    return onLattice(random, degenerate(random, p, d), degenerate(random, start, isOnLine ? d : direction(random)));
  },
  'collinear, on one line': (random) => {
    const at = (): Place => [from(random, -4, 4), 0, 0];
    return onLattice(random, [at(), at(), at()], [at(), at(), at()]);
  },
};

const general: Record<string, Make> = {
  random: (random) => [free(random, 1), free(random, 1)],
  'whole numbers': (random) => {
    const most = from(random, 1, 4);
    const corners = (): number[] => Array.from({ length: 9 }, () => from(random, 0, most));
    return [corners(), corners()];
  },
  'on a lattice': lattice((random) => [anywhere(random), anywhere(random), anywhere(random)]),
  'needles 1e6:1': (random) => [needle(random, 1e6), random() < 0.5 ? needle(random, 1e6) : free(random, 1)],
  'needles 1e14:1': (random) => [needle(random, 1e14), random() < 0.5 ? needle(random, 1e14) : free(random, 1)],
  'small beside large': (random) => {
    const a = free(random, 1);
    const [x, y] = [random(), random()];
    const at = (k: number): number => a[k] + (a[3 + k] - a[k]) * x + (a[6 + k] - a[k]) * (1 - x) * y;
    return [a, free(random, 1e-5).map((c, i) => c + at(i % 3))];
  },
  'nearly parallel': (random) => {
    const a = free(random, 1);
    const height = 10 ** -from(random, 2, 15);
    return [a, a.map((x) => x + uniform(random, -0.5, 0.5)).map((x, i) => (i % 3 === 2 ? a[i] + x * height : x))];
  },
};

const structured = { ...coplanar, ...touching, ...degenerates };

/** The next number of a precision, `steps` ulps away from 0. */
function neighbour(x: number, steps: number, precision: Precision): number {
  const ulp = precision === 'single' ? 2 ** -23 : 2 ** -52;
  const size = Math.abs(x);
  return x + steps * (size > 0 ? 2 ** Math.floor(Math.log2(size)) : 1) * ulp;
}

const changeAll = ([a, b]: TrianglePair, change: (x: number, i: number) => number): TrianglePair => [
  a.map((x, i) => change(x, i % 3)),
  b.map((x, i) => change(x, i % 3)),
];

/** A pair of any structured family, changed. */
const ofAny =
  (change: (pair: TrianglePair, random: Random, precision: Precision) => TrianglePair): Make =>
  (random, precision) => {
    const makers = Object.values(structured);
    return change(makers[below(random, makers.length)](random, precision), random, precision);
  };

function rotate(pair: TrianglePair, random: Random): TrianglePair {
  const [x, y, z, w] = unitVector(random, [0, 0, 0, 0]);
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const turned = (t: number[]): number[] =>
    [0, 3, 6].flatMap((at) => rows.map((row) => row[0] * t[at] + row[1] * t[at + 1] + row[2] * t[at + 2]));
  return [turned(pair[0]), turned(pair[1])];
}

const changed: Record<string, Make> = {
  'structured, one ulp off': ofAny(([a, b], random, precision) => {
    const i = below(random, 9);
    const nudged = b.slice();
    nudged[i] = neighbour(b[i], either(random), precision);
    return [a, nudged];
  }),
  'structured, all ulps off': ofAny((pair, random, precision) =>
    changeAll(pair, (x) => neighbour(x, from(random, -2, 2), precision)),
  ),
  'structured, rotated': ofAny(rotate),
  'structured, 1e6 away': ofAny((pair) => changeAll(pair, (x, k) => x + [1e6, -1e6, 3e5][k])),
  'structured, rotated and 1e6 away': ofAny((pair, random) =>
    changeAll(rotate(pair, random), (x, k) => x + [1e6, -1e6, 3e5][k]),
  ),
  'structured, 1e-6 in size': ofAny((pair) => changeAll(pair, (x) => x * 1e-6)),
  'random, 1e6 away': (random, precision) =>
    changeAll(general.random(random, precision), (x, k) => x + [1e6, -1e6, 3e5][k]),
  'random, 1e-6 in size': (random, precision) => changeAll(general.random(random, precision), (x) => x * 1e-6),
};

const makers: Readonly<Record<string, Make>> = { ...general, ...structured, ...changed };

export const trianglePairFamilies: readonly string[] = Object.keys(makers);

/** Pairs of a family, with their corners and triangles in random order. */
export function trianglePairs(
  family: string,
  count: number,
  seed: number,
  precision: Precision = 'double',
): TrianglePair[] {
  const random = createRandom(seed);
  const round = precision === 'single' ? Math.fround : (x: number) => x;
  return Array.from({ length: count }, () => {
    const [a, b] = makers[family](random, precision).map((t) => shuffled(t, random).map(round));
    return random() < 0.5 ? [a, b] : [b, a];
  });
}

function shuffled(t: number[], random: Random): number[] {
  const first = 3 * below(random, 3);
  const [second, third] = random() < 0.5 ? [(first + 3) % 9, (first + 6) % 9] : [(first + 6) % 9, (first + 3) % 9];
  return [first, second, third].flatMap((at) => t.slice(at, at + 3));
}
