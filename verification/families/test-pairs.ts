/** Families of pairs in the form that tests iterate over, and the hard cases in the same form. */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { F32_ROUNDING, toleranceOf, type Precision } from '../../src/shapes/tolerances.ts';
import type { Tester } from '../../src/api/types.ts';
import { emptyFamily, joinFamilies, putBody } from './family.ts';
import {
  familyNames,
  makeFamily,
  makeStructuredFamily,
  poseOf,
  structuredFamilyNames,
  type Family,
  type FamilyName,
  type StructuredFamilyName,
} from './families.ts';
import hardCaseFile from '../fixtures/hard-cases.json' with { type: 'json' };
import { makeGridFamily } from './grid.ts';
import { oracleShape, pairSize, type OraclePose, type OracleShape } from '../oracle/index.ts';

/** Every family: random, structured, and all types of shape on a grid. */
export const everyFamily = [...familyNames, ...structuredFamilyNames, 'grid'] as const;
export type AnyFamilyName = (typeof everyFamily)[number];

export function isStructured(name: AnyFamilyName): boolean {
  return !(familyNames as readonly string[]).includes(name);
}

export function anyFamily(name: AnyFamilyName, count: number, seed: number): Family {
  if (name === 'grid') return makeGridFamily(count, seed);
  return isStructured(name)
    ? makeStructuredFamily(name as StructuredFamilyName, count, seed)
    : makeFamily(name as FamilyName, count, seed);
}

/** Joins what the same kernels answer: boxes alone, 64-bit positions, and all others. */
export function joinByKernels(families: readonly Family[]): Family[] {
  return [...new Set(families.map(kernelsOf))].map((name) =>
    joinFamilies(
      name,
      families.filter((family) => kernelsOf(family) === name),
    ),
  );
}

function kernelsOf({ shapes, bodies }: Family): string {
  if (bodies.positions instanceof Float64Array) return '64-bit positions';
  return shapes.every((shape) => shape.type === 'box' && !shape.radius) ? 'boxes' : 'all shapes';
}

/**
 * One pair of a family in the form that the oracle takes. `shapeA` and `shapeB` are indices into the family's shapes.
 */
export interface FamilyPair {
  index: number;
  shapeA: number;
  shapeB: number;
  a: OracleShape;
  b: OracleShape;
  poseA: OraclePose;
  poseB: OraclePose;
  /** max(s, |B - A|). Tolerances are shares of this. */
  size: number;
}

/** The pairs of a family, or its first `count`. */
export function pairsOf(family: Family, count = family.pairs.length / 2): FamilyPair[] {
  const shapes = family.shapes.map(oracleShape);
  return Array.from({ length: count }, (_, index) => {
    const [bodyA, bodyB] = family.pairs.subarray(2 * index, 2 * index + 2);
    const [shapeA, shapeB] = [family.bodies.shapes[bodyA], family.bodies.shapes[bodyB]];
    const [poseA, poseB] = [poseOf(family, bodyA), poseOf(family, bodyB)];
    const [a, b] = [shapes[shapeA], shapes[shapeB]];
    return { index, shapeA, shapeB, a, b, poseA, poseB, size: sizeOf(a, poseA, b, poseB) };
  });
}

function sizeOf(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose): number {
  const between = Math.hypot(...[0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]));
  return Math.max(pairSize(a, poseA, b, poseB), between);
}

/** Largest error of results for a pair at this true distance, as a length. */
export function toleranceAt(
  precision: Precision,
  { a, b, size }: Pick<FamilyPair, 'a' | 'b' | 'size'>,
  distance: number,
): number {
  return toleranceOf(precision, a.core, b.core, distance <= 0) * size;
}

/** Largest difference between the kernels and the reference, when results are f32. */
export function comparedAt(pair: Pick<FamilyPair, 'a' | 'b' | 'size'>, distance: number): number {
  return toleranceAt('kernels', pair, distance) + toleranceAt('reference', pair, distance) + F32_ROUNDING * pair.size;
}

/** The pairs of a family whose shapes are both boxes, as a family. */
export function boxPairsOf(family: Family): Family {
  const isBox = (body: number) => family.shapes[family.bodies.shapes[body]].type === 'box';
  const pairs: number[] = [];
  for (let i = 0; i < family.pairs.length; i += 2) {
    if (isBox(family.pairs[i]) && isBox(family.pairs[i + 1])) pairs.push(family.pairs[i], family.pairs[i + 1]);
  }
  return { ...family, pairs: Uint32Array.from(pairs) };
}

export interface HardCase {
  id: string;
  truthSignedDistance: number;
}

/** Poses that broke other libraries, as one family; pair i is case i. */
export function hardCases(): { cases: HardCase[]; family: Family } {
  const { cases } = hardCaseFile;
  const sides = cases.flatMap(({ a, b }) => [a, b]);
  const shapes = sides.map((side): ShapeDescription => {
    const { halfExtents, points } = side as { halfExtents?: number[]; points?: number[][] };
    return halfExtents ? { type: 'box', halfExtents } : { type: 'hull', points: points!.flat() };
  });
  const family = emptyFamily('hard-cases', shapes, cases.length);
  sides.forEach((side, body) => putBody(family, body, body, side));
  return { cases, family };
}

/** Replaces a tester's shapes by those of a family, with their indices as ids. */
export function useShapes(tester: Tester, shapes: readonly ShapeDescription[]): void {
  const before = shapeCounts.get(tester) ?? 0;
  for (let id = 0; id < before; id++) tester.removeShape(id);
  shapes.forEach((shape, index) => {
    const id = tester.addShape(shape);
    if (id !== index) throw new Error(`shape ${index} got the id ${id}`);
  });
  shapeCounts.set(tester, shapes.length);
}

const shapeCounts = new WeakMap<Tester, number>();

/** A list of faults for `toEqual([])`: the first few, and the number of the others. */
export function summary(faults: string[]): string[] {
  return faults.length <= 5 ? faults : [...faults.slice(0, 4), `and ${faults.length - 4} more`];
}
