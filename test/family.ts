/** A family: shapes, bodies and pairs, as `addShape` and the queries take them, and how random pairs of it are placed. */

import type { ShapeDescription } from '../src/shapes/descriptions.ts';
import { corePoints } from './oracle/shape.ts';
import { setRotation, touchingReach, type PlacedCore } from './placement.ts';
import { spread, uniform, unitVector, type Random } from './random.ts';

/** All numbers are f32. Pair i is bodies 2i and 2i + 1. */
export interface Family {
  name: string;
  /** Added in order to a fresh tester, their ids are their indices here. */
  shapes: ShapeDescription[];
  bodies: { shapes: Uint32Array; positions: Float32Array; quaternions: Float32Array; scales?: Float32Array };
  pairs: Uint32Array;
}

export interface Pose {
  position: ArrayLike<number>;
  quaternion: ArrayLike<number>;
  /** Default 1. */
  scale?: number;
}

export function emptyFamily(name: string, shapes: ShapeDescription[], count: number): Family {
  const bodies = {
    shapes: new Uint32Array(2 * count),
    positions: new Float32Array(6 * count),
    quaternions: new Float32Array(8 * count),
  };
  return { name, shapes, bodies, pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i) };
}

export function putBody({ bodies }: Family, body: number, shape: number, pose: Pose): void {
  bodies.shapes[body] = shape;
  bodies.positions.set(pose.position, 3 * body);
  bodies.quaternions.set(pose.quaternion, 4 * body);
  if (bodies.scales) bodies.scales[body] = pose.scale ?? 1;
}

/** Where a body of a family stands. */
export function poseOf({ bodies }: Family, body: number): Pose {
  return {
    position: bodies.positions.subarray(3 * body, 3 * body + 3),
    quaternion: bodies.quaternions.subarray(4 * body, 4 * body + 4),
    ...(bodies.scales && { scale: bodies.scales[body] }),
  };
}

/** What placement needs of each shape. */
export interface Cores {
  points: Float64Array[];
  radii: number[];
  /** Greatest distance from the origin, radius included. */
  extents: number[];
}

export function shapeCores(shapes: ShapeDescription[]): Cores {
  const points = shapes.map((shape) => Float64Array.from(corePoints(shape)));
  const radii = shapes.map((shape) => shape.radius ?? 0);
  const extents = points.map((list, shape) => {
    let squared = 0;
    for (let i = 0; i < list.length; i += 3)
      squared = Math.max(squared, list[i] * list[i] + list[i + 1] * list[i + 1] + list[i + 2] * list[i + 2]);
    return Math.sqrt(squared) + radii[shape];
  });
  return { points, radii, extents };
}

const quaternion = new Float64Array(4);
const ray = new Float64Array(3);
const placedA: PlacedCore = { points: new Float64Array(0), radius: 0, rotation: new Float64Array(9) };
const placedB: PlacedCore = { points: new Float64Array(0), radius: 0, rotation: new Float64Array(9) };

/** How a random pair is placed. */
export interface Placement {
  /** A's shape goes to the second body. Default false. */
  swapped?: boolean;
  /** Factors of A's and B's shape; others than 1 need a family with scales. Default 1 each. */
  scales?: readonly [number, number];
  /** A stands within this of the world's origin along each axis. Default 10. */
  room?: number;
}

/**
 * Places pair `index` with uniformly random rotations, B in a random direction from A: half the pairs overlapping and half
 * apart, a quarter of all within 1e-3 of the size from touch. Both shapes must hold their origin.
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

/** Gives a body its shape, its scale and a random rotation. */
function place(random: Random, { bodies }: Family, body: number, cores: Cores, shape: number, scale: number, to: PlacedCore): void {
  bodies.shapes[body] = shape;
  bodies.quaternions.set(unitVector(random, quaternion), 4 * body);
  if (bodies.scales) bodies.scales[body] = scale;
  setRotation(bodies.quaternions, 4 * body, to.rotation);
  for (let k = 0; k < 9; k++) to.rotation[k] *= scale;
  to.points = cores.points[shape];
  to.radius = cores.radii[shape] * scale;
}

/**
 * How far B goes along the ray: deep, shallow, near touch on either side, a little apart, clearly apart. The closer to touch
 * the answer is to be, the closer the point of touch is found.
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
