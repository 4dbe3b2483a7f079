/**
 * Families of convex bodies that overlap meshes and compounds: ground in many triangulations and tilings, ridges, solids, rims, and
 * rough ground. Each pose is seeded, and overlaps by 1e-4 to 0.1, or rests anywhere.
 */
import type { CompoundDescription, ConvexDescription, MeshDescription, PartDescription } from '../../src/api/shapes.ts';
import { contact, createShape, impact, type CpuShape } from '../../src/cpu.ts';
import {
  CROSS,
  ELL,
  makeBricks,
  makeCutBox,
  makeNoisyTiles,
  makeOverlaps,
  makePyramids,
  makeRamp,
  makeRows,
  makeSlices,
  makeStairs,
  makeTiles,
  TABLE,
  U,
} from './compound-grounds.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';
import {
  makeBoxMesh,
  makeColumns,
  makeGround,
  makeOctahedron,
  makePillar,
  makePrism,
  makeStrips,
  withMore,
  withSecond,
} from './surface-meshes.ts';

/** What the depth of a body is judged by. */
export type SurfaceKind =
  /** The plane y = 0, or `plane`. */
  | 'flat'
  /** The hull of `solid`. */
  | 'convex'
  /** The shortest of many moves that clear all parts, and the deepest part. */
  | 'free';

/** What bodies overlap. */
export type Ground = MeshDescription | CompoundDescription;

export interface SurfaceFamily {
  name: string;
  ground: Ground;
  kind: SurfaceKind;
  /** The points whose hull the ground is. */
  solid?: readonly number[];
  /** The plane of flat ground that is not y = 0. */
  plane?: SurfacePlane;
  /** What rounding makes of lengths, if it is more than usual. */
  tolerance?: number;
  /** Whether contacts point up. */
  isGround: boolean;
  /** Bodies that may be thin or deep inside: how deep they are below triangles that they do not hit is not judged. */
  isThin: boolean;
  /** The half extents of a box, if bodies may have their middle inside. */
  inside?: readonly number[];
  cases: SurfaceCase[];
}

export interface SurfacePlane {
  normal: readonly number[];
  offset: number;
}

export interface SurfaceCase {
  shape: ConvexDescription;
  position: number[];
  quaternion: number[];
}

const round = (numbers: readonly number[]): number[] => numbers.map(Math.fround);

const HEXAGON = Array.from({ length: 6 }, (_, i) => {
  const [x, z] = [Math.cos((i * Math.PI) / 3), Math.sin((i * Math.PI) / 3)];
  return [0.3 * x, -0.2, 0.3 * z, 0.24 * x, 0.2, 0.24 * z];
}).flat();

const f = Math.fround;
const SHAPES: readonly ConvexDescription[] = [
  { type: 'sphere', radius: f(0.3) },
  { type: 'box', halfExtents: round([0.3, 0.2, 0.25]) },
  { type: 'capsule', halfHeight: f(0.3), radius: f(0.2) },
  { type: 'cylinder', halfHeight: f(0.2), radius: f(0.3) },
  { type: 'cone', halfHeight: f(0.3), radius: f(0.3) },
  { type: 'hull', points: round(HEXAGON) },
  { type: 'hull', points: round([-0.3, 0, -0.3, 0.3, 0, -0.3, 0.3, 0, 0.3, -0.3, 0, 0.3, 0, 0.5, 0]) },
];

/** A plate, a pole and a rod. */
const THIN: readonly ConvexDescription[] = [
  { type: 'box', halfExtents: round([0.6, 0.02, 0.5]) },
  { type: 'capsule', halfHeight: f(0.8), radius: f(0.05) },
  { type: 'hull', points: round([-0.01, -0.5, 0, 0.01, -0.5, 0, 0, 0.5, 0.02, 0, 0.5, -0.02]) },
];

/** Bodies that fit into the middle of ground. */
const SMALL: readonly ConvexDescription[] = [
  { type: 'sphere', radius: f(0.1) },
  { type: 'box', halfExtents: round([0.1, 0.06, 0.08]) },
  { type: 'capsule', halfHeight: f(0.1), radius: f(0.05) },
];

const DEPTHS = [1e-4, 1e-3, 0.005, 0.01, 0.03, 0.06, 0.1];

/** Upright, turned about y, tilted a little, and anyhow. */
function rotationFor(random: Random, shape: ConvexDescription, i: number): number[] {
  const way = i % 4;
  if (way === 0) return shape.type === 'capsule' ? [0, 0, Math.SQRT1_2, Math.SQRT1_2] : [0, 0, 0, 1];
  if (way === 1) return [0, uniform(random, -1, 1), 0, 1];
  if (way === 2) return [uniform(random, -0.1, 0.1), uniform(random, -0.2, 0.2), uniform(random, -0.1, 0.1), 1];
  return Array.from(unitVector(random, [0, 0, 0, 0]));
}

/** A body at the origin, and the ground: where is it to go? */
interface Placing {
  random: Random;
  shape: CpuShape;
  quaternion: number[];
  depth: number;
  parts: readonly CpuShape[];
  solid: CpuShape | undefined;
}

const ORIGIN = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

/** The least height at which a body over x, z touches no part, minus the depth. */
function onGround({ shape, quaternion, depth, parts }: Placing, x: number, z: number): number[] {
  const high = 5;
  let first = 2 * high;
  for (const part of parts) {
    const body = { position: [x, high, z], quaternion, linearVelocity: [0, -1, 0] };
    first = Math.min(
      first,
      impact(part, { ...ORIGIN, linearVelocity: [0, 0, 0] }, shape, body, { duration: 2 * high }).time,
    );
  }
  return [x, high - Math.min(first, 2 * high) - depth, z];
}

/** Towards a solid from a random direction until it is as deep. */
function intoSolid({ random, shape, quaternion, depth, solid }: Placing, offset: readonly number[]): number[] {
  const direction = Array.from(unitVector(random, [0, 0, 0]));
  let [low, high] = [-1, 4];
  const at = (way: number): number[] => offset.map((x, k) => x + way * direction[k]);
  for (let i = 0; i < 30; i++) {
    const middle = (low + high) / 2;
    const { distance } = contact(solid!, ORIGIN, shape, { position: at(middle), quaternion }, { margin: Infinity });
    if (distance < -depth) low = middle;
    else high = middle;
  }
  return at(high);
}

/** Towards a point from a random direction until it meets a part, and as deep. */
function againstParts({ random, shape, quaternion, depth, parts }: Placing, to: readonly number[]): number[] {
  const way = 5;
  const direction = Array.from(unitVector(random, [0, 0, 0]));
  const body = { position: to.map((x, k) => x - way * direction[k]), quaternion, linearVelocity: direction };
  let first = 2 * way;
  for (const part of parts)
    first = Math.min(
      first,
      impact(part, { ...ORIGIN, linearVelocity: [0, 0, 0] }, shape, body, { duration: 2 * way }).time,
    );
  return body.position.map((x, k) => x + (Math.min(first, way) + depth) * direction[k]);
}

interface Recipe extends Partial<Pick<SurfaceFamily, 'isGround' | 'isThin' | 'inside' | 'plane' | 'tolerance'>> {
  mesh: (random: Random) => Ground;
  kind: SurfaceKind;
  /** More points of the solid than the mesh has; without, no solid. */
  solid?: readonly number[];
  /** Default: bodies of all kinds. */
  shapes?: readonly ConvexDescription[];
  place: (placing: Placing) => number[];
}

const ground = (mesh: Recipe['mesh'], kind: SurfaceKind, reach: number, solid?: readonly number[]): Recipe => ({
  mesh,
  kind,
  solid,
  isGround: true,
  place: (placing) => onGround(placing, uniform(placing.random, -reach, reach), uniform(placing.random, -reach, reach)),
});

const free = (mesh: Recipe['mesh'], [x, y, z]: readonly number[]): Recipe => ({
  mesh,
  kind: 'free',
  place: (placing) =>
    againstParts(
      placing,
      [x, y, z].map((size) => uniform(placing.random, -size, size)),
    ),
});

const solid = (mesh: Recipe['mesh'], [x, y, z]: readonly number[]): Recipe => ({
  mesh,
  kind: 'convex',
  solid: [],
  place: (placing) =>
    intoSolid(
      placing,
      [x, y, z].map((size) => uniform(placing.random, -0.8 * size, 0.8 * size)),
    ),
});

function ridge(degrees: number): Recipe {
  const height = -2 * Math.tan((degrees * Math.PI) / 360);
  const profile = [-2, -1, 0, 1, 2].map((x): [number, number] => [x, (Math.abs(x) / 2) * height]);
  return ground(() => makePrism(profile, 2, 6), 'convex', 0.6, [0, -9, 0]);
}

/** Thin bodies on a mesh of one side. */
const thin = (recipe: Recipe): Recipe => ({
  ...recipe,
  mesh: (random) => ({ ...(recipe.mesh(random) as MeshDescription), sides: 'front' }),
  shapes: THIN,
  isThin: true,
});

/** Bodies anywhere around and in a box. */
const anywhere = (cells: number): Recipe => ({
  ...solid(() => makeBoxMesh(BOX, cells), BOX),
  inside: BOX,
  place: ({ random }) => BOX.map((size) => uniform(random, -size - 0.4, size + 0.4)),
});

const BOX = [1, 0.7, 0.5];

/** A tilted plane far from the origin. */
const FAR = [1000, 333, -142];
const TILT = unit([Math.sin(0.3), 0.1, 0.2, Math.cos(0.3)]);
const TILTED = turned([0, 1, 0], TILT);
const FAR_PLANE = { normal: TILTED, offset: TILTED.reduce((sum, x, k) => sum + x * FAR[k], 0) };

function makeFarGround(): MeshDescription {
  const { positions, indices } = makeGround(10, 20);
  const moved = Array.from({ length: positions.length / 3 }, (_, v) =>
    turned(
      [0, 1, 2].map((k) => positions[3 * v + k]),
      TILT,
    ).map((x, k) => x + FAR[k]),
  );
  return { type: 'mesh', positions: moved.flat(), indices };
}

const farGround: Recipe = {
  mesh: makeFarGround,
  kind: 'flat',
  plane: FAR_PLANE,
  tolerance: 4e-4,
  isGround: true,
  place({ random, shape, quaternion, depth }) {
    const under = createShape({ type: 'halfspace', normal: TILTED, offset: 0 });
    const gap = contact(under, ORIGIN, shape, { position: [0, 0, 0], quaternion }, { margin: Infinity }).distance;
    const at = turned([uniform(random, -3, 3), 0, uniform(random, -3, 3)], TILT);
    return at.map((x, k) => x + FAR[k] - (gap + depth) * TILTED[k]);
  },
};

function unit(q: readonly number[]): number[] {
  return q.map((x) => x / Math.hypot(...q));
}

/** A vector, rotated by a unit quaternion. */
function turned([x, y, z]: readonly number[], [i, j, k, w]: readonly number[]): number[] {
  const [a, b, c] = [2 * (j * z - k * y), 2 * (k * x - i * z), 2 * (i * y - j * x)];
  return [x + w * a + j * c - k * b, y + w * b + k * a - i * c, z + w * c + i * b - j * a];
}

const wave = (x: number, z: number): number => 0.15 * Math.sin(1.3 * x) * Math.cos(0.9 * z);
const rough = (x: number, z: number): number =>
  0.12 * Math.sin(3 * x) * Math.cos(2.6 * z) + 0.02 * Math.sin(17 * x + 3 * z);
const sawTooth = Array.from({ length: 13 }, (_, i): [number, number] => [0.3 * (i - 6), i % 2 ? 0 : 0.12]);

const overEdge: Recipe['place'] = ({ random, shape, quaternion, depth, solid: slab }) => {
  // From above, beyond the slab's top edge or corner.
  const x = uniform(random, 0.75, 1.15);
  const z = random() < 0.5 ? uniform(random, 0.75, 1.2) : uniform(random, -0.6, 0.6);
  let [low, high] = [0, 5];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    const gap = contact(slab!, ORIGIN, shape, { position: [x, middle, z], quaternion }, { margin: Infinity }).distance;
    if (gap < 0) low = middle;
    else high = middle;
  }
  return [x, high - depth, z];
};

const DOME = ground(() => makeGround(16, 4, (x, z) => -0.04 * (x * x + z * z), true), 'convex', 1, [0, -9, 0]);
const TERRAIN = ground(() => makeGround(24, 6, wave), 'free', 2);

const RECIPES: Readonly<Record<string, Recipe>> = {
  'flat, coarse': ground(() => makeGround(12, 4), 'flat', 1),
  'flat, fine': ground(() => makeGround(40, 4, undefined, true), 'flat', 1),
  'flat, T-junctions': ground((random) => makeColumns(12, 4, random), 'flat', 1),
  'flat, strips of a thousandth': ground(makeStrips, 'flat', 1),
  'flat, doubled': ground(() => withMore(makeGround(10, 4), true, 200), 'flat', 1),
  'flat, repeated': ground(() => withMore(makeGround(10, 4), false, 90), 'flat', 1),
  'flat, two sheets': ground(() => withSecond(makeGround(5, 4), makeGround(7, 2.5), [0.13, 0, -0.2]), 'flat', 1),
  'flat, two triangles': ground(() => makeGround(1, 4), 'flat', 1),
  'ridge of 0.06 degrees': ridge(0.06),
  'ridge of 1 degree': ridge(1),
  'ridge of 10 degrees': ridge(10),
  'ridge of 45 degrees': ridge(45),
  dome: DOME,
  'box, 1 square per edge': solid(() => makeBoxMesh([1, 0.7, 0.5], 1), [1, 0.7, 0.5]),
  'box, 4 squares per edge': solid(() => makeBoxMesh([1, 0.7, 0.5], 4), [1, 0.7, 0.5]),
  'box, 16 squares per edge': solid(() => makeBoxMesh([1, 0.7, 0.5], 16), [1, 0.7, 0.5]),
  'octahedron, 8': solid(() => makeOctahedron(0, false), [0.4, 0.4, 0.4]),
  'octahedron, 128': solid(() => makeOctahedron(2, false), [0.4, 0.4, 0.4]),
  'sphere, 128': solid(() => makeOctahedron(2, true), [0.4, 0.4, 0.4]),
  'sphere, 512': solid(() => makeOctahedron(3, true), [0.4, 0.4, 0.4]),
  'slab, 1 square per edge': { ...solid(() => makeBoxMesh([1, 0.1, 1], 1), [1, 0.1, 1]), place: overEdge },
  'slab, 4 squares per edge': { ...solid(() => makeBoxMesh([1, 0.1, 1], 4), [1, 0.1, 1]), place: overEdge },
  'slab, 16 squares per edge': { ...solid(() => makeBoxMesh([1, 0.1, 1], 16), [1, 0.1, 1]), place: overEdge },
  rim: { ...solid(() => makeGround(6, 2), [1, 0, 1]), place: overEdge },
  terrain: TERRAIN,
  'rough terrain': ground(() => makeGround(24, 6, rough), 'free', 2),
  'saw-tooth': ground(() => makePrism(sawTooth, 2, 6), 'free', 0.9),
  step: ground(() => makePrism([[-2, 0.5], [-1, 0.5], [0, 0.5], [0, 0.25], [0, 0], [1, 0], [2, 0]], 2, 8), 'free', 0.5), // prettier-ignore
  'flat, tilted, at coordinates near 1000': farGround,
  pillar: solid(() => makePillar(12, 6), [0.4, 0.7, 0.4]),
  'box, any depth, 1 square per edge': anywhere(1),
  'box, any depth, 4 squares per edge': anywhere(4),
  'box, any depth, 16 squares per edge': anywhere(16),
  'thin bodies, dome': thin(DOME),
  'thin bodies, terrain': thin(TERRAIN),
  'thin bodies, sphere': thin(solid(() => makeOctahedron(3, true), [0.4, 0.4, 0.4])),
  valley: ground(() => makePrism([[-2, 1], [-1, 0.5], [0, 0], [1, 0.3], [2, 0.6]], 2, 8), 'free', 0.4), // prettier-ignore
  'compound: tiles': ground(() => makeTiles(8, 2), 'flat', 1),
  'compound: tiles of different lengths': ground((random) => makeRows(6, 2, random), 'flat', 1),
  'compound: turned tiles with rounding': ground((random) => makeNoisyTiles(8, 2, random), 'flat', 1),
  'compound: tiles that overlap': ground(() => makeOverlaps(6, 2, 0.1), 'flat', 1),
  'compound: ramp of hulls': {
    ...ground(() => makeRamp(12, 0.3), 'flat', 1),
    plane: { normal: unit([-0.3, 1, 0]), offset: 0 },
  },
  'compound: bricks': solid(() => makeBricks(4, 4), [1, 0.7, 0.25]),
  'compound: box cut into 8': solid(() => makeCutBox(BOX, 2), BOX),
  'compound: box cut into 64': solid(() => makeCutBox(BOX, 4), BOX),
  'compound: box cut into 64, any depth': {
    ...solid(() => makeCutBox(BOX, 4), BOX),
    place: ({ random }) => BOX.map((size) => uniform(random, -size - 0.4, size + 0.4)),
  },
  'compound: bricks, any depth': {
    ...solid(() => makeBricks(4, 4), [1, 0.7, 0.25]),
    place: ({ random }) => [1, 0.7, 0.25].map((size) => uniform(random, -size - 0.4, size + 0.4)),
  },
  'compound: small bodies in a box cut into 64': {
    ...solid(() => makeCutBox(BOX, 4), BOX),
    shapes: SMALL,
    place: ({ random }) => BOX.map((size) => uniform(random, -size, size)),
  },
  'compound: octahedron cut into pyramids': solid(makePyramids, [0.4, 0.4, 0.4]),
  'compound: prism cut into slices': solid(() => makeSlices(9), [0.5, 0.5, 0.5]),
  'compound: stairs': ground(() => makeStairs(6), 'free', 0.8),
  'compound: L': free(() => ELL, [0.9, 0.4, 0.4]),
  'compound: U': free(() => U, [0.9, 0.4, 0.4]),
  'compound: beams that cross': free(() => CROSS, [0.5, 0.2, 0.5]),
  'compound: table': free(() => TABLE, [0.9, 0.6, 0.5]),
};

export const surfaceFamilyNames = Object.keys(RECIPES);

export function makeSurfaceFamily(name: string, count: number, seed: number): SurfaceFamily {
  const recipe = RECIPES[name];
  const random = createRandom(seed);
  const given = recipe.mesh(random);
  const rounded = given.type === 'mesh' ? { ...given, positions: round(Array.from(given.positions)) } : given;
  const parts = partsOf(rounded);
  const points = recipe.solid && [...parts.flatMap(({ corners }) => corners.flat()), ...recipe.solid];
  const partShapes = parts.map((part) => part.shape);
  const solidShape = points && createShape({ type: 'hull', points });
  const descriptions = recipe.shapes ?? SHAPES;
  const shapes = descriptions.map((shape) => createShape(shape));
  const cases = Array.from({ length: count }, (_, i): SurfaceCase => {
    const at = i % shapes.length;
    const shape = descriptions[at];
    // Four ways, and an odd number of shapes: each shape comes in all of them.
    const quaternion = round(rotationFor(random, shape, i));
    const depth = DEPTHS[below(random, DEPTHS.length)];
    const placing = { random, shape: shapes[at], quaternion, depth, parts: partShapes, solid: solidShape };
    return { shape, position: round(recipe.place(placing)), quaternion };
  });
  const { kind, plane, tolerance, inside, isGround = false, isThin = false } = recipe;
  return { name, ground: rounded, kind, solid: points, plane, tolerance, inside, isGround, isThin, cases };
}

/** A triangle, or a convex part of a compound. */
export interface GroundPart {
  corners: number[][];
  shape: CpuShape;
}

/** The parts of a ground as shapes in its frame. */
export function partsOf(of: Ground): GroundPart[] {
  if (of.type === 'compound') return of.parts.map(solidOf);
  const { positions, indices } = of;
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const corners = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => positions[3 * indices[3 * t + k] + axis]));
    return { corners, shape: createShape({ type: 'triangle', points: corners.flat() }) };
  });
}

/** A box or a hull. */
function solidOf({ shape, position = [0, 0, 0], quaternion = [0, 0, 0, 1] }: PartDescription): GroundPart {
  const points =
    shape.type === 'box'
      ? [-1, 1].flatMap((x) =>
          [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z].map((s, k) => s * shape.halfExtents[k]))),
        )
      : Array.from({ length: (shape as { points: ArrayLike<number> }).points.length / 3 }, (_, i) =>
          [0, 1, 2].map((k) => (shape as { points: ArrayLike<number> }).points[3 * i + k]),
        );
  const corners = points.map((point) => turned(point, unit(Array.from(quaternion))).map((x, k) => x + position[k]));
  return { corners, shape: createShape({ type: 'hull', points: corners.flat() }) };
}
