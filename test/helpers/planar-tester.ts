/**
 * Two-dimensional testers as tests ask them: families of all types of shape, results in a form for comparing bits,
 * discs whose distances are known exactly.
 */

import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { PlanarBodies, PlanarTester } from '../../src/api/types.ts';
import type { PlanarFamily } from '../../verification/families/planar-family.ts';
import { makePlanarTypeFamily } from '../../verification/families/planar-families.ts';

const shapeCounts = new WeakMap<PlanarTester, number>();

/** Makes these the only shapes of a tester, with their indices as ids. */
export function usePlanarShapes(tester: PlanarTester, shapes: readonly PlanarShapeDescription[]): void {
  for (let id = shapeCounts.get(tester) ?? 0; id-- > 0;) tester.removeShape(id);
  shapes.forEach((shape, index) => {
    const id = tester.addShape(shape);
    if (id !== index) throw new Error(`shape ${index} got the id ${id}`);
  });
  shapeCounts.set(tester, shapes.length);
}

/** One family of `count` pairs of each of these two types. */
export function mixPlanarTypes(
  names: readonly string[],
  count: number,
  seed: number,
): PlanarFamily & { bodies: { positions: Float32Array; scales: Float32Array } } {
  const families = names.map((name, i) => makePlanarTypeFamily(name, count, seed + i));
  const bodyCount = 2 * count * families.length;
  const mixed = {
    name: names.join(', '),
    shapes: families.flatMap(({ shapes }) => shapes),
    bodies: {
      shapes: new Uint32Array(bodyCount),
      positions: new Float32Array(2 * bodyCount),
      angles: new Float32Array(bodyCount),
      scales: new Float32Array(bodyCount),
    },
    pairs: Uint32Array.from({ length: bodyCount }, (_, i) => i),
  };
  let firstShape = 0;
  families.forEach(({ shapes, bodies }, i) => {
    const first = 2 * count * i;
    mixed.bodies.shapes.set(
      bodies.shapes.map((shape) => firstShape + shape),
      first,
    );
    mixed.bodies.positions.set(bodies.positions, 2 * first);
    mixed.bodies.angles.set(bodies.angles, first);
    mixed.bodies.scales.set(bodies.scales!, first);
    firstShape += shapes.length;
  });
  return mixed;
}

/** Any result. */
type Listed = Iterable<unknown> & { readonly count: number; readonly statusCounts: readonly number[] };

/** All that a result says but its unused room, for `toEqual`: equal when all bits are. */
export function answersOf(result: Listed): {
  count: number;
  statusCounts: number[];
  hits: number | undefined;
  first: number[] | undefined;
  items: unknown[];
} {
  const { count, statusCounts, hits, first } = result as Listed & { hits?: number; first?: Uint32Array };
  return { count, statusCounts: [...statusCounts], hits, first: first && Array.from(first), items: [...result] };
}

const DISCS = 4096;
const SPACING = 0.25;
const RADIUS = 0.4375;

/** Discs in a row: with `ballPairs` their distances are `ballDistance`. */
export const discShapes: readonly PlanarShapeDescription[] = [{ type: 'circle', radius: RADIUS }];

export const discs: PlanarBodies & { positions: Float32Array } = {
  shapes: new Uint32Array(DISCS),
  positions: Float32Array.from({ length: 2 * DISCS }, (_, i) => (i % 2 === 0 ? (SPACING * i) / 2 : 0)),
  angles: new Float32Array(DISCS),
};
