/**
 * A batch gives what the tester's query gives, bit for bit, on specialised and on general kernels, and goes along with
 * its shapes.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_KIND, CLASS_COUNT } from '../../src/generated/constants.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { batchPass } from '../../src/gpu/steps.ts';
import { createTester } from '../../src/node.ts';
import type { QueryName } from '../../src/api/queries.ts';
import { chooseLeadStage } from '../../src/request/validate.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { Status, type Bodies, type Tester } from '../../src/api/types.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { differences, frame, submit, type AnyResult } from '../helpers/batch.ts';
import { ballDistance, ballPairs, balls, ballShapes, overlappingBalls } from '../helpers/balls.ts';
import { anyFamily, useShapes } from '../../verification/families/test-pairs.ts';
import { keepDevices } from '../helpers/gpu.ts';
import { planBatch, planQuery } from '../helpers/plan-query.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_201;
const PAIRS = atNight(400, 1500);
const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds'] as const satisfies QueryName[];

let tester: Tester;

beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
});

afterAll(() => tester?.dispose());

// Boxes go through SAT and then GJK; hulls have kernels for any kind; of the grid each two kinds are a class, and the
// same kernels serve most of them. Batch and query then run the same kernels: others might round the last bit of a point
// differently.
describe.each(['box-box', ...atNight([], ['hull32-hull32'] as const), 'grid'] as const)('%s', (name) => {
  const family = anyFamily(name, PAIRS, SEED);
  const { bodies, pairs } = family;

  beforeAll(() => useShapes(tester, family.shapes));

  test.each(QUERIES)('%s runs the same kernels in both', (query) => {
    const shapes = createShapeTable();
    for (const shape of family.shapes) addShape(shapes, shape, dimension3);
    const request = {
      query,
      dimension: dimension3,
      bodies,
      pairs,
      shapes,
      leadStage: chooseLeadStage(query, 'auto'),
      margin: 0,
    };
    const batch = { what: request, isWarm: false };
    const plan = planBatch(spatialPlanner, batch, SOFTWARE, shapes.shapes);
    const { classes } = plan;
    expect(planQuery(spatialPlanner, request, SOFTWARE)).toMatchObject({ classes });
    const constants = batchPass(plan).flatMap((step) => (step.step === 'kernel' ? [step.variant.constants] : []));
    expect(constants.some((constant) => constant?.KIND_A === ANY_KIND)).toBe(name !== 'box-box');
    expect(classes.length).toBe(name === 'grid' ? CLASS_COUNT : 1);
  });

  describe.each(QUERIES)('%s', (query) => {
    test.each(['all', 'hits'] as const)("results: '%s' are the tester's", async (results) => {
      for (const margin of query === 'distances' ? [0.0625, Infinity] : [0, 0.0625]) {
        const options = { margin, results };
        const expected: AnyResult = await tester[query](bodies, pairs, options);
        const batch = await tester.createBatch({ query, maxBodies: 2 * PAIRS + 10, maxPairs: PAIRS + 100, ...options });
        const found = await frame<AnyResult>(batch, { bodies, pairs });
        expect(differences(found, expected), `margin ${margin}, seed ${SEED}`).toEqual([]);
        expect(found.count).toBeGreaterThan(PAIRS / 5);
        const counts = await batch.readCounts();
        expect(counts).toMatchObject({
          pairs: PAIRS,
          pairOverflow: 0,
          hitOverflow: 0,
          statusCounts: expected.statusCounts,
        });
        expect([...found].length).toBe(found.count);
        batch.dispose();
      }
    });
  });

  test('contacts with bounds are those of the tester', async () => {
    const expected = await tester.contacts(bodies, pairs, { bounds: true, margin: Infinity });
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      margin: Infinity,
    });
    expect(differences(await frame(batch, { bodies, pairs }, { bounds: true }), expected)).toEqual([]);
    batch.dispose();
  });

  test('a batch by GJK alone is a query by GJK alone', async () => {
    const options = { algorithm: 'gjk', margin: 0.0625 } as const;
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS, ...options });
    expect(differences(await frame(batch, { bodies, pairs }), await tester.contacts(bodies, pairs, options))).toEqual(
      [],
    );
    batch.dispose();
  });
});

describe('frames', () => {
  const family = makeFamily('box-box', 400, SEED + 1);
  const { bodies, pairs } = family;

  beforeAll(() => useShapes(tester, family.shapes));

  test('bodies and pairs may change apart from each other, and what is not written stays', async () => {
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 800, maxPairs: 400, results: 'hits' });
    const moved = { ...bodies, positions: bodies.positions.map((x, i) => (i % 6 === 0 ? x + 0.125 : x)) };
    const fewer = pairs.subarray(0, 300);
    expect(
      differences(await frame(batch, { bodies, pairs }), await tester.contacts(bodies, pairs, { results: 'hits' })),
    ).toEqual([]);
    expect(
      differences(await frame(batch, { bodies: moved }), await tester.contacts(moved, pairs, { results: 'hits' })),
    ).toEqual([]);
    expect(
      differences(await frame(batch, { pairs: fewer }), await tester.contacts(moved, fewer, { results: 'hits' })),
    ).toEqual([]);
    expect(differences(await frame(batch, {}), await tester.contacts(moved, fewer, { results: 'hits' }))).toEqual([]);
    batch.dispose();
  });

  test('no pairs give an empty result, and so does a batch that was never submitted', async () => {
    const batch = await tester.createBatch({ query: 'distances', maxBodies: 800, maxPairs: 400 });
    expect(await batch.read()).toMatchObject({ count: 0, statusCounts: [0, 0, 0, 0, 0] });
    expect((await frame(batch, { bodies, pairs })).count).toBe(400);
    expect(await frame(batch, { pairs: new Uint32Array(0) })).toMatchObject({
      count: 0,
      statusCounts: [0, 0, 0, 0, 0],
    });
    batch.dispose();
  });

  test('bodies that nobody wrote are invalid input', async () => {
    const batch = await tester.createBatch({ query: 'intersects', maxBodies: 800, maxPairs: 400 });
    expect((await frame(batch, { pairs })).statusCounts).toEqual([0, 0, 0, 400, 0]);
    batch.dispose();
  });

  test('two batches of one tester may share an encoder', async () => {
    const contacts = await tester.createBatch({ query: 'contacts', maxBodies: 800, maxPairs: 400 });
    const distances = await tester.createBatch({ query: 'distances', maxBodies: 800, maxPairs: 400 });
    for (const batch of [contacts, distances]) batch.write({ bodies, pairs });
    const encoder = contacts.device.createCommandEncoder();
    contacts.encode(encoder);
    distances.encode(encoder);
    contacts.device.queue.submit([encoder.finish()]);
    const [first, second, queried] = await Promise.all([
      contacts.read(),
      distances.read(),
      tester.contacts(bodies, pairs),
    ]);
    expect(differences(first, queried)).toEqual([]);
    expect(differences(second, await tester.distances(bodies, pairs))).toEqual([]);
    contacts.dispose();
    distances.dispose();
  });

  test('a million hits, more than one row of workgroups gathers and places', async () => {
    useShapes(tester, ballShapes);
    const count = 1_100_000;
    const all = ballPairs(count);
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: 4096,
      maxPairs: count,
      results: 'hits',
      margin: 1,
    });
    const found = await frame(batch, { bodies: balls, pairs: all });
    const overlapping = overlappingBalls(all).length;
    expect(found.count).toBe(count);
    expect(found.statusCounts).toEqual([count - overlapping, overlapping, 0, 0, 0]);
    let wrong = 0;
    for (let i = 0; i < count; i++) {
      // The ball's right or left end in the world.
      const a = all[2 * i];
      const isOff =
        !(Math.abs(found.pointA[3 * i] - (balls.positions[3 * a] + 0.4375)) <= 1e-4) ||
        !(Math.abs(found.distance[i] - ballDistance(all, i)) <= 1e-5);
      if (found.pair[i] !== i || isOff) wrong++;
    }
    expect(wrong).toBe(0);
    batch.dispose();
  });
});

/** Two bodies side by side along x. */
function side(shapes: [number, number], distance = 0.75): Bodies {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.of(0, 0, 0, distance, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
}

test('batches that are made at the same time compile each kernel once', async () => {
  const { gpu, devices } = keepDevices();
  const own = await createTester({ backend: 'webgpu', gpu });
  own.addShape({ type: 'box', halfExtents: [1, 1, 1] });
  const labels: (string | undefined)[] = [];
  const compile = devices[0].createComputePipelineAsync.bind(devices[0]);
  devices[0].createComputePipelineAsync = (descriptor) => {
    labels.push(descriptor.label);
    return compile(descriptor);
  };
  await Promise.all([1, 2, 3].map((maxPairs) => own.createBatch({ query: 'intersects', maxBodies: 2, maxPairs })));
  expect(labels.length).toBeGreaterThan(0);
  expect(new Set(labels).size).toBe(labels.length);
  own.dispose();
});

describe('shapes that come and go after createBatch', () => {
  const box = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
  const ball = { type: 'sphere', radius: 0.5 } as const;
  const capsule = { type: 'capsule', halfHeight: 0.5, radius: 0.25 } as const;
  const pairs = Uint32Array.of(0, 1);

  test('of the same types work at once, thousands of them too', async () => {
    const own = await createTester({ backend: 'webgpu' });
    own.addShape({ type: 'hull', points: [-1, -1, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1] });
    const batch = await own.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1 });
    await frame(batch, { bodies: side([0, 0]), pairs });
    let last = 0;
    for (let i = 0; i < 3000; i++)
      last = own.addShape({ type: 'hull', points: [-0.5, 0, 0, 0.5, 0, 0, 0, 0.5 + i / 8, 0, 0, 0, 0.5] });
    const bodies = side([last, 0], 0.25);
    expect(differences(await frame(batch, { bodies }), await own.contacts(bodies, pairs))).toEqual([]);
    own.dispose();
  });

  test('of a new type throw until prepare', async () => {
    const own = await createTester({ backend: 'webgpu' });
    own.addShape(box);
    const batch = await own.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1 });
    expect([...(await frame(batch, { bodies: side([0, 0]), pairs }))][0].distance).toBeCloseTo(-0.25, 6);
    const id = own.addShape(ball);
    const encoder = batch.device.createCommandEncoder();
    expect(() => batch.encode(encoder)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('batch.prepare()') }),
    );
    await batch.prepare();
    const [mixed] = await frame(batch, { bodies: side([0, id], 1.25) });
    expect(mixed.distance).toBe(0.25);
    own.dispose();
  });

  test('the last of a type may go, and come back', async () => {
    const own = await createTester({ backend: 'webgpu' });
    for (const shape of [box, ball, capsule]) own.addShape(shape);
    const batch = await own.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1, margin: Infinity });
    await frame(batch, { bodies: side([0, 2]), pairs });
    own.removeShape(2);
    submit(batch as never);
    expect((await batch.read()).status[0]).toBe(Status.InvalidInput);
    expect((await frame(batch, { bodies: side([0, 1], 1.25) })).distance[0]).toBe(0.25);
    own.removeShape(0);
    own.removeShape(1);
    submit(batch as never);
    expect((await batch.read()).statusCounts).toEqual([0, 0, 0, 1, 0]);
    expect(own.addShape(capsule)).toBe(0);
    expect((await frame(batch, { bodies: side([0, 0], 0.75) })).distance[0]).toBe(0.25);
    own.dispose();
  });

  test("'sat' refuses shapes that come later and are no boxes, until they are gone", async () => {
    const own = await createTester({ backend: 'webgpu' });
    own.addShape(box);
    const batch = await own.createBatch({ query: 'intersects', maxBodies: 2, maxPairs: 1, algorithm: 'sat' });
    const added = own.addShape(ball);
    expect(() => submit(batch as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^options\.algorithm is "sat".*not boxes/),
      }),
    );
    await expect(batch.prepare()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    own.removeShape(added);
    expect((await frame(batch, { bodies: side([0, 0], 0.5), pairs })).hits).toBe(1);
    own.dispose();
  });

  test('a batch may be there before the first shape', async () => {
    const own = await createTester({ backend: 'webgpu' });
    const batch = await own.createBatch({ query: 'distances', maxBodies: 2, maxPairs: 1 });
    expect((await frame(batch, { pairs })).statusCounts).toEqual([0, 0, 0, 1, 0]);
    own.addShape(box);
    await batch.prepare();
    expect((await frame(batch, { bodies: side([0, 0], 1.5) })).distance[0]).toBe(0.5);
    own.dispose();
  });

  test('a rounded box among sharp ones needs kernels that sharp ones do not', async () => {
    const own = await createTester({ backend: 'webgpu' });
    own.addShape(box);
    const batch = await own.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1 });
    const id = own.addShape({ ...box, radius: 0.25 });
    expect(() => batch.encode(batch.device.createCommandEncoder())).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    await batch.prepare();
    expect((await frame(batch, { bodies: side([0, id], 1.125), pairs })).distance[0]).toBe(-0.125);
    own.removeShape(id);
    expect((await frame(batch, { bodies: side([0, 0], 0.75) })).distance[0]).toBe(-0.25);
    own.dispose();
  });
});
