/**
 * An assembly with known clashes. Each cell of a wide grid has two parts, in one orientation of the cell's own, so that
 * their distance is known from the way they are placed: A is a box, and B is at its face x = +h, inside it, or a copy of
 * it. Sizes and offsets are multiples of 2^-10, which f32 and the sums of f64 hold exactly. Some of the boxes A are given
 * as meshes or compounds.
 */

import type { Category } from '../../cli/clash/categories.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';

export const ASSEMBLY_LIMITS = { tolerance: 0.001, clearance: 0.05 } as const;
const { tolerance, clearance } = ASSEMBLY_LIMITS;

/** Clashes of each category that are well within it. Half as many pairs are just beyond each limit. */
export const CLASHES_PER_CATEGORY = 50;

export interface ExpectedClash {
  a: string;
  b: string;
  category: Category;
  distance: number;
  inside?: 'a' | 'b';
}

export interface Assembly {
  /** As scene files have it. */
  scene: {
    version: 1;
    name: string;
    shapes: ShapeDescription[];
    bodies: { shape: number; position: number[]; quaternion: number[]; name: string }[];
    pairs: 'broad-phase';
  };
  expected: ExpectedClash[];
}

const CELL = 16;
const CELLS_PER_ROW = 10;

/** A multiple of 2^-10. */
function step(random: Random, low: number, high: number): number {
  return Math.round(uniform(random, low, high) * 1024) / 1024;
}

type Vector = [number, number, number];
type Quaternion = [number, number, number, number];

/** Two parts in the frame of their cell. The quaternion of B turns it within the cell. */
interface Couple {
  a: ShapeDescription;
  b: ShapeDescription;
  place: Vector;
  turn?: Quaternion;
  expected?: Omit<ExpectedClash, 'a' | 'b'>;
}

/** Half extents of A: wide across x, so that the least translation is along x. */
function plate(random: Random): Vector {
  return [step(random, 0.5, 1), step(random, 1.5, 2), step(random, 1.5, 2)];
}

/** The box A in one of several forms, which all have the same part x >= 0. */
function boxOf(random: Random, h: Vector): ShapeDescription {
  const [x, y, z] = h;
  switch (below(random, 4)) {
    case 0:
      return { type: 'box', halfExtents: h };
    case 1:
      return prism([-x, x, x, -x], [-y, -y, y, y], z);
    case 2:
      // Convex parts, of which the larger one has all of x >= 0.
      return {
        type: 'compound',
        parts: [
          { shape: { type: 'box', halfExtents: [x / 4, y, z] }, position: [-0.75 * x, 0, 0] },
          { shape: { type: 'box', halfExtents: [0.75 * x, y, z] }, position: [x / 4, 0, 0] },
        ],
      };
    default:
      // With a notch in the face x = -h.
      return prism([-x, x, x, -x, -x / 2], [-y, -y, y, y, 0], z);
  }
}

/** The mesh of a prism along z over a polygon, which is counter-clockwise and seen from its second corner. */
function prism(xs: readonly number[], ys: readonly number[], z: number): ShapeDescription {
  const n = xs.length;
  const positions = [-z, z].flatMap((height) => xs.flatMap((x, i) => [x, ys[i], height]));
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    const next = (i + 1) % n;
    indices.push(i, next, next + n, i, next + n, i + n);
    const [p, q] = [(i + 1) % n, (i + 2) % n];
    // The fan around corner 1.
    if (i > 0 && i < n - 1) indices.push(1, q, p, 1 + n, p + n, q + n);
  }
  return { type: 'mesh', positions, indices };
}

/** A shape for B, and its reach along -x. */
function part(random: Random): [ShapeDescription, reach: number] {
  const size = step(random, 0.2, 0.5);
  const height = step(random, 0.2, 0.5);
  switch (below(random, 6)) {
    case 0:
      return [{ type: 'sphere', radius: size }, size];
    case 1:
      return [{ type: 'box', halfExtents: [size, height, 0.25] }, size];
    case 2:
      return [{ type: 'capsule', halfHeight: height, radius: size }, size];
    case 3:
      return [{ type: 'cylinder', halfHeight: height, radius: size }, size];
    case 4:
      return [{ type: 'cone', halfHeight: height, radius: size }, size];
    default: {
      const points = Array.from({ length: 24 }, (_, i) =>
        i % 3 === 0 ? step(random, -size, size) : step(random, -0.4, 0.4),
      );
      return [{ type: 'hull', points: [...points, -size, 0, 0] }, size];
    }
  }
}

/** B at the face of A, `distance` from it. */
function atFace(random: Random, distance: number): Couple {
  const h = plate(random);
  const [b, reach] = part(random);
  return {
    a: boxOf(random, h),
    b,
    place: [h[0] + reach + distance, step(random, -0.5, 0.5), step(random, -0.5, 0.5)],
  };
}

/** A box or ball inside A. The nearest face decides its depth. `gap` is the least room between both surfaces. */
function inBox(random: Random, gap: number): Couple {
  const h = plate(random);
  const size = step(random, 0.1, 0.2);
  const isBall = below(random, 2) === 0;
  const b: ShapeDescription = isBall
    ? { type: 'sphere', radius: size }
    : { type: 'box', halfExtents: [size, size, size] };
  const place: Vector = [h[0] - size - gap, step(random, -0.5, 0.5), step(random, -0.5, 0.5)];
  return {
    a: boxOf(random, h),
    b,
    place,
    expected: { category: 'contained', distance: -(2 * size + gap), inside: 'b' },
  };
}

/** Copies of several kinds. `shift` moves the copy along x. */
function copy(random: Random, shift: number): Couple {
  const size = step(random, 0.3, 0.5);
  const place: Vector = [shift, 0, 0];
  const expected = { category: 'duplicate', distance: -(2 * size - shift) } as const;
  const half = Math.SQRT1_2;
  switch (below(random, 5)) {
    case 0: {
      const box: ShapeDescription = { type: 'box', halfExtents: [size, 2 * size, 2 * size] };
      return { a: box, b: box, place, turn: [half, 0, 0, half], expected };
    }
    case 1:
      return {
        a: { type: 'sphere', radius: size },
        b: { type: 'ellipsoid', radii: [size, size, size] },
        place,
        expected,
      };
    case 2: {
      const points = [1, -1].flatMap((x) => [1, -1].flatMap((y) => [1, -1].flatMap((z) => [x * size, y * 1, z * 1])));
      return {
        a: { type: 'box', halfExtents: [size, 1, 1] },
        b: { type: 'hull', points: [0, 0, 0, ...points] },
        place,
        expected,
      };
    }
    case 3: {
      // Turned about its own axis.
      const cylinder: ShapeDescription = { type: 'cylinder', halfHeight: 1, radius: size };
      return { a: cylinder, b: cylinder, place, turn: [0, 0.6, 0, 0.8], expected };
    }
    default: {
      // Upside down.
      const capsule: ShapeDescription = { type: 'capsule', halfHeight: 0.5, radius: size };
      return { a: capsule, b: capsule, place, turn: [0, 0, 1, 0], expected };
    }
  }
}

function expectAt(couple: Couple, category: Category | undefined, distance: number): Couple {
  return { ...couple, expected: category && { category, distance } };
}

/** `parts` bodies: the cells' couples, and couples that are far apart. */
export function makeClashAssembly(seed: number, parts = 2000, perCategory = CLASHES_PER_CATEGORY): Assembly {
  const nearMisses = perCategory / 2;
  const random = createRandom(seed);
  const couples: Couple[] = [];
  const add = (count: number, make: () => Couple): void => {
    for (let i = 0; i < count; i++) couples.push(make());
  };
  const facing = (count: number, category: Category | undefined, distanceOf: () => number): void =>
    add(count, () => {
      const distance = distanceOf();
      return expectAt(atFace(random, distance), category, distance);
    });
  facing(perCategory, 'overlap', () => -uniform(random, 0.002, 0.15));
  facing(perCategory, 'touching', () => uniform(random, -0.98, 0.98) * tolerance);
  facing(perCategory, 'clearance', () => uniform(random, 0.002, 0.049));
  add(perCategory, () => inBox(random, uniform(random, 0, 0.1)));
  add(perCategory, () => copy(random, uniform(random, 0, 0.98) * tolerance));
  // Just beyond a limit, on either side.
  facing(nearMisses, 'overlap', () => -1.02 * tolerance);
  facing(nearMisses, 'clearance', () => 1.02 * tolerance);
  facing(nearMisses, 'clearance', () => clearance - 0.02 * tolerance);
  facing(nearMisses, undefined, () => clearance + 0.02 * tolerance);
  add(nearMisses, () => inBox(random, -0.98 * tolerance));
  add(nearMisses, () => {
    const couple = inBox(random, -1.02 * tolerance);
    return expectAt(couple, 'overlap', couple.expected!.distance);
  });
  add(nearMisses, () => {
    const couple = copy(random, 1.02 * tolerance);
    return expectAt(couple, 'overlap', couple.expected!.distance);
  });
  while (2 * couples.length < parts) couples.push(expectAt(atFace(random, uniform(random, 0.2, 3)), undefined, 0));
  return assemble(couples, random);
}

function assemble(couples: readonly Couple[], random: Random): Assembly {
  const scene: Assembly['scene'] = { version: 1, name: 'assembly', shapes: [], bodies: [], pairs: 'broad-phase' };
  const expected: ExpectedClash[] = [];
  couples.forEach(({ a, b, place, turn, expected: clash }, i) => {
    const orientation = Array.from(unitVector(random, [0, 0, 0, 0]), Math.fround) as Quaternion;
    const row = Math.floor(i / CELLS_PER_ROW);
    const origin: Vector = [
      CELL * (i % CELLS_PER_ROW),
      CELL * (row % CELLS_PER_ROW),
      CELL * Math.floor(row / CELLS_PER_ROW),
    ];
    const names = [`cell ${i} a`, `cell ${i} b`];
    const [x, y, z] = turned(orientation, place);
    const first = scene.shapes.push(a, b) - 2;
    scene.bodies.push(
      { shape: first, position: origin, quaternion: orientation, name: names[0] },
      {
        shape: first + 1,
        position: [origin[0] + x, origin[1] + y, origin[2] + z],
        quaternion: turn ? product(orientation, turn) : orientation,
        name: names[1],
      },
    );
    if (clash) expected.push({ a: names[0], b: names[1], ...clash });
  });
  return { scene, expected };
}

/** The vector turned by a quaternion of any length. */
function turned([x, y, z, w]: Quaternion, [vx, vy, vz]: Vector): Vector {
  const squared = x * x + y * y + z * z + w * w;
  const [tx, ty, tz] = [y * vz - z * vy, z * vx - x * vz, x * vy - y * vx].map((c) => (2 * c) / squared);
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

/** The turn q, then the turn p. */
function product([px, py, pz, pw]: Quaternion, [qx, qy, qz, qw]: Quaternion): Quaternion {
  return [
    pw * qx + px * qw + py * qz - pz * qy,
    pw * qy - px * qz + py * qw + pz * qx,
    pw * qz + px * qy - py * qx + pz * qw,
    pw * qw - px * qx - py * qy - pz * qz,
  ];
}
