/**
 * A family: shapes, bodies and pairs, in the form that `addShape` and the queries take, and the placement of random
 * pairs.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import {
  type BoundedDescription,
  corePieces,
  coreReach,
  coreSupport,
  roundingRadius,
  rotateBack,
  rotationMatrix,
  type CorePieces,
} from '../oracle/shape.ts';
import { setRotation, touchingReach, type PlacedCore } from './placement.ts';
import { spread, uniform, unitVector, type Random } from './random.ts';

/** All numbers are f32, except positions in a `Float64Array`. Pair i is bodies 2i and 2i + 1. */
export interface Family {
  name: string;
  /** If they are added in order to a fresh tester, their ids are their indices here. */
  shapes: ShapeDescription[];
  bodies: {
    shapes: Uint32Array;
    positions: Float32Array | Float64Array;
    quaternions: Float32Array;
    scales?: Float32Array;
  };
  pairs: Uint32Array;
  /** Of a joined family: those that it is made of. */
  parts?: FamilyPart[];
}

export interface FamilyPart {
  name: string;
  /** Its pairs in the joined family. */
  first: number;
  count: number;
}

export interface Pose {
  position: ArrayLike<number>;
  quaternion: ArrayLike<number>;
  /** Default 1. */
  scale?: number;
}

export function emptyFamily(name: string, shapes: ShapeDescription[], count: number, isWide = false): Family {
  const bodies = {
    shapes: new Uint32Array(2 * count),
    positions: isWide ? new Float64Array(6 * count) : new Float32Array(6 * count),
    quaternions: new Float32Array(8 * count),
  };
  return { name, shapes, bodies, pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i) };
}

/** The pairs of all families as one, in order, with 64-bit positions if any of them has these. */
export function joinFamilies(name: string, families: readonly Family[]): Family & { parts: FamilyPart[] } {
  const count = families.reduce((sum, { pairs }) => sum + pairs.length / 2, 0);
  const isWide = families.some(({ bodies }) => bodies.positions instanceof Float64Array);
  const joined = { ...emptyFamily(name, [], count, isWide), parts: [] as FamilyPart[] };
  const scales = new Float32Array(2 * count).fill(1);
  let body = 0;
  for (const { name: part, shapes, bodies, pairs } of families) {
    if (pairs.some((paired, i) => paired !== i)) throw new Error(`pairs of ${part} are not bodies 2i and 2i + 1`);
    joined.parts.push({ name: part, first: body / 2, count: pairs.length / 2 });
    joined.bodies.shapes.set(
      bodies.shapes.map((id) => joined.shapes.length + id),
      body,
    );
    joined.bodies.positions.set(bodies.positions, 3 * body);
    joined.bodies.quaternions.set(bodies.quaternions, 4 * body);
    if (bodies.scales) scales.set(bodies.scales, body);
    joined.shapes.push(...shapes);
    body += bodies.shapes.length;
  }
  if (families.some(({ bodies }) => bodies.scales)) joined.bodies.scales = scales;
  return joined;
}

/** A family's parts: itself, if it is not joined. */
export function partsOf({ name, pairs, parts }: Family): FamilyPart[] {
  return parts ?? [{ name, first: 0, count: pairs.length / 2 }];
}

/** A pair in words: the family that it comes from, and its number there. */
export function pairName(family: Family, index: number): string {
  const { name, first } = partsOf(family)
    .filter((part) => part.first <= index)
    .at(-1)!;
  return `${name}, pair ${index - first}`;
}

export function putBody({ bodies }: Family, body: number, shape: number, pose: Pose): void {
  bodies.shapes[body] = shape;
  bodies.positions.set(pose.position, 3 * body);
  bodies.quaternions.set(pose.quaternion, 4 * body);
  if (bodies.scales) bodies.scales[body] = pose.scale ?? 1;
}

/** The pose of a body of a family. */
export function poseOf({ bodies }: Family, body: number): Pose {
  return {
    position: bodies.positions.subarray(3 * body, 3 * body + 3),
    quaternion: bodies.quaternions.subarray(4 * body, 4 * body + 4),
    ...(bodies.scales && { scale: bodies.scales[body] }),
  };
}

/** Data of each shape for the placement. A half-space is only marked as such. */
export interface Cores {
  points: Float64Array[];
  rounds: CorePieces['rounds'][];
  radii: number[];
  /** Greatest distance of each shape from its origin, radius included. */
  extents: number[];
}

/** Whether a shape is convex and bounded. */
function isBounded(shape: ShapeDescription): shape is BoundedDescription {
  return shape.type !== 'halfspace' && shape.type !== 'compound' && shape.type !== 'mesh';
}

export function shapeCores(shapes: ShapeDescription[]): Cores {
  const pieces = shapes.map((shape) => (isBounded(shape) ? corePieces(shape) : { points: [], rounds: [] }));
  const radii = shapes.map((shape) => (isBounded(shape) ? roundingRadius(shape) : 0));
  return {
    points: pieces.map(({ points }) => Float64Array.from(points)),
    rounds: pieces.map(({ rounds }) => rounds),
    radii,
    extents: shapes.map((shape, i) => (isBounded(shape) ? coreReach(shape) + radii[i] : 0)),
  };
}

const quaternion = new Float64Array(4);
const ray = new Float64Array(3);
const placedA: PlacedCore = { points: new Float64Array(0), radius: 0, rotation: new Float64Array(9) };
const placedB: PlacedCore = { points: new Float64Array(0), radius: 0, rotation: new Float64Array(9) };

/** Options of a random placement. */
export interface Placement {
  /** Whether A's shape goes to the second body. Default false. */
  swapped?: boolean;
  /** Scales of A's and B's shape. Values other than 1 need a family with scales. Default 1 each. */
  scales?: readonly [number, number];
  /** A is within this distance of the world's origin along each axis. Default 10. */
  room?: number;
}

/**
 * Places pair `index` with uniformly random rotations, B in a random direction from A. Half the pairs overlap and half
 * are apart; a quarter of all are within 1e-3 of the size from touch. Both shapes must contain their origin.
 */
export function putRandomPair(
  random: Random,
  family: Family,
  cores: Cores,
  index: number,
  [shapeA, shapeB]: readonly [number, number],
  { swapped = false, scales = [1, 1], room = 10 }: Placement = {},
): void {
  const { bodies } = family;
  const a = 2 * index + (swapped ? 1 : 0);
  const b = 2 * index + (swapped ? 0 : 1);
  place(random, family, a, cores, shapeA, scales[0], placedA);
  place(random, family, b, cores, shapeB, scales[1], placedB);
  unitVector(random, ray);
  const distance = randomReach(random, cores.extents[shapeA] * scales[0] + cores.extents[shapeB] * scales[1]);
  for (let k = 0; k < 3; k++) {
    bodies.positions[3 * a + k] = uniform(random, -room, room);
    bodies.positions[3 * b + k] = bodies.positions[3 * a + k] + distance * ray[k];
  }
}

/** Sets a body's shape, its scale and a random rotation. */
function place(
  random: Random,
  { bodies }: Family,
  body: number,
  cores: Cores,
  shape: number,
  scale: number,
  to: PlacedCore,
): void {
  bodies.shapes[body] = shape;
  bodies.quaternions.set(unitVector(random, quaternion), 4 * body);
  if (bodies.scales) bodies.scales[body] = scale;
  setRotation(bodies.quaternions, 4 * body, to.rotation);
  for (let k = 0; k < 9; k++) to.rotation[k] *= scale;
  to.points = cores.points[shape];
  to.rounds = cores.rounds[shape];
  to.radius = cores.radii[shape] * scale;
}

/**
 * How far B moves along the ray: deep, shallow, near touch on either side, slightly apart, clearly apart. The closer to
 * touch the result is, the more precisely the point of touch is computed.
 */
function randomReach(random: Random, size: number): number {
  const band = random();
  const tolerance = band < 0.25 || band >= 0.75 ? 1e-2 : band < 0.38 || band >= 0.62 ? 1e-4 : 1e-8;
  const { reach, cosine } = touchingReach(placedA, placedB, ray, tolerance * size);
  if (band < 0.25) return reach * uniform(random, 0, 0.9);
  if (band < 0.38) return reach - spread(random, 0.1 * reach, 7);
  if (band < 0.62) return reach + ((band < 0.5 ? -1 : 1) * spread(random, 1e-3 * size, 13)) / Math.max(cosine, 0.05);
  if (band < 0.75) return reach + spread(random, 0.1 * reach, 7);
  return reach * uniform(random, 1.1, 3);
}

/**
 * Places pair `index` of a half-space and a bounded shape with uniformly random rotations, the shape over a random
 * place of the plane. Half the pairs overlap and half are apart; a quarter of all are within 1e-3 of the size from
 * touch. `shapes` are those of the family, the half-space first. If swapped, the half-space goes to the second body.
 */
export function putHalfspacePair(
  random: Random,
  family: Family,
  cores: Cores,
  index: number,
  [halfspace, shape]: readonly [number, number],
  { swapped = false, scales = [1, 1], room = 10 }: Placement = {},
): void {
  const { bodies } = family;
  const plane = 2 * index + (swapped ? 1 : 0);
  const other = 2 * index + (swapped ? 0 : 1);
  const description = family.shapes[halfspace];
  if (description.type !== 'halfspace')
    throw new Error(`shape ${halfspace} of ${family.name} is a ${description.type}, expected a half-space`);
  place(random, family, plane, cores, halfspace, scales[0], placedA);
  place(random, family, other, cores, shape, scales[1], placedB);
  const length = Math.hypot(...Array.from(description.normal));
  setRotation(bodies.quaternions, 4 * plane, placedA.rotation);
  const normal = [0, 1, 2].map(
    (k) => [0, 1, 2].reduce((sum, l) => sum + placedA.rotation[3 * k + l] * description.normal[l], 0) / length,
  );
  const size = cores.extents[shape] * scales[1];
  const towards = rotateBack(
    rotationMatrix(bodies.quaternions.subarray(4 * other, 4 * other + 4)),
    normal.map((x) => -x),
  );
  const reach =
    scales[1] *
    (coreSupport({ points: cores.points[shape], rounds: cores.rounds[shape] }, towards) + cores.radii[shape]);
  const height = description.offset * scales[0] + reach + randomGap(random, size);
  unitVector(random, ray);
  const along = ray[0] * normal[0] + ray[1] * normal[1] + ray[2] * normal[2];
  const aside = uniform(random, 0, 2 * size);
  for (let k = 0; k < 3; k++) {
    bodies.positions[3 * plane + k] = uniform(random, -room, room);
    bodies.positions[3 * other + k] =
      bodies.positions[3 * plane + k] + height * normal[k] + aside * (ray[k] - along * normal[k]);
  }
}

/** Deep, shallow, near touch on either side, slightly apart, clearly apart. */
function randomGap(random: Random, size: number): number {
  const band = random();
  if (band < 0.25) return -size * uniform(random, 0.1, 2);
  if (band < 0.38) return -spread(random, 0.1 * size, 7);
  if (band < 0.62) return (band < 0.5 ? -1 : 1) * spread(random, 1e-3 * size, 13);
  if (band < 0.75) return spread(random, 0.1 * size, 7);
  return size * uniform(random, 0.1, 2);
}
