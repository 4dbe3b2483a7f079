/**
 * Bad data of the plane that only a GPU sees, between good pairs: as bad-pairs.ts. Hosts bring finite angles into half
 * a turn: none is too large.
 */

import { addShape, createShapeTable, removeShape } from '../../src/shapes/shape-table.ts';
import type { ShapeTable } from '../../src/shapes/shape-table.ts';
import { planar } from '../../src/dimension/dim2.ts';
import type { PlanarBodies } from '../../src/api/types.ts';
import type { PlanarFamily } from '../../verification/families/planar-family.ts';
import { makePlanarTypeFamily } from '../../verification/families/planar-families.ts';

/** A bad pair stands behind every so many good ones. */
const STRIDE = 5;

interface BadBody {
  name: string;
  shape?: number;
  position?: number[];
  angle?: number;
  scale?: number;
}

/** As many as there are kinds of bad pairs. */
export const PLANAR_BAD_KINDS = 44;

export interface MixedPlanarPairs {
  shapes: ShapeTable;
  /** The good pairs alone. */
  family: PlanarFamily;
  bodies: PlanarBodies;
  /** Good and bad ones. */
  pairs: Uint32Array;
  /** What is wrong, by index into `pairs`. */
  badAt: Map<number, string>;
}

/**
 * `count` good pairs of two types, such as `circle/rectangle`, and each kind of bad one at least once; needs 5 good
 * ones for each.
 */
export function mixPlanarBadPairs(types: string, count: number, seed: number): MixedPlanarPairs {
  const family = makePlanarTypeFamily(types, count, seed);
  const shapes = createShapeTable();
  for (const shape of family.shapes) addShape(shapes, shape, planar);
  const removed = addShape(shapes, { type: 'circle', radius: 1 }, planar);
  removeShape(shapes, removed);
  const badBodies: BadBody[] = [
    { name: 'a NaN in the position', position: [0, NaN] },
    { name: 'an infinite position', position: [Infinity, 0] },
    { name: 'a position of minus infinity', position: [0, -Infinity] },
    { name: 'a NaN angle', angle: NaN },
    { name: 'an infinite angle', angle: Infinity },
    { name: 'an angle of minus infinity', angle: -Infinity },
    { name: 'scale 0', scale: 0 },
    { name: 'a negative scale', scale: -1 },
    { name: 'a NaN scale', scale: NaN },
    { name: 'an infinite scale', scale: Infinity },
    { name: 'a shape index one too large', shape: family.shapes.length + 1 },
    { name: 'the largest shape index', shape: 0xffff_ffff },
    { name: 'a removed shape', shape: removed },
  ];
  const bodies = withBodies(family, badBodies);
  const badPairs = pairsWith(badBodies, family.bodies.shapes.length);
  const mixed: number[] = [];
  const badAt = new Map<number, string>();
  for (let good = 0; good < count; good++) {
    mixed.push(2 * good, 2 * good + 1);
    if (good % STRIDE !== STRIDE - 1) continue;
    const bad = badPairs[((good + 1) / STRIDE - 1) % badPairs.length];
    badAt.set(mixed.length / 2, bad.name);
    mixed.push(bad.a, bad.b);
  }
  return { shapes, family, bodies, pairs: Uint32Array.from(mixed), badAt };
}

/** The family's bodies, then the bad ones, then two whose finite positions are too far apart for f32. */
function withBodies({ bodies }: PlanarFamily, bad: BadBody[]): PlanarBodies {
  return {
    shapes: Uint32Array.from([...bodies.shapes, ...bad.map(({ shape = 0 }) => shape), 0, 0]),
    positions: Float32Array.from([
      ...bodies.positions,
      ...bad.flatMap(({ position = [0, 0] }) => position),
      3e38,
      0,
      -3e38,
      0,
    ]),
    angles: Float32Array.from([...bodies.angles, ...bad.map(({ angle = 0 }) => angle), 0, 0]),
    scales: Float32Array.from([...bodies.scales!, ...bad.map(({ scale = 1 }) => scale), 1, 1]),
  };
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
