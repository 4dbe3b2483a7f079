/** The kernel that packs bodies in 3-D gives the poses of the host, rotations up to rounding. */

import { afterAll, beforeAll, expect, test } from 'vitest';
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

test.each(ordinary)('%s', async (_, count, make) => {
  const random = createRandom(SEED);
  const bodies = bodiesWith(count, (i) => make(random, i));
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(suspicious).toEqual([]);
  expect(wrong.slice(0, 5).map((body) => describeBody(bodies, body))).toEqual([]);
});

test('the identity and quarter turns stay as they are', async () => {
  const half = Math.fround(Math.SQRT1_2);
  const given = [
    [0, 0, 0, 1],
    [0, 0, 0, -1],
    [1, 0, 0, 0],
    [0, half, 0, half],
    [0.5, 0.5, -0.5, 0.5],
  ];
  const bodies = bodiesWith(given.length, (i) => given[i]);
  const { wrong, greatest } = await checkBodies(kernels, bodies, table, dimension3);
  expect([wrong, greatest]).toEqual([[], 0]);
});

test('quaternions of any length have the poses of the host', async () => {
  const random = createRandom(SEED + 1);
  const bodies = bodiesWith(100_000, () => {
    const length = 10 ** (-5.4 + 35.4 * random());
    return unit(random).map((component) => component * length);
  });
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(suspicious).toEqual([]);
  expect(wrong.slice(0, 5).map((body) => describeBody(bodies, body))).toEqual([]);
});

test('components of any size beside each other have the poses of the host', async () => {
  const random = createRandom(SEED + 2);
  const bodies = bodiesWith(100_000, (i) => {
    const quaternion = unit(random).map((component) => component * 10 ** (-34 * random() ** 2));
    quaternion[i % 4] = 0.5 + random();
    return quaternion;
  });
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(suspicious).toEqual([]);
  expect(wrong.slice(0, 5).map((body) => describeBody(bodies, body))).toEqual([]);
});

test('denormal components, and such as become denormal, may be 0', async () => {
  const random = createRandom(SEED + 3);
  const bodies = bodiesWith(200, (i) => {
    const quaternion = unit(random);
    quaternion[i % 4] = (random() - 0.5) * 2 ** -126;
    const length = 2 ** (38 * random() - 18);
    return quaternion.map((component) => component * length);
  });
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(suspicious).toEqual([]);
  expect(wrong.map((body) => describeBody(bodies, body))).toEqual([]);
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

test('every quaternion that the host refuses is suspicious', async () => {
  const random = createRandom(SEED + 4);
  const bodies = bodiesWith(1440, (i) => (i % 5 === 4 ? [0, -0, 0, 0] : doubtfulQuaternion(random, i)));
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension3);
  expect(wrong.map((body) => describeBody(bodies, body))).toEqual([]);
  const refused = [...bodies.shapes.keys()].filter((i) => isRefused(sliceBodies(bodies, i, i + 1), table, dimension3));
  expect(refused.length).toBeGreaterThan(480);
  expect(refused.filter((body) => !suspicious.includes(body)).map((body) => describeBody(bodies, body))).toEqual([]);
  const accepted = suspicious.filter((body) => !refused.includes(body));
  const lengths = accepted.map((body) => Math.hypot(...bodies.quaternions.subarray(4 * body, 4 * body + 4)));
  expect(lengths.filter((length) => length > 4e-6)).toEqual([]);
});
