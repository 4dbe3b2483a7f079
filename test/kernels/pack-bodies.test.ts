/** The kernel that packs bodies in 3-D gives the poses of the host, bit for bit. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import type { PosedBodies } from '../../src/api/types.ts';
import { below, createRandom, unitVector } from '../../verification/families/random.ts';
import { createInputKernels, type InputKernels } from '../helpers/input-kernels.ts';
import { checkBodies, isRefused, sliceBodies } from '../helpers/packed-bodies.ts';

const SEED = 20_261_123;

const table = createShapeTable();
addShape(table, { type: 'box', halfExtents: [1, 1, 1] }, dimension3);

let kernels: InputKernels;
beforeAll(async () => {
  kernels = await createInputKernels();
});
afterAll(() => kernels?.dispose());

type Quaternion = number[];
type Random = () => number;

/** A rotation about a coordinate axis. */
function about(axis: number, angle: number): Quaternion {
  const quaternion = [0, 0, 0, Math.cos(angle / 2)];
  quaternion[axis] = Math.sin(angle / 2);
  return quaternion;
}

function product([x, y, z, w]: Quaternion, [a, b, c, d]: Quaternion): Quaternion {
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
}

/** Near a number, by up to 3 units of the last place of an f32 between 1/2 and 1. */
const nearly = (value: number, random: Random): number => value + (below(random, 7) - 3) * 2 ** -24;
const four = (make: () => number): Quaternion => [make(), make(), make(), make()];
const unit = (random: Random): Quaternion => unitVector(random, [0, 0, 0, 0]);
const stepped = (random: Random, steps: number): Quaternion =>
  about(below(random, 3), (below(random, steps) * 2 * Math.PI) / steps);
const signedZero = (random: Random): number => (random() < 0.5 ? 0 : -0);

function bodiesWith(count: number, make: (index: number) => Quaternion): PosedBodies {
  const quaternions = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) quaternions.set(make(i), 4 * i);
  return { shapes: new Uint32Array(count), positions: new Float32Array(3 * count), quaternions };
}

const describeBody = ({ quaternions, positions }: PosedBodies, body: number): string =>
  `seed ${SEED}, body ${body}: ${quaternions.subarray(4 * body, 4 * body + 4)} at ` +
  `${positions.subarray(3 * body, 3 * body + 3)}`;

const ordinary: [name: string, count: number, make: (random: Random, index: number) => Quaternion][] = [
  ['random rotations', 300_000, unit],
  ['rotations about an axis', 100_000, (random, i) => about(i % 3, 7 * random())],
  ['rotations by tenths of a degree', 10_800, (_, i) => about(i % 3, (Math.floor(i / 3) * Math.PI) / 1800)],
  ['small rotations', 50_000, (random, i) => about(i % 3, 10 ** (-8 * random()))],
  ['products of steps of 15 degrees', 100_000, (random) => product(stepped(random, 24), stepped(random, 24))],
  ['products in f32', 50_000, (random) => product(stepped(random, 360).map(Math.fround), stepped(random, 48))],
  ['components near 1/2', 20_000, (random) => four(() => nearly(0.5, random))],
  [
    'components near the root of 1/2',
    20_000,
    (random) => [0, nearly(Math.SQRT1_2, random), nearly(Math.SQRT1_2, random), 0],
  ],
  [
    'components near 1/4, and what is left',
    20_000,
    (random) => [nearly(0.25, random), 0.25, 0.25, nearly(0.9013878, random)],
  ],
  [
    'the identity and nearly so',
    10_000,
    (random) => [signedZero(random), 0.001 * below(random, 2), 0, nearly(1, random)],
  ],
  [
    'lengths nearly 1',
    200_000,
    (random) => {
      const length = 1 + (2 * random() - 1) * 2 ** -23;
      return unit(random).map((component) => component * length);
    },
  ],
  [
    'powers of two beside a component that makes the length nearly 1',
    100_000,
    (random) => {
      const [x, y, z] = four(() => 2 ** -(1 + below(random, 6)));
      const rest = 1 + (2 * random() - 1) * 2 ** -23 - x * x - y * y - z * z;
      return [x, y, z, Math.sqrt(rest)];
    },
  ],
  ['equal components', 10_000, (random) => [0, 0, 0, 0].fill(random())],
  ['whole numbers', 50_000, (random) => [...four(() => below(random, 21) - 10).slice(1), 1 + below(random, 9)]],
  [
    'zeros of both signs',
    20_000,
    (random) => [...four(() => (random() < 0.5 ? signedZero(random) : random())).slice(1), 0.5],
  ],
];

/** Numbers of bodies of which a component, before it is rounded to f32, is very near to the middle of two f32. */
function countNearMiddle({ shapes, quaternions }: PosedBodies): number {
  return shapes.filter((_, body) => {
    const components = quaternions.subarray(4 * body, 4 * body + 4);
    const length = Math.hypot(...components);
    return components.some((component) => {
      const exact = Math.abs(component) / length;
      const units = exact / 2 ** (Math.floor(Math.log2(exact)) - 23);
      return Math.abs(units - Math.floor(units) - 0.5) < 2 ** -25;
    });
  }).length;
}

describe('poses are those of the host, and hardly any is left to it', () => {
  test.each(ordinary)('%s', async (_, count, make) => {
    const random = createRandom(SEED);
    const bodies = bodiesWith(count, (i) => make(random, i));
    const { suspicious, exceptions, wrong } = await checkBodies(kernels, bodies, table, dimension3);
    expect(suspicious).toEqual([]);
    expect(wrong.slice(0, 5).map((body) => describeBody(bodies, body))).toEqual([]);
    expect(exceptions).toBeLessThan(3);
  });

  test('components in the middle of two f32 are among them', () => {
    const random = createRandom(SEED);
    const bodies = bodiesWith(20_000, () => four(() => nearly(0.5, random)));
    expect(countNearMiddle(bodies)).toBeGreaterThan(500);
  });
});

/** A component, before it is rounded to f32, is a double in the middle of two f32, or at most two doubles from there. */
const inTheMiddle: Quaternion[] = [
  [0.74266547, 0.969549477, -0.113403484, 0.215834394],
  [0.339431018, 0.832300484, -0.610965371, 0.442626566],
  [-0.613682449, 0.5, -0.582084, 0.0556431338],
  [0.399727643, 0.602322102, 0.408296555, 0.605195642],
  [-0.774390996, 0.5, 0.386061937, 0.232504338],
  [-0.623143256, 0.5, 0.598008394, 0.265272975],
  [0.580990851, 0.5, -0.756676376, 0.154406175],
  [-0.703367233, 0.5, -0.233278021, -0.332531393],
  [-0.940003932, -0.211862981, -0.237516075, 0.122853003],
  [0.550826609, 0.582889199, 0.622537613, 0.624621689],
  [0.0539341979, 0.5, -0.78604269, 0.0826514363],
  [0.375971347, 0.498326391, 0.653559506, 0.532149076],
  [-0.293120354, 0.5, -0.647622645, -0.523112237],
  [0.836491525, 0.5, 0.0531671233, 0.510293186],
  [-0.00495716184, 0.0992860198, 0.14842996, 0.0955344588],
  [-0.481343597, -0.459493011, -0.743849635, -0.0621463954],
  [0.286896884, 0.5, -0.618223906, 0.0732076317],
  [-0.317345977, 0.475819409, -0.106825687, 0.187220663],
  [-0.568461239, -0.315434098, -0.52350086, -0.350849569],
  [0.0964929536, 0.5, -0.67554307, 0.0352717936],
  [0.363575876, 0.458333671, 0.475761384, 0.63807559],
  [0.859338999, 0.391564637, -0.0418660305, -0.377503037],
  [-0.604120791, -0.100087993, 0.520136833, -0.595380604],
];

/** Whether exponents differ by more than 1. Only if they don't, the kernel knows that the sum of squares is exact. */
function isUneven(quaternion: Quaternion): boolean {
  const exponents = quaternion.map((component) => Math.floor(Math.log2(Math.abs(component))));
  return Math.max(...exponents) - Math.min(...exponents) > 1;
}

test('a component in the middle of two f32 is rounded as by the host, or is left to it', async () => {
  const bodies = bodiesWith(inTheMiddle.length, (i) => inTheMiddle[i]);
  const { exceptions, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(wrong.map((body) => describeBody(bodies, body))).toEqual([]);
  expect(exceptions).toBe(inTheMiddle.filter(isUneven).length);
});

test('quaternions of any length have the poses of the host', async () => {
  const random = createRandom(SEED + 1);
  const bodies = bodiesWith(100_000, () => {
    const length = 10 ** (-5.4 + 35.4 * random());
    return unit(random).map((component) => component * length);
  });
  const { suspicious, exceptions, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(suspicious).toEqual([]);
  expect(wrong.slice(0, 5).map((body) => describeBody(bodies, body))).toEqual([]);
  expect(exceptions).toBeLessThan(3);
});

test('components of any size beside each other have the poses of the host, or are left to it', async () => {
  const random = createRandom(SEED + 2);
  const bodies = bodiesWith(100_000, (i) => {
    const quaternion = unit(random).map((component) => component * 10 ** (-34 * random() ** 2));
    quaternion[i % 4] = 0.5 + random();
    return quaternion;
  });
  const { suspicious, exceptions, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(suspicious).toEqual([]);
  expect(wrong.slice(0, 5).map((body) => describeBody(bodies, body))).toEqual([]);
  expect(exceptions).toBeLessThan(3);
});

test('denormal components, and such as become denormal, are left to the host', async () => {
  const random = createRandom(SEED + 3);
  const bodies = bodiesWith(200, (i) => {
    const quaternion = unit(random);
    quaternion[i % 4] = (random() - 0.5) * 2 ** -126;
    const length = 2 ** (38 * random() - 18);
    return quaternion.map((component) => component * length);
  });
  const { suspicious, exceptions, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(suspicious).toEqual([]);
  expect(wrong.map((body) => describeBody(bodies, body))).toEqual([]);
  expect(exceptions).toBeGreaterThan(150);
});

/** Lengths that validation takes and refuses, and others of any bits. */
function doubtfulQuaternion(random: Random, index: number): Quaternion {
  const kind = index % 4;
  if (kind === 0) return unit(random).map((component) => component * 1e-6 * (1 + (random() - 0.5) * 1e-6));
  if (kind === 1) return unit(random).map((component) => component * 10 ** (-7 + 3 * random()));
  if (kind === 2) {
    const quaternion = unit(random);
    quaternion[below(random, 4)] = [NaN, Infinity, -Infinity, 3e38, -3e38][below(random, 5)];
    return quaternion;
  }
  const bits = Uint32Array.from({ length: 4 }, () => random() * 2 ** 32);
  return [...new Float32Array(bits.buffer)];
}

/** Parts, since a kernel lists at most 240 exceptions. */
test.each([0, 1, 2, 3, 4, 5])('every quaternion that the host refuses is suspicious: part %d', async (part) => {
  const random = createRandom(SEED + 4 + part);
  const bodies = bodiesWith(240, (i) => (i % 5 === 4 ? [0, -0, 0, 0] : doubtfulQuaternion(random, i)));
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(wrong.map((body) => describeBody(bodies, body))).toEqual([]);
  const refused = [...bodies.shapes.keys()].filter((i) => isRefused(sliceBodies(bodies, i, i + 1), table, dimension3));
  expect(refused.length).toBeGreaterThan(80);
  expect(refused.filter((body) => !suspicious.includes(body)).map((body) => describeBody(bodies, body))).toEqual([]);
  const accepted = suspicious.filter((body) => !refused.includes(body));
  const lengths = accepted.map((body) => Math.hypot(...bodies.quaternions.subarray(4 * body, 4 * body + 4)));
  expect(lengths.filter((length) => length > 4e-6)).toEqual([]);
});
