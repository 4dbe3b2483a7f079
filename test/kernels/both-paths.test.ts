/**
 * Large queries have the bits of queries whose input the host checks and packs and whose records it decodes. Packing
 * and decoding know the forms of input and output but not the shapes, so one scene takes every form of bodies, and every
 * query with every form of its result, in both dimensions.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, uniform } from '../../verification/families/random.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { Bodies, MovingBodies, Tester } from '../../src/api/types.ts';
import { differingFields, testerOfBothPaths, type BothPaths } from '../helpers/both-paths.ts';
import { dimensions, type AnyDescription, type Dimension } from '../helpers/dimensions.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

/** Some bodies are in no pair. */
const BODIES = atNight(2400, 33_000);
const PAIRS = atNight(800, 11_000);
/** Pairs of turning bodies take a hundred times as long as others. */
const TURNING_PAIRS = atNight(100, 500);
const SEED = 20_261_129;
const DURATION = 0.5;
/** Bodies stand on a grid of this width, so that near half of the neighbours overlap. */
const WIDTH = 28;

/** In CI those whose pairs have closed forms, which compile soon. */
const SHAPES: Record<2 | 3, AnyDescription[]> = {
  3: [
    { type: 'sphere', radius: 0.5 },
    { type: 'capsule', halfHeight: 0.4, radius: 0.3 },
    ...atNight<AnyDescription[]>(
      [],
      [
        { type: 'box', halfExtents: [0.5, 0.4, 0.6] },
        { type: 'box', halfExtents: [0.4, 0.3, 0.5], radius: 0.1 },
        { type: 'cylinder', halfHeight: 0.5, radius: 0.4 },
        { type: 'cone', halfHeight: 0.6, radius: 0.5 },
        { type: 'ellipsoid', radii: [0.6, 0.4, 0.5] },
        { type: 'triangle', points: [0.5, 0, 0, -0.5, 0.4, 0.1, -0.4, -0.5, 0.3] },
        {
          type: 'hull',
          points: [0.6, 0, 0, -0.5, 0.1, 0, 0, 0.6, 0, 0, -0.5, 0.2, 0, 0, 0.6, 0.1, 0, -0.6, 0.4, 0.4, 0.4],
        },
      ],
    ),
    // Last: bodies of odd numbers have other shapes.
    { type: 'halfspace', normal: [0, 1, 0.2], offset: -0.5 },
  ],
  2: [
    { type: 'circle', radius: 0.5 },
    { type: 'capsule', halfHeight: 0.4, radius: 0.3 },
    ...atNight<AnyDescription[]>(
      [],
      [
        { type: 'segment', points: [-0.5, 0, 0.5, 0.2] },
        { type: 'rectangle', halfExtents: [0.5, 0.4] },
        { type: 'polygon', points: [0.6, 0, 0.2, 0.5, -0.5, 0.4, -0.4, -0.5], radius: 0.1 },
      ],
    ),
  ],
};

type Form = 'f32' | 'f64' | 'scales' | 'f64, scales' | 'matrices';
const FORMS: Form[] = ['f32', 'f64', 'scales', 'f64, scales', 'matrices'];

/** Options by query. Each is asked with all pairs and with the hits. */
const QUERIES: [QueryName, object][] = [
  ['intersects', { bodies: true }],
  ['intersects', { margin: 0.1 }],
  ['distances', {}],
  ['distances', { margin: 0.2, escalate: true }],
  ['contacts', { bodies: true, bounds: true }],
  ['contacts', { fields: ['normal', 'distance', 'pair'] }],
  ['manifolds', { margin: 0.05, bodies: true }],
  ['manifolds', { fields: ['pointCount', 'position', 'distance', 'feature'] }],
];

interface Scene {
  bodies(form: Form, reach?: number): Bodies;
  moving(form: Form, isTurning: boolean): MovingBodies;
  pairs: Uint32Array;
}

/** Neighbours on a grid, of random shapes in random poses. In every pair at most one is a half-space. */
function makeScene(dimension: Dimension): Scene {
  const { axes, identity } = dimension;
  const random = createRandom(SEED + axes);
  const numbers = (length: number, reach: number): Float32Array =>
    Float32Array.from({ length }, () => uniform(random, -reach, reach));
  const kinds = SHAPES[axes].length;
  const shapes = Uint32Array.from({ length: BODIES }, (_, i) =>
    i % 2 === 0 || axes === 2 ? Math.floor(uniform(random, 0, kinds)) : Math.floor(uniform(random, 0, kinds - 1)),
  );
  const places = Array.from({ length: BODIES }, (_, i) =>
    [i % WIDTH, Math.floor(i / WIDTH) % WIDTH, Math.floor(i / WIDTH ** 2)].slice(0, axes),
  );
  const jitter = numbers(axes * BODIES, 0.4);
  const positions = Float32Array.from(places.flat(), (x, i) => Math.fround(x + jitter[i]));
  const rotations = numbers(identity.length * BODIES, axes === 2 ? 3 : 1);
  const scales = Float32Array.from({ length: BODIES }, () => uniform(random, 0.6, 1.3));
  const velocities = numbers(axes * BODIES, 1);
  const angular = numbers((axes === 2 ? 1 : 3) * BODIES, 1);
  const bodies = (form: Form): Bodies => {
    const isWide = form.startsWith('f64');
    const scaled = form.endsWith('scales') ? { scales } : {};
    const posed = dimension.makeBodies({
      shapes,
      // The same offset for all, of numbers that f32 does not have.
      positions: isWide ? Float64Array.from(positions, (x) => x + 1e7 / 3) : positions,
      rotations,
      ...scaled,
    });
    return form === 'matrices' ? { shapes, matrices: matricesOf(positions, rotations, scales) } : posed;
  };
  return {
    bodies,
    moving: (form, isTurning) =>
      ({
        ...bodies(form),
        linearVelocities: velocities,
        ...(isTurning && { angularVelocities: angular }),
      }) as MovingBodies,
    pairs: Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i),
  };
}

/** Column-major matrices of the poses of 3-D. */
function matricesOf(positions: Float32Array, quaternions: Float32Array, scales: Float32Array): Float32Array {
  const matrices = new Float32Array(16 * scales.length);
  scales.forEach((scale, i) => {
    const given = quaternions.subarray(4 * i, 4 * i + 4);
    const [x, y, z, w] = given.map((q) => q / Math.hypot(...given));
    const columns = [
      [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
      [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
      [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
    ];
    columns.forEach((column, c) => matrices.set([...column.map((number) => scale * number), 0], 16 * i + 4 * c));
    matrices.set([...positions.subarray(3 * i, 3 * i + 3), 1], 16 * i + 12);
  });
  return matrices;
}

describe.each(dimensions)('$name', (dimension) => {
  const { axes } = dimension;
  const scene = makeScene(dimension);
  const forms = axes === 3 ? FORMS : FORMS.filter((form) => form !== 'matrices');
  let device: GPUDevice;
  let paths: BothPaths;

  beforeAll(async () => {
    device = await openDefaultDevice('both-paths.device');
    paths = await testerOfBothPaths(axes, { device });
    dimension.useShapes(paths.tester, SHAPES[axes]);
  });
  afterAll(() => {
    paths?.tester.dispose();
    device?.destroy();
  });

  /** Asks on both paths and compares. `isChecked`: the host has checked the input on either path. */
  async function expectSame(
    what: string,
    ask: (tester: Tester) => Promise<object>,
    isChecked = false,
  ): Promise<number> {
    return withoutErrors(device, async () => {
      const before = paths.unchecked();
      paths.take('device');
      const found = await ask(paths.tester);
      expect(paths.unchecked() - before, `${what}, unchecked`).toBe(isChecked ? 0 : 1);
      paths.take('host');
      expect(differingFields(found, await ask(paths.tester)), `${what}, seed ${SEED}`).toEqual([]);
      return (found as { count: number }).count;
    });
  }

  /** Half-spaces at 64-bit positions are moved by their offsets, so the host checks these bodies. */
  const isChecked = (form: Form): boolean => axes === 3 && form.startsWith('f64');

  test.each(forms)('bodies: %s', async (form) => {
    const ask = (tester: Tester) => tester.contacts(scene.bodies(form), scene.pairs, { bodies: true });
    expect(await expectSame(`contacts, ${form}`, ask, isChecked(form))).toBe(PAIRS);
  });

  test.each(
    QUERIES.flatMap(([query, options]) =>
      (['all', 'hits'] as const).map((results) => ({ query, options, results })),
    ).map((asked, i) => ({ ...asked, form: (['f32', 'f64'] as const)[((i >> 1) % 2) ^ (i % 2)] })),
  )('$query, $results, $options', async ({ query, options, results, form: only }) => {
    for (const form of atNight<Form[]>([only], ['f32', 'f64'])) {
      const ask = (tester: Tester) =>
        tester[query as 'contacts'](scene.bodies(form), scene.pairs, { ...options, results });
      const count = await expectSame(`${query}, ${form}`, ask, isChecked(form));
      expect(count).toBeGreaterThan(PAIRS / 5);
      if (results === 'all') expect(count).toBe(PAIRS);
    }
  });

  test.each(['all', 'hits', 'earliest'] as const)('impacts, %s', async (results) => {
    for (const form of atNight(forms.slice(0, 3), forms)) {
      const ask = (tester: Tester) =>
        tester.impacts(scene.moving(form, false), scene.pairs, { duration: DURATION, results, bodies: true });
      expect(await expectSame(`impacts, ${form}`, ask, isChecked(form))).toBeGreaterThan(PAIRS / 5);
    }
  });

  test('impacts of turning bodies', async () => {
    const pairs = scene.pairs.slice(0, 2 * TURNING_PAIRS);
    const ask = (tester: Tester) => tester.impacts(scene.moving('scales', true), pairs, { duration: DURATION });
    expect(await expectSame('impacts, turning', ask)).toBe(TURNING_PAIRS);
  });

  if (axes === 3)
    test('contacts again and again from the last simplices', async () => {
      const { tester, take } = paths;
      const warmStarts = { device: tester.createWarmStart(PAIRS), host: tester.createWarmStart(PAIRS) };
      const bodies = scene.bodies('f32') as Bodies & { positions: Float32Array };
      for (let round = 0; round < 3; round++) {
        const positions = bodies.positions.map((x) => x + 0.01 * round);
        const results = [];
        for (const path of ['device', 'host'] as const) {
          take(path);
          results.push(await tester.contacts({ ...bodies, positions }, scene.pairs, { warmStart: warmStarts[path] }));
        }
        expect(differingFields(results[0], results[1]), `round ${round}`).toEqual([]);
      }
    });
});
