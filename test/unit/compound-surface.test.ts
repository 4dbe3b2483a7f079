/** What the surface of a compound accepts as normals, as it is baked. */
import { expect, test } from 'vitest';
import type { CompoundDescription } from '../../src/api/shapes.ts';
import { vec3 } from '../../src/cpu/math.ts';
import { partTree } from '../../src/parts/part-sources.ts';
import { isAccepted } from '../../src/parts/surface/accepted-normal.ts';
import { bakeCompound } from '../../src/parts/surface/compound-surface.ts';
import { surfaceOf, type Surface } from '../../src/parts/surface/surface.ts';
import type { Compound } from '../../src/shapes/parts.ts';
import { makeShapeData, type ShapeData } from '../../src/shapes/shape-data.ts';
import { finish } from '../../src/util/turns.ts';
import { boxBetween } from '../../verification/families/compound-grounds.ts';

function bake(parts: CompoundDescription['parts']): Surface | undefined {
  const shape = makeShapeData({ type: 'compound', parts });
  finish(bakeCompound(shape.parts as Compound<ShapeData>, finish(partTree(shape))));
  return surfaceOf(shape);
}

const ANGLE = 2e-6;
const HALF = Math.SQRT1_2;
const LEFT = boxBetween([-1, -1, -1], [0, 0, 1]);
const RIGHT = boxBetween([0, -1, -1], [1, 0, 1]);

test('parts that do not touch have no surface: their contacts are those of the parts by themselves', () => {
  expect(bake([LEFT, boxBetween([0.001, -1, -1], [1, 0, 1])])).toBeUndefined();
  expect(bake([LEFT, { shape: { type: 'sphere', radius: 0.5 }, position: [0.4, -0.5, 0] }])).toBeUndefined();
  expect(bake([LEFT, { ...RIGHT, shape: { type: 'box', halfExtents: [0.5, 0.5, 1], radius: 0.1 } }])).toBeUndefined();
});

test('the edge where two tiles meet accepts only the normal of their tops', () => {
  const surface = bake([LEFT, RIGHT])!;
  const seam = vec3(0, 0, 0.3);
  expect(isAccepted(surface, 0, vec3(0, 1, 0), seam, ANGLE)).toBe(true);
  for (const normal of [vec3(1, 0, 0), vec3(HALF, HALF, 0), vec3(1e-4, 1, 0)])
    expect(isAccepted(surface, 0, normal, seam, ANGLE)).toBe(false);
  for (const normal of [vec3(-1, 0, 0), vec3(-HALF, HALF, 0), vec3(-1e-4, 1, 0)])
    expect(isAccepted(surface, 1, normal, seam, ANGLE)).toBe(false);
  // The other upper edge, and its end.
  for (const point of [vec3(-1, 0, 0), vec3(-1, 0, 1)])
    expect(isAccepted(surface, 0, vec3(-HALF, HALF, 0), point, ANGLE)).toBe(true);
  expect(surface.outline.solids!.open.filter((polygons) => polygons.length === 0)).toHaveLength(2);
});

test('a face is open where no part covers it', () => {
  const surface = bake([boxBetween([-1, -1, -1], [1, 0, 1]), boxBetween([-0.25, 0, -0.25], [0.25, 0.5, 0.25])])!;
  const accepts = (x: number): boolean => isAccepted(surface, 0, vec3(0, 1, 0), vec3(x, 0, 0), ANGLE);
  expect([-0.9, -0.3, 0, 0.2, 0.3].map(accepts)).toEqual([true, true, false, false, true]);
});

test('an edge that another part touches along a half accepts more along the other half', () => {
  const surface = bake([LEFT, boxBetween([0, -1, -1], [1, 0, 0])])!;
  const accepts = (z: number): boolean => isAccepted(surface, 0, vec3(HALF, HALF, 0), vec3(0, 0, z), ANGLE);
  expect([-0.9, -0.1, 0.1, 0.9].map(accepts)).toEqual([false, false, true, true]);
});
