/** All shapes have one hidden class: the CPU backend takes twice as long for pairs of boxes when they have many. */
import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { planarPart } from '../../src/shapes/planar-part-shapes.ts';
import { makePlanarShapeData } from '../../src/shapes/planar-shape-data.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameClass = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: object, b: object) => boolean;

const random = createRandom(20_261_130);
const size = (): number => uniform(random, 0.1, 2);
const points = (count: number): number[] => Array.from({ length: count }, () => uniform(random, 1, 2));

function spatial(): ShapeDescription[] {
  return [
    { type: 'sphere', radius: size() },
    { type: 'box', halfExtents: [size(), size(), size()] },
    { type: 'box', halfExtents: [size(), size(), size()], radius: size() },
    { type: 'capsule', halfHeight: size(), radius: size() },
    { type: 'cylinder', halfHeight: size(), radius: size() },
    { type: 'cone', halfHeight: size(), radius: size() },
    { type: 'ellipsoid', radii: [size(), size(), size()] },
    { type: 'halfspace', normal: [size(), size(), size()], offset: size() },
    { type: 'triangle', points: points(9) },
    { type: 'hull', points: points(36) },
    { type: 'hull', points: points(36), radius: size() },
    { type: 'compound', parts: [{ shape: { type: 'sphere', radius: size() }, position: [size(), size(), size()] }] },
    { type: 'mesh', positions: points(9), indices: [0, 1, 2] },
  ];
}

function planar(): PlanarShapeDescription[] {
  return [
    { type: 'circle', radius: size() },
    { type: 'segment', points: points(4) },
    { type: 'capsule', halfHeight: size(), radius: size() },
    { type: 'rectangle', halfExtents: [size(), size()] },
    { type: 'polygon', points: points(24), convexify: true },
    { type: 'chain', points: points(8) },
    {
      type: 'compound',
      parts: [
        { shape: { type: 'rectangle', halfExtents: [size(), size()] }, position: [size(), size()] },
        { shape: { type: 'circle', radius: size() }, position: [size(), size()] },
        { shape: { type: 'capsule', halfHeight: size(), radius: size() }, position: [size(), size()] },
      ],
    },
  ];
}

/** Several rounds, because V8 makes some classes only after a place in the code has seen a few objects. */
const ROUNDS = Array.from({ length: 8 });

test('a shape with another order of fields has another class, so that the checks below see such shapes', () => {
  expect(haveSameClass({ kind: 1, radius: 2 }, { kind: 3, radius: 4 })).toBe(true);
  expect(haveSameClass({ kind: 1, radius: 2 }, { radius: 2, kind: 1 })).toBe(false);
});

test('in space', () => {
  const shapes = ROUNDS.flatMap(() => spatial().map((description) => makeShapeData(description)));
  expect(shapes.filter((shape) => !haveSameClass(shape, shapes[0])).map(({ kind }) => kind)).toEqual([]);
});

test('in the plane, and parts there', () => {
  const bodies = ROUNDS.flatMap(() => planar().map((description) => makePlanarShapeData(description)));
  const shapes = [
    ...bodies,
    ...bodies.flatMap((body) => [0, 1, 2].map((part) => (body.parts ? planarPart(body, part) : body))),
  ];
  expect(shapes.filter((shape) => !haveSameClass(shape, shapes[0])).map(({ kind }) => kind)).toEqual([]);
});
