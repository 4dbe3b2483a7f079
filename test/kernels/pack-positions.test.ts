/** Positions and scales as the kernels pack them, beside the host, in both dimensions. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import {
  GREATEST_DOUBLE_HIGH,
  GREATEST_DOUBLE_LOW,
  GREATEST_POSITION,
  REPORT_GREATEST,
} from '../../src/generated/constants.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import { packBodies } from '../../verification/records/packed-bodies.ts';
import { cellExponentFor } from '../../src/records/cells.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { addShape, createShapeTable, removeShape } from '../../src/shapes/shape-table.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { createInputKernels, type InputKernels } from '../helpers/input-kernels.ts';
import { checkBodies, isRefused, sliceBodies } from '../helpers/packed-bodies.ts';

const SEED = 20_261_125;

const dimensions: { name: string; dimension: Dimension; ball: (radius: number) => object }[] = [
  { name: '3-D', dimension: dimension3, ball: (radius) => ({ type: 'sphere', radius }) },
  { name: '2-D', dimension: dimension2, ball: (radius) => ({ type: 'circle', radius }) },
];

let kernels: InputKernels;
beforeAll(async () => {
  kernels = await createInputKernels();
});
afterAll(() => kernels?.dispose());

type Positions = Float32Array | Float64Array;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The double that comes `steps` after a number, away from 0. */
function neighbour(value: number, steps: number): number {
  double[0] = value;
  const low = words[0] + steps;
  words[0] = low;
  words[1] += Math.floor(low / 2 ** 32);
  return double[0];
}

const either = (random: Random): number => (random() < 0.5 ? -1 : 1);
/** From 2^low to 2^high, with all bits of its type. */
const between = (random: Random, low: number, high: number): number =>
  either(random) * 2 ** (low + (high - low) * random()) * (1 + random() * 2 ** -30);
/** In the middle of two f32, or a double beside it; denormal ones included. */
function middle(random: Random): number {
  const exponent = below(random, 220) - 149;
  const unit = 2 ** Math.max(exponent - 23, -149);
  const odd = 2 * Math.floor((2 ** exponent / unit) * (1 + random())) + 1;
  return either(random) * neighbour((odd * unit) / 2, below(random, 3) - 1);
}

describe.each(dimensions)('$name', ({ dimension, ball }) => {
  const axes = dimension.dimension;
  const table = createShapeTable();
  addShape(table, ball(1), dimension);

  function bodiesAt(positions: Positions, scales?: Float32Array): AnyBodies {
    const count = positions.length / axes;
    const bodies = { shapes: new Uint32Array(count), positions, ...(scales && { scales }) };
    if (axes === 2) return { ...bodies, angles: new Float32Array(count) };
    return { ...bodies, quaternions: new Float32Array(4 * count).fill(0.5) };
  }

  const valid: [name: string, positions: (random: Random) => Positions][] = [
    ['f32', (random) => Float32Array.from({ length: axes * 50_000 }, () => between(random, -149, 99.6))],
    ['f64', (random) => Float64Array.from({ length: axes * 100_000 }, () => between(random, -180, 99.6))],
    ['f64 near the middle of two f32', (random) => Float64Array.from({ length: axes * 100_000 }, () => middle(random))],
    ['f64 of all sizes', (random) => Float64Array.from({ length: axes * 20_000 }, () => between(random, -1074, 99.6))],
    ['f64 up to 1e30', () => Float64Array.of(1e30, -1e30, neighbour(1e30, -1), 0, -0, 5e-324)],
  ];

  test.each(valid)('%s positions are rounded as the host rounds them', async (_, make) => {
    const bodies = bodiesAt(make(createRandom(SEED)));
    const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension);
    expect(wrong.slice(0, 5).map((body) => bodies.positions.slice(axes * body, axes * body + axes))).toEqual([]);
    expect(suspicious).toEqual([]);
  });

  test.each([Float32Array, Float64Array])(
    'positions that the host refuses are suspicious, and no others: %o',
    async (Type) => {
      const random = createRandom(SEED + 1);
      const odd = [
        NaN,
        Infinity,
        -Infinity,
        1e30,
        -1e30,
        neighbour(1e30, 1),
        -neighbour(1e30, 1),
        9.999999e29,
        1e38,
        1e300,
      ];
      const positions = new Type(axes * 200).map(() => (random() < 0.8 ? random() : odd[below(random, odd.length)]));
      const bodies = bodiesAt(positions);
      const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension);
      const refused = [...bodies.shapes.keys()].filter((i) =>
        isRefused(sliceBodies(bodies, i, i + 1), table, dimension),
      );
      expect(suspicious).toEqual(refused);
      expect(refused.length).toBeGreaterThan(20);
      expect(wrong).toEqual([]);
    },
  );

  /** The greatest absolute value decides on the size of cells. */
  const ranges: [name: string, coordinate: (random: Random) => number][] = [
    ['about 1', (random) => 2 * random() - 1 + random() * 2 ** -32],
    ['up to 1e6', (random) => 1e6 * either(random) * (random() + random() * 2 ** -32)],
    ['up to 1e30', (random) => 1e30 * either(random) * (random() + random() * 2 ** -32)],
    ['up to 1e-30', (random) => 1e-30 * either(random) * (random() + random() * 2 ** -32)],
    ['up to 1e-25, of all sizes', (random) => between(random, -1074, -84)],
    ['of all sizes', (random) => between(random, -1074, 99)],
    ['of similar sizes', (random) => between(random, -20, 20)],
    ['in the middle of cells', (random) => either(random) * (below(random, 2 ** 29) + 0.5) * 4],
    [
      'near the middle of cells',
      (random) => either(random) * neighbour((below(random, 2 ** 29) + 0.5) * 4, below(random, 5) - 2),
    ],
    [
      'in the middle of fractions',
      (random) => either(random) * (below(random, 2 ** 20) + (below(random, 2 ** 30) + 0.5) * 2 ** -30),
    ],
    ['up to just above a power of two', (random) => neighbour(2 ** 20, below(random, 2))],
    ['at whole cells', (random) => either(random) * below(random, 2 ** 29 + 1)],
    ['zero of both signs', (random) => (random() < 0.5 ? 0 : -0)],
  ];

  test.each(ranges)('fixed-point positions are those of the host: %s', async (_, make) => {
    const random = createRandom(SEED + 2);
    const positions = Float64Array.from({ length: axes * 20_000 }, () => make(random));
    const bodies = bodiesAt(positions);
    const { report } = await kernels.packBodies(bodies, table, dimension);
    const expected = packBodies(bodies, dimension);
    expect(2 ** cellExponentFor(report[REPORT_GREATEST])).toBe(expected.cellSize);
    const found = await kernels.packFixedPoint(bodies, dimension, report[REPORT_GREATEST]);
    const count = bodies.shapes.length;
    expect(found.length).toBe(expected.bodyShapes.length);
    const wrong = [...found.keys()].filter((at) => found[at] !== expected.bodyShapes[at]);
    const bodyOf = (at: number): number => Math.floor((at - count) / (2 * axes));
    expect(wrong.slice(0, 3).map((at) => positions.slice(axes * bodyOf(at), axes * bodyOf(at) + axes))).toEqual([]);
  });

  test('scales that the host refuses are suspicious, and only nearly such others', async () => {
    const sizes = [0, 1e-40, 1e-10, 1, 7, 1e10, 1e15];
    const many = createShapeTable();
    for (const size of sizes) addShape(many, ball(size), dimension);
    if (axes === 3)
      for (const offset of [0, -3, 1e15]) addShape(many, { type: 'halfspace', normal: [0, 1, 0], offset }, dimension);
    removeShape(many, addShape(many, ball(2), dimension));
    const scales = [
      NaN,
      Infinity,
      -Infinity,
      -1,
      -0,
      0,
      1e-45,
      1e-38,
      0.5,
      1,
      100000.05,
      1.42858e14,
      9.9e14,
      1e15,
      1.0000001e15,
      3e38,
    ];
    const ids = many.shapes.length + 1;
    const all = bodiesAt(new Float32Array(axes * ids * scales.length), new Float32Array(ids * scales.length));
    all.shapes.forEach((_, body) => {
      all.shapes[body] = Math.floor(body / scales.length);
      all.scales![body] = scales[body % scales.length];
    });
    const { suspicious, wrong } = await checkBodies(kernels, all, many, dimension);
    expect(wrong).toEqual([]);
    const bodies = [...all.shapes.keys()];
    const refused = bodies.filter((i) => isRefused(sliceBodies(all, i, i + 1), many, dimension));
    expect(refused.filter((body) => !suspicious.includes(body))).toEqual([]);
    expect(refused.length).toBeGreaterThan(50);
    const sizeOf = (body: number): number => Math.max(many.shapes[all.shapes[body]]!.extent, 1) * all.scales![body];
    expect(suspicious.filter((body) => !refused.includes(body) && sizeOf(body) < 0.99e15)).toEqual([]);
  });
});

test('the words of the greatest coordinate are those of 1e30', () => {
  double[0] = 1e30;
  expect([...words]).toEqual([GREATEST_DOUBLE_LOW, GREATEST_DOUBLE_HIGH]);
  expect(GREATEST_POSITION).toBe(1e30);
});
