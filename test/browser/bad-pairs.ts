/**
 * Bad data that only a GPU sees, as in buffers that a caller's own shaders write, between good pairs. The host would
 * not let it pass: it is for a backend, below the host's validation.
 */

import { addShape, createShapeTable, removeShape } from '../../src/shapes/shape-table.ts';
import type { ShapeTable } from '../../src/shapes/shape-table.ts';
import type { PosedBodies } from '../../src/api/types.ts';
import { spatial } from '../../src/dimension/dim3.ts';
import { makeFamily } from '../../verification/families/families.ts';
import type { Family } from '../../verification/families/families.ts';

/** A bad pair stands behind every so many good ones. */
const STRIDE = 5;

interface BadBody {
  name: string;
  shape?: number;
  position?: number[];
  quaternion?: number[];
  scale?: number;
}

export interface MixedPairs {
  shapes: ShapeTable;
  /** The good pairs alone, of boxes. */
  family: Family;
  bodies: PosedBodies;
  /** Good and bad ones. */
  pairs: Uint32Array;
  /** What is wrong, by index into `pairs`. */
  badAt: Map<number, string>;
}

/** `count` good pairs of boxes and each kind of bad one at least once; needs 5 good ones for each of the 44 kinds. */
export function mixBadPairs(count: number, seed: number): MixedPairs {
  const family = makeFamily('box-box', count, seed);
  const shapes = createShapeTable();
  for (const shape of family.shapes) addShape(shapes, shape, spatial);
  const removed = addShape(shapes, { type: 'sphere', radius: 1 }, spatial);
  removeShape(shapes, removed);
  const badBodies: BadBody[] = [
    { name: 'a NaN in the position', position: [0, NaN, 0] },
    { name: 'an infinite position', position: [0, 0, Infinity] },
    { name: 'a position of minus infinity', position: [-Infinity, 0, 0] },
    { name: 'a NaN in the quaternion', quaternion: [0, 0, NaN, 1] },
    { name: 'an infinite quaternion', quaternion: [Infinity, 0, 0, 1] },
    { name: 'a zero quaternion', quaternion: [0, 0, 0, 0] },
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
function withBodies({ bodies }: Family, bad: BadBody[]): PosedBodies {
  return {
    shapes: Uint32Array.from([...bodies.shapes, ...bad.map(({ shape = 0 }) => shape), 0, 0]),
    positions: Float32Array.from([
      ...bodies.positions,
      ...bad.flatMap(({ position = [0, 0, 0] }) => position),
      3e38,
      0,
      0,
      -3e38,
      0,
      0,
    ]),
    quaternions: Float32Array.from([
      ...bodies.quaternions,
      ...bad.flatMap(({ quaternion = [0, 0, 0, 1] }) => quaternion),
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      1,
    ]),
    scales: Float32Array.from([...bodies.shapes.map(() => 1), ...bad.map(({ scale = 1 }) => scale), 1, 1]),
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
