/**
 * Bad data that only a GPU sees, as in buffers that a caller's own shaders write, between good pairs. The host would
 * not let it pass: it is for a backend, below the host's validation. Hosts bring finite angles of the plane into half a
 * turn: none is too large.
 */

import type { PlanarBodies, PosedBodies } from '../../src/api/types.ts';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { addShape, createShapeTable, removeShape } from '../../src/shapes/shape-table.ts';
import type { ShapeTable } from '../../src/shapes/shape-table.ts';
import { makeFamily } from '../../verification/families/families.ts';
import type { Family } from '../../verification/families/families.ts';
import { makePlanarTypeFamily } from '../../verification/families/planar-families.ts';
import type { PlanarFamily } from '../../verification/families/planar-family.ts';

/** A bad pair stands behind every so many good ones. */
const STRIDE = 5;

/** As many as there are kinds of bad pairs, in each dimension. */
export const BAD_KINDS = 44;

interface BadBody {
  name: string;
  shape?: number;
  position?: number[];
  /** A quaternion, or an angle alone. */
  rotation?: number[];
  scale?: number;
}

interface Mixed<Good, Bodies> {
  shapes: ShapeTable;
  /** The good pairs alone. */
  family: Good;
  bodies: Bodies;
  /** Good and bad ones. */
  pairs: Uint32Array;
  /** What is wrong, by index into `pairs`. */
  badAt: Map<number, string>;
}

export type MixedPairs = Mixed<Family, PosedBodies>;
export type MixedPlanarPairs = Mixed<PlanarFamily, PlanarBodies>;

/** `count` good pairs of boxes and each kind of bad one at least once; needs 5 good ones for each kind. */
export function mixBadPairs(count: number, seed: number): MixedPairs {
  const family = makeFamily('box-box', count, seed);
  const { quaternions } = family.bodies;
  const shapes = createShapeTable();
  for (const shape of family.shapes) addShape(shapes, shape, dimension3);
  const removed = addShape(shapes, { type: 'sphere', radius: 1 }, dimension3);
  removeShape(shapes, removed);
  const bad: BadBody[] = [
    { name: 'a NaN in the position', position: [0, NaN, 0] },
    { name: 'an infinite position', position: [0, 0, Infinity] },
    { name: 'a position of minus infinity', position: [-Infinity, 0, 0] },
    { name: 'a NaN in the quaternion', rotation: [0, 0, NaN, 1] },
    { name: 'an infinite quaternion', rotation: [Infinity, 0, 0, 1] },
    { name: 'a zero quaternion', rotation: [0, 0, 0, 0] },
    ...badInAnyDimension(family.shapes.length, removed),
  ];
  const { rotations, ...bodies } = withBodies(family.bodies, quaternions, bad, [0, 0, 0], [0, 0, 0, 1]);
  return { shapes, family, bodies: { ...bodies, quaternions: rotations }, ...withPairs(count, bad) };
}

/** The same of two types of shape of the plane, such as `circle/rectangle`. */
export function mixPlanarBadPairs(types: string, count: number, seed: number): MixedPlanarPairs {
  const family = makePlanarTypeFamily(types, count, seed);
  const angles = family.bodies.angles;
  const shapes = createShapeTable();
  for (const shape of family.shapes) addShape(shapes, shape, dimension2);
  const removed = addShape(shapes, { type: 'circle', radius: 1 }, dimension2);
  removeShape(shapes, removed);
  const bad: BadBody[] = [
    { name: 'a NaN in the position', position: [0, NaN] },
    { name: 'an infinite position', position: [Infinity, 0] },
    { name: 'a position of minus infinity', position: [0, -Infinity] },
    { name: 'a NaN angle', rotation: [NaN] },
    { name: 'an infinite angle', rotation: [Infinity] },
    { name: 'an angle of minus infinity', rotation: [-Infinity] },
    ...badInAnyDimension(family.shapes.length, removed),
  ];
  const { rotations, ...bodies } = withBodies(family.bodies, angles, bad, [0, 0], [0]);
  return { shapes, family, bodies: { ...bodies, angles: rotations }, ...withPairs(count, bad) };
}

function badInAnyDimension(shapeCount: number, removed: number): BadBody[] {
  return [
    { name: 'scale 0', scale: 0 },
    { name: 'a negative scale', scale: -1 },
    { name: 'a NaN scale', scale: NaN },
    { name: 'an infinite scale', scale: Infinity },
    { name: 'a shape index one too large', shape: shapeCount + 1 },
    { name: 'the largest shape index', shape: 0xffff_ffff },
    { name: 'a removed shape', shape: removed },
  ];
}

/** The good bodies, then the bad ones, then two whose finite positions are too far apart for f32. */
function withBodies(
  good: { shapes: Uint32Array; positions: ArrayLike<number>; scales?: ArrayLike<number> },
  goodRotations: ArrayLike<number>,
  bad: BadBody[],
  origin: number[],
  upright: number[],
) {
  const far = [3e38, -3e38].map((x) => [x, ...origin.slice(1)]);
  const positions = [...bad.map(({ position = origin }) => position), ...far].flat();
  const rotations = [...bad.map(({ rotation = upright }) => rotation), upright, upright].flat();
  const scales = [...bad.map(({ scale = 1 }) => scale), 1, 1];
  return {
    shapes: Uint32Array.from([...good.shapes, ...bad.map(({ shape = 0 }) => shape), 0, 0]),
    positions: Float32Array.from([...Array.from(good.positions), ...positions]),
    rotations: Float32Array.from([...Array.from(goodRotations), ...rotations]),
    scales: Float32Array.from([...Array.from(good.scales ?? good.shapes.map(() => 1)), ...scales]),
  };
}

/** `count` good pairs, each of two bodies of its own, and bad ones between them. */
function withPairs(count: number, bad: BadBody[]): { pairs: Uint32Array; badAt: Map<number, string> } {
  const badPairs = pairsWith(bad, 2 * count);
  const mixed: number[] = [];
  const badAt = new Map<number, string>();
  for (let good = 0; good < count; good++) {
    mixed.push(2 * good, 2 * good + 1);
    if (good % STRIDE !== STRIDE - 1) continue;
    const { name, a, b } = badPairs[((good + 1) / STRIDE - 1) % badPairs.length];
    badAt.set(mixed.length / 2, name);
    mixed.push(a, b);
  }
  return { pairs: Uint32Array.from(mixed), badAt };
}

/** Each bad body on either side, against good ones and itself, and bodies that there are not. */
function pairsWith(bad: BadBody[], goodBodies: number): { name: string; a: number; b: number }[] {
  const bodyCount = goodBodies + bad.length + 2;
  return [
    ...bad.flatMap(({ name }, i) => [
      { name: `A has ${name}`, a: goodBodies + i, b: i },
      { name: `B has ${name}`, a: i, b: goodBodies + i },
      { name: `both have ${name}`, a: goodBodies + i, b: goodBodies + i },
    ]),
    { name: 'positions 6e38 apart', a: bodyCount - 2, b: bodyCount - 1 },
    { name: 'A is one body too far', a: bodyCount, b: 0 },
    { name: 'B is one body too far', a: 0, b: bodyCount },
    { name: 'A is the largest index', a: 0xffff_ffff, b: 0 },
    { name: 'B is the largest index', a: 0, b: 0xffff_ffff },
  ];
}
