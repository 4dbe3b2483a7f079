/** Parts of bodies as bodies of their own: what a backend gets in place of bodies of parts. The CPU backend finds parts by itself. */
import type { AnyBodies, BodyMotion } from '../records/bodies.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { allocate, type ArrayType } from '../util/arrays.ts';

/** Bodies of convex shapes, each of which is a body or a part of one. */
export interface PartBodies {
  bodies: AnyBodies;
  motion?: BodyMotion;
  shapes: ShapeBase[];
  /** Position of each relative to the body that it is of, in world axes: x, y, z. Missing if all are 0. */
  offsets?: Float64Array;
}

/** Collects bodies for one request. */
export interface PartBodyList {
  /** The number of a part of a body. A convex body has one part, 0. */
  numberOf(body: number, part: number): number;
  finish(): PartBodies;
}

/** Numbers the parts of bodies in the order in which they are asked for. `add` takes each new one. */
export function createPartNumbers(add: (body: number, part: number) => void): PartBodyList['numberOf'] {
  const numbers = new Map<number, Map<number, number>>();
  let count = 0;
  return (body, part) => {
    let parts = numbers.get(body);
    if (!parts) numbers.set(body, (parts = new Map<number, number>()));
    const known = parts.get(part);
    if (known !== undefined) return known;
    add(body, part);
    parts.set(part, count);
    return count++;
  };
}

/** The motion of these bodies, with so many coordinates per linear and per angular velocity. */
export function motionOfParts(
  { linear, angular, ...motion }: BodyMotion,
  bodyOf: readonly number[],
  [axes, angularComponents]: readonly [number, number],
): BodyMotion {
  const angularOfParts = angular && numbersOf(angular, bodyOf, angularComponents, 'velocities of parts');
  return { ...motion, linear: numbersOf(linear, bodyOf, axes, 'velocities of parts'), angular: angularOfParts };
}

/** The numbers of these bodies, `width` per body. */
export function numbersOf<Values extends Float32Array | Float64Array>(
  values: Values,
  bodies: readonly number[],
  width: number,
  name: string,
): Values {
  const gathered = allocate(name, values.constructor as ArrayType<Values>, width * bodies.length);
  bodies.forEach((from, i) => {
    for (let k = 0; k < width; k++) gathered[width * i + k] = values[width * from + k];
  });
  return gathered;
}
