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
  bodies: { shapes: Uint32Array; positions: Float32Array; quaternions: Float32Array };
  pairs: Uint32Array;
}

export interface Pose {
  position: ArrayLike<number>;
  quaternion: ArrayLike<number>;
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
}

/** Where a body of a family stands. */
export function poseOf({ bodies }: Family, body: number): Pose {
  return {
    position: bodies.positions.subarray(3 * body, 3 * body + 3),
    quaternion: bodies.quaternions.subarray(4 * body, 4 * body + 4),
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

/**
 * Places pair `index` with uniformly random rotations, A within 10 of the world's origin, B in a random direction from it:
 * half the pairs overlapping and half apart, a quarter of all within 1e-3 of the size from touch. Both shapes must hold
 * their origin. With `swapped` A's shape goes to the second body.
 */
export function putRandomPair(
  random: Random,
  family: Family,
  cores: Cores,
  index: number,
  shapeA: number,
  shapeB: number,
  swapped: boolean,
): void {
  const { shapes, positions, quaternions } = family.bodies;
  const a = 2 * index + (swapped ? 1 : 0);
  const b = 2 * index + (swapped ? 0 : 1);
  shapes[a] = shapeA;
  shapes[b] = shapeB;
  quaternions.set(unitVector(random, quaternion), 4 * a);
  quaternions.set(unitVector(random, quaternion), 4 * b);
  placedA.points = cores.points[shapeA];
  placedA.radius = cores.radii[shapeA];
  placedB.points = cores.points[shapeB];
  placedB.radius = cores.radii[shapeB];
  setRotation(quaternions, 4 * a, placedA.rotation);
  setRotation(quaternions, 4 * b, placedB.rotation);
  unitVector(random, ray);
  const distance = randomReach(random, cores.extents[shapeA] + cores.extents[shapeB]);
  for (let k = 0; k < 3; k++) {
    positions[3 * a + k] = uniform(random, -10, 10);
    positions[3 * b + k] = positions[3 * a + k] + distance * ray[k];
  }
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
