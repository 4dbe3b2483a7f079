/**
 * Bodies that stay: a handle of `createBodies` gives the answers that the arrays themselves give, uploads only what was
 * written, and never changes the answer of a query that was called before a write.
 */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type BodyData, type MovingBodies, type ResidentBodies, type Tester } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { differences, type AnyResult } from '../helpers/batch.ts';
import { keepDevices, openDefaultDevice } from '../helpers/gpu.ts';

const BODIES = 400;
const PAIRS = 1500;
/** More than the first chunk has. */
const MANY_PAIRS = 4000;

type Arrays = MovingBodies & { quaternions: Float32Array };

function randomBodies(seed: number, is64Bit = false): Arrays {
  const random = createRandom(seed);
  const numbers = (count: number, scale: number): Float32Array =>
    Float32Array.from({ length: count }, () => scale * uniform(random, -1, 1));
  const positions = numbers(3 * BODIES, 3);
  return {
    shapes: Uint32Array.from({ length: BODIES }, () => Math.floor(uniform(random, 0, 3))),
    positions: is64Bit ? Float64Array.from(positions, (x) => 1e6 + x) : positions,
    quaternions: Float32Array.from(Array.from({ length: BODIES }, () => unitVector(random, [0, 0, 0, 0])).flat()),
    scales: Float32Array.from({ length: BODIES }, () => uniform(random, 0.5, 1.5)),
    linearVelocities: numbers(3 * BODIES, 2),
    angularVelocities: numbers(3 * BODIES, 1),
  } as Arrays;
}

function randomPairs(seed: number, count: number): Uint32Array {
  const random = createRandom(seed);
  return Uint32Array.from({ length: 2 * count }, () => Math.floor(uniform(random, 0, BODIES)));
}

const pairs = randomPairs(1, PAIRS);
const manyPairs = randomPairs(2, MANY_PAIRS);

type Ask = (tester: Tester, bodies: MovingBodies | ResidentBodies, ofPairs: Uint32Array) => Promise<AnyResult>;

/** Impacts of turning bodies take long, so these are of fewer pairs. */
const QUERIES: readonly [name: string, ask: Ask][] = [
  ['intersects', (tester, bodies, of) => tester.intersects(bodies, of)],
  ['distances', (tester, bodies, of) => tester.distances(bodies, of)],
  ['contacts', (tester, bodies, of) => tester.contacts(bodies, of, { margin: 0.1 })],
  ['contacts, hits', (tester, bodies, of) => tester.contacts(bodies, of, { results: 'hits' })],
  ['manifolds', (tester, bodies, of) => tester.manifolds(bodies, of)],
  [
    'impacts',
    async (tester, bodies, of) => (await tester.impacts(bodies, of.subarray(0, 400), { duration: 0.5 })) as never,
  ],
];

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('resident-bodies.device');
});
afterAll(() => device?.destroy());

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  let tester: Tester;
  beforeEach(async () => {
    tester = await createTester(backend === 'cpu' ? { backend, threads: 1 } : { device });
    tester.addShape({ type: 'box', halfExtents: [0.5, 0.4, 0.3] });
    tester.addShape({ type: 'sphere', radius: 0.5 });
    tester.addShape({ type: 'capsule', halfHeight: 0.4, radius: 0.2 });
    return () => tester.dispose();
  });

  test.each(QUERIES)('%s give the answers of the arrays, before and after writes', async (_, ask) => {
    const first = randomBodies(3);
    const handle = tester.createBodies(first);
    expect(handle.count).toBe(BODIES);
    const compare = async (arrays: MovingBodies): Promise<void> => {
      const expected = await ask(tester, arrays, pairs);
      expect(expected.count).toBeGreaterThan(0);
      // The second time from what is on the device.
      for (let i = 0; i < 2; i++) expect(differences(await ask(tester, handle, pairs), expected)).toEqual([]);
    };
    await compare(first);
    const { positions, quaternions, linearVelocities, shapes } = randomBodies(4);
    handle.write({ positions, quaternions } as BodyData);
    await compare({ ...first, positions, quaternions } as MovingBodies);
    handle.write({ linearVelocities });
    await compare({ ...first, positions, quaternions, linearVelocities } as MovingBodies);
    handle.write({ shapes });
    await compare({ ...first, positions, quaternions, linearVelocities, shapes } as MovingBodies);
  });

  test('64-bit positions and matrices, and one in place of the other', async () => {
    const wide = randomBodies(5, true);
    const handle = tester.createBodies(wide);
    const expected = await tester.contacts(wide, pairs);
    expect(expected.pointA).toBeInstanceOf(Float64Array);
    expect(differences(await tester.contacts(handle, pairs), expected)).toEqual([]);
    const { shapes, positions } = randomBodies(6);
    const matrices = new Float32Array(16 * BODIES);
    for (let i = 0; i < BODIES; i++) {
      matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 16 * i);
      matrices.set([...positions!.subarray(3 * i, 3 * i + 3), 1], 16 * i + 12);
    }
    handle.write({ shapes, matrices });
    const fromMatrices = await tester.contacts({ shapes, matrices }, pairs);
    expect(differences(await tester.contacts(handle, pairs), fromMatrices)).toEqual([]);
  });

  test('64-bit positions in place of 32-bit ones leave the shapes as they were', async () => {
    const { shapes, ...first } = randomBodies(7);
    const handle = tester.createBodies({ ...first, shapes } as MovingBodies);
    await tester.contacts(handle, pairs);
    const { positions } = randomBodies(8, true);
    handle.write({ positions } as BodyData);
    const expected = await tester.contacts({ ...first, shapes, positions } as MovingBodies, pairs);
    expect(differences(await tester.contacts(handle, pairs), expected)).toEqual([]);
  });

  test('a query answers for the bodies at its call, whatever is written before its turn', async () => {
    const arrays = [10, 11, 12].map((seed) => randomBodies(seed));
    const handle = tester.createBodies(arrays[0]);
    const answers: Promise<AnyResult>[] = [];
    for (const { positions, quaternions, scales, shapes } of arrays) {
      handle.write({ positions, quaternions, scales, shapes } as BodyData);
      for (const [, ask] of QUERIES.slice(0, 3)) answers.push(ask(tester, handle, pairs));
      for (const [, ask] of QUERIES.slice(0, 3)) answers.push(ask(tester, handle, manyPairs));
    }
    const found = await Promise.all(answers);
    const { linearVelocities, angularVelocities } = arrays[0];
    for (const bodies of arrays) {
      const moving = { ...bodies, linearVelocities, angularVelocities } as MovingBodies;
      for (const of of [pairs, manyPairs]) {
        for (const [, ask] of QUERIES.slice(0, 3))
          expect(differences(found.shift()!, await ask(tester, moving, of))).toEqual([]);
      }
    }
  });

  test("the caller's arrays may change after createBodies and write", async () => {
    const bodies = randomBodies(20);
    const expected = await tester.contacts(bodies, pairs);
    const handle = tester.createBodies(bodies);
    bodies.positions!.fill(0);
    expect(differences(await tester.contacts(handle, pairs), expected)).toEqual([]);
  });

  test('rayCasts and findPairs take handles', async () => {
    const bodies = randomBodies(21);
    const handle = tester.createBodies(bodies);
    expect(await tester.findPairs(handle, { margin: 0.1 })).toEqual(await tester.findPairs(bodies, { margin: 0.1 }));
    const rays = { origins: Float32Array.of(-9, 0, 0, 0, -9, 0), directions: Float32Array.of(1, 0, 0, 0, 1, 0) };
    expect(
      differences((await tester.rayCasts(handle, rays)) as never, (await tester.rayCasts(bodies, rays)) as never),
    ).toEqual([]);
  });

  test('rays one at a time are cast without the device, and hit what all at once hit', async () => {
    const handle = tester.createBodies(randomBodies(25));
    const random = createRandom(26);
    const count = 200;
    const origins = Float32Array.from({ length: 3 * count }, () => uniform(random, -5, 5));
    const directions = Float32Array.from({ length: 3 * count }, () => uniform(random, -1, 1));
    const all = await tester.rayCasts(handle, { origins, directions });
    const submit = vi.spyOn(device.queue, 'submit');
    let hits = 0;
    for (let ray = 0; ray < count; ray++) {
      const own = [origins, directions].map((array) => array.slice(3 * ray, 3 * ray + 3));
      const one = await tester.rayCasts(handle, { origins: own[0], directions: own[1] });
      if (all.body[ray] !== one.body[0]) expect(Math.abs(one.time[0] - all.time[ray]), `ray ${ray}`).toBeLessThan(1e-4);
      else if (one.time[0] < Infinity) expect(one.time[0], `ray ${ray}`).toBeCloseTo(all.time[ray], 3);
      hits += Number(one.time[0] < Infinity);
    }
    expect(submit).not.toHaveBeenCalled();
    submit.mockRestore();
    expect(hits).toBeGreaterThan(count / 4);
  });

  test('wrong numbers are refused as they are written, and nothing is replaced', async () => {
    const bodies = randomBodies(22);
    const handle = tester.createBodies(bodies);
    const expected = await tester.contacts(bodies, pairs);
    const broken = Float32Array.from(bodies.positions!);
    broken[17] = NaN;
    const quaternions = bodies.quaternions.slice().fill(0, 8, 12);
    const refusals: [BodyData, RegExp][] = [
      [{ positions: broken }, /bodies\.positions\[17\] is NaN, expected a finite number of at most 1e30 either way/],
      [
        { quaternions },
        /bodies\.quaternions\[8\.\.11\] is \[0,0,0,0\], expected finite numbers of length at least 1e-6/,
      ],
      [{ positions: new Float32Array(3) }, /bodies\.positions\.length is 3, expected 1200 for 400 bodies/],
      [{ shapes: new Uint32Array(2) }, /length/],
      [{ linearVelocities: broken }, /bodies\.linearVelocities\[17\] is NaN/],
      [{ position: broken } as BodyData, /bodies\.position is unknown; did you mean 'positions'\?/],
      [null as never, /data is null, expected an object with arrays of bodies/],
    ];
    for (const [data, message] of refusals) expect(() => handle.write(data)).toThrow(message);
    expect(() => tester.createBodies({ ...bodies, positions: broken })).toThrow(/bodies\.positions\[17\] is NaN/);
    expect(differences(await tester.contacts(handle, pairs), expected)).toEqual([]);
  });

  test('a removed shape is found by the next query', async () => {
    const bodies = randomBodies(23);
    const handle = tester.createBodies(bodies);
    await tester.contacts(handle, pairs);
    tester.removeShape(1);
    const first = bodies.shapes.indexOf(1);
    const message = `bodies.shapes[${first}] is 1, expected the id of a shape that was added`;
    await expect(tester.contacts(handle, pairs)).rejects.toThrow(message);
    await expect(tester.contacts(handle, manyPairs)).rejects.toThrow(message);
    expect(tester.addShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] })).toBe(1);
    expect(differences(await tester.contacts(handle, pairs), await tester.contacts(bodies, pairs))).toEqual([]);
  });

  test.each([PAIRS, MANY_PAIRS])('an index out of range in the last of %d pairs is refused', async (count) => {
    const handle = tester.createBodies(randomBodies(24));
    const wrong = manyPairs.slice(0, 2 * count);
    wrong[2 * count - 1] = BODIES;
    for (let i = 0; i < 2; i++) {
      await expect(tester.contacts(handle, wrong)).rejects.toThrow(
        `pairs[${2 * count - 1}] is ${BODIES}, expected an index below the ${BODIES} bodies`,
      );
    }
  });

  test('impacts need velocities, and pairs of bodies that turn by more than 32 radians are invalid', async () => {
    const { shapes, positions, quaternions, linearVelocities, angularVelocities } = randomBodies(25);
    const handle = tester.createBodies({ shapes, positions: positions!, quaternions });
    await expect(tester.impacts(handle, pairs, { duration: 1 })).rejects.toThrow(
      'bodies.linearVelocities is undefined, expected a Float32Array',
    );
    handle.write({ linearVelocities, angularVelocities });
    const isInvalid = (_: unknown, pair: number): boolean =>
      [manyPairs[2 * pair], manyPairs[2 * pair + 1]].some(
        (body) => 1e3 * Math.hypot(...angularVelocities!.subarray(3 * body, 3 * body + 3)) > 32,
      );
    const invalid = Array.from({ length: manyPairs.length / 2 }, isInvalid);
    expect(invalid).toContain(true);
    const bodies = { shapes, positions: positions!, quaternions, linearVelocities, angularVelocities };
    const few = pairs.subarray(0, 200);
    const expected = await tester.impacts(bodies, few, { duration: 0.1 });
    expect(differences((await tester.impacts(handle, few, { duration: 0.1 })) as never, expected as never)).toEqual([]);
    // Also if the device checks the pairs, and whatever is written afterwards.
    await tester.intersects(handle, manyPairs);
    const answered = tester.impacts(handle, manyPairs, { duration: 1e3 });
    handle.write({ angularVelocities: new Float32Array(3 * BODIES) });
    expect(Array.from((await answered).status, (status) => status === Status.InvalidInput)).toEqual(invalid);
  });

  test('a handle that was disposed of rejects; queries called before still get their answers', async () => {
    const bodies = randomBodies(26);
    const handle = tester.createBodies(bodies);
    const [early, late] = [tester.contacts(handle, pairs), tester.contacts(handle, manyPairs)];
    handle.dispose();
    handle.dispose();
    expect(differences(await early, await tester.contacts(bodies, pairs))).toEqual([]);
    expect(differences(await late, await tester.contacts(bodies, manyPairs))).toEqual([]);
    await expect(tester.contacts(handle, pairs)).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(() => handle.write({})).toThrow('bodies were disposed');
  });

  test("another tester's handle is refused", async () => {
    const other = await createTester({ backend: 'cpu', threads: 1 });
    other.addShape({ type: 'box', halfExtents: [1, 1, 1] });
    const handle = other.createBodies({
      shapes: new Uint32Array(1),
      positions: new Float32Array(3),
      quaternions: Float32Array.of(0, 0, 0, 1),
    });
    await expect(tester.contacts(handle, new Uint32Array(0))).rejects.toThrow(
      /expected bodies that createBodies of this tester gave/,
    );
    other.dispose();
  });
});

describe('uploads', () => {
  test('are made once for all queries, and again for what was written', async () => {
    const tester = await createTester({ device });
    for (let i = 0; i < 3; i++) tester.addShape({ type: 'box', halfExtents: [0.5, 0.4, 0.3] });
    const handle = tester.createBodies(randomBodies(30));
    const written = vi.spyOn(device.queue, 'writeBuffer');
    const uploads = async (query: () => Promise<unknown>): Promise<string[]> => {
      written.mockClear();
      await query();
      const labels = written.mock.calls.map(([buffer]) => buffer.label);
      return labels.filter((label) => label.startsWith('bodies.') && !label.includes('parameters')).sort();
    };
    const all = ['bodies.bodies', 'bodies.input.positions', 'bodies.input.quaternions', 'bodies.input.scales'];
    expect(await uploads(() => tester.contacts(handle, pairs))).toEqual(all);
    expect(await uploads(() => tester.contacts(handle, manyPairs))).toEqual([]);
    expect(await uploads(() => tester.distances(handle, pairs))).toEqual([]);
    handle.write({ positions: randomBodies(31).positions! });
    expect(await uploads(() => tester.intersects(handle, manyPairs))).toEqual(['bodies.input.positions']);
    const velocities = ['bodies.input.angularVelocities', 'bodies.input.linearVelocities'];
    expect(await uploads(() => tester.impacts(handle, pairs.subarray(0, 20), { duration: 0.1 }))).toEqual(velocities);
    written.mockRestore();
    tester.dispose();
  });

  describe('of numbers that the device leaves to the host', () => {
    const cases: { name: string; change: (bodies: Arrays) => void }[] = [
      { name: 'a short quaternion', change: ({ quaternions }) => quaternions.set([1.2e-6, 0, 0.5e-6, 0], 4 * 7) },
      { name: 'a scale at the limit', change: ({ scales }) => scales!.set([0.9995e15], 0) },
      {
        name: 'many denormal quaternions',
        change: ({ quaternions }) => quaternions.set(quaternions.map((x, i) => (i % 4 === 0 ? 1e-40 : x))),
      },
      {
        name: 'a speed at the limit',
        change: ({ angularVelocities }) => angularVelocities!.set([0, 31.9999, 0], 3 * 9),
      },
    ];

    test.each([false, true].flatMap((is64Bit) => cases.map((each) => ({ ...each, is64Bit }))))(
      '$name are made once; 64-bit positions: $is64Bit',
      async ({ change, is64Bit }) => {
        const tester = await createTester({ device });
        for (let i = 0; i < 3; i++) tester.addShape({ type: 'sphere', radius: 1 });
        const bodies = randomBodies(33, is64Bit);
        change(bodies);
        const asks: Ask[] = [
          (each, of, these) => each.contacts(of, these),
          async (each, of, these) =>
            (await each.impacts(of as never, these.subarray(0, 200), { duration: 1 })) as never,
        ];
        const handle = tester.createBodies(bodies);
        const written = vi.spyOn(device.queue, 'writeBuffer');
        const uploads = (): string[] =>
          written.mock.calls
            .map(([buffer]) => buffer.label)
            .filter((label) => /^(bodies\.|buffers\.(poses|bodies|velocities|input))/.test(label))
            .filter((label) => !label.includes('parameters'));
        for (const ask of asks) {
          // Small queries of arrays are packed by the host.
          const expected = await ask(tester, bodies, pairs);
          written.mockClear();
          expect(differences(await ask(tester, handle, pairs), expected)).toEqual([]);
          expect(uploads().length).toBeGreaterThan(0);
          written.mockClear();
          expect(differences(await ask(tester, handle, pairs), expected)).toEqual([]);
          await tester.intersects(handle, manyPairs);
          expect(uploads()).toEqual([]);
        }
        // What follows a write is packed again.
        const { positions } = randomBodies(34, is64Bit);
        handle.write({ positions } as BodyData);
        const expected = await tester.contacts({ ...bodies, positions } as MovingBodies, pairs);
        expect(differences(await tester.contacts(handle, pairs), expected)).toEqual([]);
        written.mockRestore();
        tester.dispose();
      },
    );

    test('many turns in 2-D are made once', async () => {
      const tester = await createTester({ device, dimension: 2 });
      for (let i = 0; i < 3; i++) tester.addShape({ type: 'rectangle', halfExtents: [0.5, 0.3] });
      const { shapes, scales, positions, quaternions } = randomBodies(35);
      const angles = quaternions.filter((_, i) => i % 4 === 0).map((x) => 1e6 * x);
      const bodies = { shapes, scales, positions: positions!.subarray(0, 2 * BODIES) as Float32Array, angles };
      const handle = tester.createBodies(bodies);
      const expected = await tester.contacts(bodies, pairs);
      expect(await tester.contacts(handle, pairs)).toEqual(expected);
      const written = vi.spyOn(device.queue, 'writeBuffer');
      expect(await tester.contacts(handle, pairs)).toEqual(expected);
      const labels = written.mock.calls.map(([buffer]) => buffer.label);
      expect(labels.filter((label) => /poses|bodies|angles|positions/.test(label))).toEqual([]);
      written.mockRestore();
      tester.dispose();
    });
  });

  test('are made again on the device that replaces a lost one', async () => {
    const { gpu, devices } = keepDevices();
    const tester = await createTester({ backend: 'webgpu', gpu });
    for (let i = 0; i < 3; i++) tester.addShape({ type: 'box', halfExtents: [0.5, 0.4, 0.3] });
    const handle = tester.createBodies(randomBodies(32));
    const expected = await tester.contacts(handle, pairs);
    devices[0].destroy();
    await devices[0].lost;
    expect(differences(await tester.contacts(handle, pairs), expected)).toEqual([]);
    tester.dispose();
  });
});

describe('batches', () => {
  let tester: Tester;
  beforeEach(async () => {
    tester = await createTester({ device });
    for (let i = 0; i < 3; i++) tester.addShape({ type: 'box', halfExtents: [0.5, 0.4, 0.3] });
    return () => tester.dispose();
  });

  test.each(['contacts', 'impacts'] as const)('of %s have the bodies written last', async (query) => {
    const options = query === 'impacts' ? { duration: 0.2 } : {};
    const first = randomBodies(40);
    const handle = tester.createBodies(first);
    const batch = await tester.createBatch({ query, maxPairs: PAIRS, bodies: handle, ...options } as BatchOptions);
    const plain = await tester.createBatch({ query, maxPairs: PAIRS, maxBodies: BODIES, ...options } as BatchOptions);
    for (const each of [batch, plain]) each.write({ pairs });
    const run = async (each: typeof batch): Promise<AnyResult> => {
      const encoder = device.createCommandEncoder();
      each.encode(encoder);
      device.queue.submit([encoder.finish()]);
      return (await each.read()) as never;
    };
    const compare = async (bodies: MovingBodies): Promise<void> => {
      plain.write({ bodies: { ...bodies, angularVelocities: undefined } as MovingBodies });
      const expected = await run(plain);
      expect(expected.count).toBe(PAIRS);
      expect(differences(await run(batch), expected)).toEqual([]);
    };
    await compare(first);
    const written = vi.spyOn(device.queue, 'writeBuffer');
    await run(batch);
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
    const { positions, linearVelocities } = randomBodies(41);
    handle.write({ positions, linearVelocities } as BodyData);
    await compare({ ...first, positions, linearVelocities } as MovingBodies);
    expect(() => batch.write({ bodies: first })).toThrow(
      /expected nothing, as the batch was made with options\.bodies/,
    );
    handle.dispose();
    expect(() => batch.encode(device.createCommandEncoder())).toThrow('options.bodies were disposed');
  });

  test('refuse what is no handle, too little room, buffers besides, and 64-bit positions', async () => {
    const handle = tester.createBodies(randomBodies(42));
    const wide = tester.createBodies(randomBodies(43, true));
    const poses = device.createBuffer({ label: 'test.poses', size: 32 * BODIES, usage: 128 });
    const refusals: [object, RegExp][] = [
      [{ bodies: randomBodies(44) }, /options\.bodies .* expected bodies that createBodies of this tester gave/],
      [
        { bodies: handle, maxBodies: 7 },
        /options\.maxBodies is 7, expected at least 400, the number of options\.bodies/,
      ],
      [{ bodies: handle, poses }, /options\.poses .* expected undefined, as there are options\.bodies/],
      [{}, /options\.maxBodies is undefined, expected a whole number/],
    ];
    for (const [options, message] of refusals)
      await expect(tester.createBatch({ query: 'contacts', maxPairs: 10, ...options })).rejects.toThrow(message);
    const batch = await tester.createBatch({ query: 'contacts', maxPairs: 10, bodies: wide });
    expect(() => batch.encode(device.createCommandEncoder())).toThrow(
      /expected a Float32Array: batches hold f32 poses/,
    );
    poses.destroy();
  });
});
