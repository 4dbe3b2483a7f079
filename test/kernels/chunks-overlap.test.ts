/**
 * Two chunks of a query are in flight: the next one is submitted before the records of the one before are read. Answers
 * are those of a query in one chunk, and a chunk that fails leaves nothing running.
 */

import { afterAll, beforeAll, describe, expect, test, vi, type MockInstance } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { MovingBodies, PosedBodies, Tester, WarmStart } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { differences, type AnyResult } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { watchingDevice, type WatchedDevice } from '../helpers/in-flight.ts';
import { refusing } from '../helpers/refusal.ts';

/**
 * Bytes of the largest buffer: about 4000 contacts, so that queries of 32,000 pairs take several chunks. Such queries are
 * large: the device checks their input, in one submission before the chunks, and writes their arrays.
 */
const MOST_BYTES = 2 ** 18;
const PAIRS = 32_000;
const pairs = ballPairs(PAIRS);
/** A few of the balls, whose buffers fit. */
const BODIES = 1000;
const few = firstBodies(balls);

function firstBodies({ shapes, positions, quaternions }: PosedBodies): MovingBodies {
  return {
    shapes: shapes.slice(0, BODIES),
    positions: positions.slice(0, 3 * BODIES) as Float32Array,
    quaternions: quaternions.slice(0, 4 * BODIES),
    linearVelocities: Float32Array.from({ length: 3 * BODIES }, (_, i) => (i % 3 === 0 ? Math.sin(i) : 0)),
  };
}
const fewPairs = pairs.map((body) => body % BODIES).map((body, i, all) => (i % 2 && all[i - 1] === body ? 0 : body));

let device: GPUDevice;
let watched: WatchedDevice;
/** One answers in several chunks, the other in one. */
let cut: Tester;
let whole: Tester;

async function open(shapes: readonly ShapeDescription[], mostBytes = MOST_BYTES): Promise<void> {
  watched = watchingDevice(device, mostBytes);
  cut = await createTester({ device: watched.device });
  whole = await createTester({ device });
  for (const tester of [cut, whole]) useShapes(tester, shapes);
}

beforeAll(async () => {
  device = await openDefaultDevice('chunks-overlap.device');
});
afterAll(() => device?.destroy());

/** The submissions and mappings of a query, whose plan has run before. */
async function eventsOf(query: () => Promise<unknown>): Promise<string[]> {
  await query();
  watched.restart();
  await query();
  return [...watched.events];
}

describe('a query in several chunks', () => {
  beforeAll(() => open(ballShapes));
  afterAll(() => {
    cut?.dispose();
    whole?.dispose();
  });

  test('submits a chunk before the records of the one before are mapped, and never a third', async () => {
    const events = await eventsOf(() => cut.contacts(few, fewPairs));
    expect(events.length).toBeGreaterThan(8);
    expect(events.slice(0, 2)).toEqual(['submit 1', 'submit 2']);
    expect(events).not.toContain('submit 3');
    expect(watched.inFlight()).toBe(0);
  });

  test('of a plan that has not run yet waits for its first chunk', async () => {
    watched.restart();
    await cut.distances(few, fewPairs, { margin: 1 });
    expect(watched.events.slice(0, 4)).toEqual(['submit 1', 'map 1', 'submit 1', 'submit 2']);
  });

  test('and only hits has two chunks in flight through both of their round trips', async () => {
    const events = await eventsOf(() => cut.contacts(few, fewPairs, { results: 'hits' }));
    expect(events.filter((event) => event === 'submit 2').length).toBeGreaterThan(3);
    expect(events).not.toContain('submit 3');
    expect(watched.inFlight()).toBe(0);
  });

  test.each<[string, (tester: Tester) => Promise<AnyResult>]>([
    ['distances', (tester) => tester.distances(few, fewPairs)],
    ['contacts', (tester) => tester.contacts(few, fewPairs, { margin: 1 })],
    ['contacts, hits', (tester) => tester.contacts(few, fewPairs, { margin: 0.3, results: 'hits' })],
    ['manifolds', (tester) => tester.manifolds(few, fewPairs)],
    ['manifolds, hits', (tester) => tester.manifolds(few, fewPairs, { results: 'hits' })],
    ['impacts', async (tester) => (await tester.impacts(few, fewPairs, { duration: 1 })) as never],
    [
      'impacts, hits',
      async (tester) => (await tester.impacts(few, fewPairs, { duration: 1, results: 'hits' })) as never,
    ],
    [
      'impacts, earliest',
      async (tester) => (await tester.impacts(few, fewPairs, { duration: 1, results: 'earliest' })) as never,
    ],
  ])('gives the same as in one chunk: %s', async (_, ask) => {
    const expected = await ask(whole);
    expect(expected.count).toBeGreaterThan(0);
    for (let round = 0; round < 2; round++) {
      watched.restart();
      expect(differences(await ask(cut), expected)).toEqual([]);
      expect(watched.events).toContain('submit 2');
    }
  });
});

describe('pairs that no buffer has room for', () => {
  beforeAll(() => open(ballShapes));
  afterAll(() => {
    cut?.dispose();
    whole?.dispose();
  });

  const many = Uint32Array.from({ length: 6 * PAIRS }, (_, i) => fewPairs[i % fewPairs.length]);

  test.each(['all', 'hits'] as const)("are answered as in one piece, results: '%s'", async (results) => {
    const expected = await whole.intersects(few, many, { results });
    watched.restart();
    expect(differences(await cut.intersects(few, many, { results }), expected)).toEqual([]);
    // One for each chunk.
    expect(watched.events.filter((event) => event.startsWith('map')).length).toBeGreaterThan(2);
  });

  test('are all checked before any is answered', async () => {
    const target = await whole.intersects(few, many);
    const before = target.hit.slice();
    const wrong = many.slice();
    wrong[wrong.length - 1] = BODIES;
    const refused = cut.intersects(few, wrong, { target });
    await expect(refused).rejects.toThrow(
      `pairs[${wrong.length - 1}] is ${BODIES}, expected an index below the ${BODIES} bodies`,
    );
    expect(target.hit).toEqual(before);
  });
});

describe('a chunk that fails', () => {
  beforeAll(() => open(ballShapes));
  afterAll(() => {
    cut?.dispose();
    whole?.dispose();
  });

  test.each([0, 1, 2])(
    'is chunk %i: the query rejects when nothing is in flight, and the next one works',
    async (n) => {
      const expected = await whole.contacts(few, fewPairs);
      await withoutErrors(device, async () => {
        await cut.contacts(few, fewPairs);
        watched.restart({ mapping: n, error: new Error('no mapping') });
        // In the turn of its rejection, before the next query can begin.
        const inFlight = await cut.contacts(few, fewPairs).then(
          () => undefined,
          (error: Error) => [error.message, watched.inFlight()],
        );
        expect(inFlight).toEqual(['no mapping', 0]);
        watched.restart();
        expect(differences(await cut.contacts(few, fewPairs), expected)).toEqual([]);
      });
    },
  );

  test.each(['all', 'hits'] as const)("an abort leaves no chunk running, results: '%s'", async (results) => {
    const expected = await whole.contacts(few, fewPairs, { results });
    await cut.contacts(few, fewPairs, { results });
    await withoutErrors(device, async () => {
      for (let mapping = 1; mapping < 6; mapping++) {
        const controller = new AbortController();
        let left = mapping;
        watched.restart();
        watched.onMapped = () => void (--left === 0 && controller.abort());
        const running = cut.contacts(few, fewPairs, { results, signal: controller.signal });
        const next = cut.contacts(few, fewPairs, { results });
        await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
        watched.onMapped = undefined;
        expect(differences(await next, expected)).toEqual([]);
        expect(watched.inFlight()).toBe(0);
        expect(watched.events).not.toContain('submit 3');
      }
    });
  });

  test('a tester disposed of with two chunks in flight rejects with DISPOSED', async () => {
    const other = watchingDevice(device, MOST_BYTES);
    const tester = await createTester({ device: other.device });
    useShapes(tester, ballShapes);
    await tester.contacts(few, fewPairs);
    other.restart();
    other.onMapped = () => other.events.includes('submit 2') && tester.dispose();
    await expect(tester.contacts(few, fewPairs)).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(other.events).toContain('submit 2');
    expect(other.inFlight()).toBe(0);
  });

  test.each([0, 1, 2, 3])('disposed of %d turns after a submission raises no error on the device', async (turns) => {
    const other = watchingDevice(device, MOST_BYTES);
    const tester = await createTester({ device: other.device });
    useShapes(tester, ballShapes);
    await tester.contacts(few, fewPairs);
    await withoutErrors(device, async () => {
      other.restart();
      const rejected = expect(tester.contacts(few, fewPairs)).rejects.toMatchObject({ code: 'DISPOSED' });
      while (!other.events.includes('submit 2')) await new Promise((resolve) => void setTimeout(resolve, 0));
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      tester.dispose();
      await rejected;
    });
  });
});

async function openRefusing() {
  const full = refusing(device);
  const watching = watchingDevice(full.device, MOST_BYTES);
  const tester = await createTester({ device: watching.device });
  useShapes(tester, ballShapes);
  return { full, watching, tester };
}

describe('a device without memory for a chunk beside another', () => {
  beforeAll(() => open(ballShapes));
  afterAll(() => {
    cut?.dispose();
    whole?.dispose();
  });

  test.each(['all', 'hits'] as const)("answers one chunk at a time, results: '%s'", async (results) => {
    const expected = await whole.contacts(few, fewPairs, { results });
    const { full, tester } = await openRefusing();
    let refused = 0;
    const isSecond = (): boolean => full.alive().filter((label) => label === 'buffers.results').length > 1;
    full.refuse((label) => label === 'buffers.results' && isSecond() && ++refused > 0);
    for (let query = 0; query < 3; query++)
      expect(differences(await tester.contacts(few, fewPairs, { results }), expected)).toEqual([]);
    expect(refused).toBe(1);
    tester.dispose();
  });

  test('fails if there is no memory for one chunk either, and works once there is', async () => {
    const { full, tester } = await openRefusing();
    full.refuse((label) => label === 'buffers.results');
    for (let query = 0; query < 2; query++)
      await expect(tester.contacts(few, fewPairs)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    full.refuse(undefined);
    expect((await tester.contacts(few, fewPairs)).count).toBe(PAIRS);
    tester.dispose();
  });

  test('leaves no refused buffer behind when the query is aborted first', async () => {
    const { full, watching, tester } = await openRefusing();
    // Answered by records of all pairs, which need no list of hits.
    await tester.contacts(few, fewPairs.subarray(0, PAIRS), { escalate: true });
    let asked = 0;
    full.refuse((label) => label === 'buffers.list' && ++asked === 2);
    const controller = new AbortController();
    watching.onMapped = () => asked > 0 && controller.abort();
    const aborted = tester.contacts(few, fewPairs, { results: 'hits', signal: controller.signal });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    expect(asked).toBe(2);
    watching.onMapped = undefined;
    full.refuse(undefined);
    const [found, expected] = await Promise.all(
      [tester, whole].map((each) => each.contacts(few, fewPairs, { results: 'hits' })),
    );
    expect(differences(found, expected)).toEqual([]);
    tester.dispose();
  });
});

/** Turned polyhedra around nearly the same point: EPA leaves some of their pairs to the fallback steps. */
function deepHulls(): { shapes: ShapeDescription[]; bodies: PosedBodies; pairs: Uint32Array } {
  const random = createRandom(20_261_123);
  const count = 64;
  const shapes = Array.from({ length: 1 }, () => ({
    type: 'hull' as const,
    points: Float32Array.from(Array.from({ length: 128 }, () => unitVector(random, [0, 0, 0])).flat()),
  }));
  return {
    shapes,
    bodies: {
      shapes: new Uint32Array(count),
      positions: Float32Array.from({ length: 3 * count }, () => 1e-3 * (random() - 0.5)),
      quaternions: Float32Array.from(Array.from({ length: count }, () => unitVector(random, [0, 0, 0, 0])).flat()),
    },
    pairs: Uint32Array.from(Array.from({ length: 2600 }, (_, i) => [i % count, (i * 7 + 1 + (i >> 6)) % count]).flat()),
  };
}

describe('pairs that wait for fallback steps', () => {
  const { shapes, bodies, pairs: deep } = deepHulls();
  let compile: MockInstance<GPUDevice['createComputePipelineAsync']>;
  beforeAll(async () => {
    compile = vi.spyOn(device, 'createComputePipelineAsync');
    await open(shapes, 2 ** 16);
  });
  afterAll(() => {
    cut?.dispose();
    whole?.dispose();
  });

  test.each(['all', 'hits'] as const)("are answered as in one chunk, results: '%s', warm and cold", async (results) => {
    const states: (WarmStart | undefined)[][] = [[undefined, undefined]];
    states.push([cut, whole].map((tester) => tester.createWarmStart(deep.length / 2)));
    for (const [warmCut, warmWhole] of states) {
      for (let round = 0; round < 2; round++) {
        const expected = await whole.contacts(bodies, deep, { results, warmStart: warmWhole });
        watched.restart();
        const found = await cut.contacts(bodies, deep, { results, warmStart: warmCut });
        expect(differences(found, expected)).toEqual([]);
        expect(expected.count).toBe(deep.length / 2);
        expect(watched.events).not.toContain('submit 3');
      }
      expect(watched.events).toContain('submit 2');
    }
    // By both testers.
    const arcs = compile.mock.calls.filter(([{ label }]) => label?.startsWith('kernels.contacts-arcs'));
    expect(arcs.length).toBeGreaterThan(1);
  });
});
