/**
 * Seeded shapes, with sizes mostly 0.1 to 2 unless stated otherwise. All contain their origin, and all numbers are f32.
 */

import type {
  BoxDescription,
  CapsuleDescription,
  ConeDescription,
  CylinderDescription,
  EllipsoidDescription,
  HalfspaceDescription,
  HullDescription,
  SphereDescription,
  TriangleDescription,
} from '../../src/api/shapes.ts';
import { setRotation } from './placement.ts';
import { below, spread, uniform, unitVector, type Random } from './random.ts';

export function randomSphere(random: Random): SphereDescription {
  return { type: 'sphere', radius: Math.fround(spread(random, 1, 4)) };
}

/** Longest half edge `longest`, the others down to a tenth of it; one box in 16 is a plate or a needle of 100:1. */
export function randomBox(random: Random, index: number, longest = spread(random, 1, 4)): BoxDescription {
  const ratios =
    index % 16 === 7 ? [1, 0.01, random() < 0.5 ? 0.01 : 1] : [1, uniform(random, 0.1, 1), uniform(random, 0.1, 1)];
  const turn = below(random, 3);
  return { type: 'box', halfExtents: [0, 1, 2].map((k) => Math.fround(longest * ratios[(k + turn) % 3])) };
}

export function randomRoundedBox(random: Random, index: number): BoxDescription {
  const box = randomBox(random, index);
  const middle = Array.from(box.halfExtents).sort((a, b) => a - b)[1];
  return { ...box, radius: Math.fround(middle * uniform(random, 0.05, 0.5)) };
}

export function randomCapsule(random: Random): CapsuleDescription {
  const radius = Math.fround(spread(random, 0.5, 3));
  return { type: 'capsule', halfHeight: Math.fround(radius * uniform(random, 0, 5)), radius };
}

export function randomHull(random: Random): HullDescription {
  return { type: 'hull', points: hull32Points(random, spread(random, 1, 4)) };
}

/**
 * 32 points, all of them extreme, on an ellipsoid around the origin. Its longest half axis is `longest`, the others are
 * 0.2 to 1 of it. Before the stretch the points are at least 0.2 radians apart, so that rounding to f32 keeps all of
 * them extreme.
 */
export function hull32Points(random: Random, longest: number): Float32Array {
  const axes = [longest, longest * uniform(random, 0.2, 1), longest * uniform(random, 0.2, 1)];
  const chosen: number[][] = [];
  while (chosen.length < 32) {
    const candidate = unitVector(random, [0, 0, 0]);
    const crowded = chosen.some((p) => p[0] * candidate[0] + p[1] * candidate[1] + p[2] * candidate[2] > 0.98);
    if (!crowded) chosen.push(candidate);
  }
  return Float32Array.from(chosen.flatMap((p) => p.map((coordinate, k) => axes[k] * coordinate)));
}

/**
 * A cylinder or a cone that extends at most `longest` from its centre. One in 16 is a plate or a needle of 100:1, one
 * in 32 has zero height or zero radius.
 */
export function randomUpright<Type extends 'cylinder' | 'cone'>(
  type: Type,
  random: Random,
  index: number,
  longest: number,
): Upright<Type> {
  const ratios = thin(index) ?? [uniform(random, 0.1, 1), uniform(random, 0.1, 1)];
  const turn = below(random, 2);
  const [halfHeight, radius] = [0, 1].map((k) => Math.fround(0.7 * longest * ratios[(k + turn) % 2]));
  return { type, halfHeight, radius };
}

type Upright<Type> = Record<keyof Omit<CylinderDescription, 'type'> & keyof Omit<ConeDescription, 'type'>, number> & {
  type: Type;
};

/**
 * An ellipsoid with half axes down to a tenth of `longest`. One in 16 is flat or a needle of 100:1, one in 32 has zero
 * thickness.
 */
export function randomEllipsoid(random: Random, index: number, longest: number): EllipsoidDescription {
  const flat = thin(index);
  const ratios = flat ? [...flat, flat[below(random, 2)]] : [1, uniform(random, 0.1, 1), uniform(random, 0.1, 1)];
  const turn = below(random, 3);
  return { type: 'ellipsoid', radii: [0, 1, 2].map((k) => Math.fround(longest * ratios[(k + turn) % 3])) };
}

/** Two ratios of a degenerate shape; null for most shapes. */
function thin(index: number): [number, number] | null {
  if (index % 16 !== 7) return null;
  return index % 32 === 7 ? [1, 0.01] : [1, 0];
}

/** The normal has any length; the plane is at most `reach` from the origin. */
export function randomHalfspace(random: Random, reach: number): HalfspaceDescription {
  const length = spread(random, 4, 4);
  return {
    type: 'halfspace',
    normal: unitVector(random, [0, 0, 0]).map((x) => Math.fround(length * x)),
    offset: Math.fround(uniform(random, -reach, reach)),
  };
}

const TRIANGLE = [
  [1, 0],
  [-0.5, Math.sqrt(3) / 2],
  [-0.5, -Math.sqrt(3) / 2],
];

/**
 * A triangle in a random plane, with the origin inside and its corners at most `longest` from it. Seen from the origin
 * each corner is at most 24 degrees from its place in a regular triangle, so that any two are less than 180 degrees
 * apart.
 */
export function randomTriangle(random: Random, longest: number): TriangleDescription {
  const rotation = new Float64Array(9);
  setRotation(unitVector(random, [0, 0, 0, 0]), 0, rotation);
  const points = TRIANGLE.flatMap(([x, y]) => {
    const reach = 0.7 * longest * uniform(random, 0.1, 1);
    const across = reach * (x + uniform(random, -0.28, 0.28));
    const up = reach * (y + uniform(random, -0.28, 0.28));
    return [0, 1, 2].map((k) => rotation[3 * k] * across + rotation[3 * k + 1] * up);
  });
  return { type: 'triangle', points: Float32Array.from(points) };
}

const TETRAHEDRON = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
];

/**
 * 4 to 40 points, not all of them extreme, at most `longest` from the origin, which is inside their hull: four of them
 * are the corners of a tetrahedron, each moved by less than the inradius.
 */
export function randomCloud(random: Random, longest: number): HullDescription {
  const axes = [longest, longest * uniform(random, 0.2, 1), longest * uniform(random, 0.2, 1)];
  const corners = TETRAHEDRON.map((corner) => corner.map((x) => (x + uniform(random, -0.3, 0.3)) / 2.3));
  const others = Array.from({ length: below(random, 37) }, () => unitVector(random, [0, 0, 0]));
  return {
    type: 'hull',
    points: Float32Array.from([...corners, ...others].flatMap((p) => p.map((x, k) => axes[k] * x))),
  };
}
