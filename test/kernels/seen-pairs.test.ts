/**
 * Queries are submitted together with the inspection of their input, by a plan for the kinds of pairs that were seen
 * before, or that the host finds for a first query. Their answers have the bits of a first query; and if the input has
 * other kinds or is refused, nothing of what was answered is ever seen.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { MovingBodies, Tester } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { differences, type AnyResult } from '../helpers/batch.ts';
import { recordDispatches } from '../helpers/compiled.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { watchingDevice, type WatchedDevice } from '../helpers/in-flight.ts';
import { atNight } from '../helpers/night.ts';
import { refusing } from '../helpers/refusal.ts';

const BODIES = 600;
/** No more than a chunk has, however slow the device. */
const PAIRS = 1024;

type Scene = MovingBodies & { quaternions: Float32Array; positions: Float32Array | Float64Array };

/** Bodies in a box; a frame moves all of them a little. */
function sceneAt(frame: number, is64Bit = false): Scene {
  const random = createRandom(7);
  const vectors = (length: number): Float32Array =>
    Float32Array.from(
      Array.from({ length: BODIES }, () =>
        unitVector(
          random,
          Array.from({ length }, () => 0),
        ),
      ).flat(),
    );
  const positions = vectors(3).map((x, i) => 8 * x + 0.01 * frame * Math.sin(i));
  return {
    shapes: Uint32Array.from({ length: BODIES }, () => Math.floor(uniform(random, 0, 2))),
    positions: is64Bit ? Float64Array.from(positions, (x) => 1000 + x) : positions,
    quaternions: vectors(4),
    linearVelocities: vectors(3),
  } as Scene;
}

function randomPairs(): Uint32Array {
  const random = createRandom(8);
  return Uint32Array.from({ length: 2 * PAIRS }, () => Math.floor(uniform(random, 0, BODIES)));
}

const pairs = randomPairs();

type Ask = (tester: Tester, bodies: Scene, options?: object) => Promise<AnyResult>;

const QUERIES: readonly [name: string, ask: Ask][] = [
  ['intersects', (tester, bodies, options) => tester.intersects(bodies, pairs, options)],
  ['distances', (tester, bodies, options) => tester.distances(bodies, pairs, options)],
  ['contacts', (tester, bodies, options) => tester.contacts(bodies, pairs, options)],
  ['contacts, hits', (tester, bodies, options) => tester.contacts(bodies, pairs, { results: 'hits', ...options })],
  ['manifolds', (tester, bodies, options) => tester.manifolds(bodies, pairs, options)],
  [
    'impacts',
    async (tester, bodies, options) => (await tester.impacts(bodies, pairs, { duration: 1, ...options })) as never,
  ],
];
const contacts = QUERIES[2][1];

let real: GPUDevice;
let watched: WatchedDevice;
/** Asks like queries before it. */
let tester: Tester;

async function open(device: GPUDevice): Promise<Tester> {
  const opened = await createTester({ device });
  opened.addShape({ type: 'box', halfExtents: [0.5, 0.4, 0.3] });
  opened.addShape({ type: 'sphere', radius: 0.5 });
  opened.addShape({ type: 'capsule', halfHeight: 0.4, radius: 0.2 });
  opened.addShape({ type: 'halfspace', normal: [0, 0, 1], offset: 0 });
  return opened;
}

beforeAll(async () => {
  real = await openDefaultDevice('seen-pairs.device');
  watched = watchingDevice(real, 2 ** 27);
  tester = await open(watched.device);
});
afterAll(() => {
  tester?.dispose();
  real?.destroy();
});

/** The answer of a tester that knows nothing. */
async function firstAnswer(ask: Ask, bodies: Scene): Promise<AnyResult> {
  const fresh = await open(real);
  try {
    return await ask(fresh, bodies);
  } finally {
    fresh.dispose();
  }
}

/** How often a query of one chunk was submitted, without the submission that reads its hits. */
async function submissions(query: () => Promise<unknown>): Promise<number> {
  const made = vi.spyOn(real, 'createCommandEncoder');
  try {
    await query();
    const labels = made.mock.calls.map(([descriptor]) => descriptor?.label ?? '');
    return labels.filter((label) => label.startsWith('backend.') && label !== 'backend.hits').length;
  } finally {
    made.mockRestore();
  }
}

/** Asks until the pairs are seen. */
async function settle(ask: Ask, is64Bit = false): Promise<void> {
  for (const frame of [1, 2]) await ask(tester, sceneAt(frame, is64Bit));
  expect(await submissions(() => ask(tester, sceneAt(3, is64Bit)))).toBe(1);
}

describe.each([false, true])('64-bit positions: %s', (is64Bit) => {
  test.each(is64Bit ? atNight([QUERIES[2]], QUERIES) : QUERIES)(
    '%s are submitted once, and have the bits of a first query',
    async (_, ask) => {
      const other = await open(watched.device);
      const found: AnyResult[] = [];
      const submitted: number[] = [];
      for (const frame of [1, 2, 3, 4]) {
        const bodies = sceneAt(frame, is64Bit);
        submitted.push(await submissions(async () => found.push(await ask(other, bodies))));
        expect(differences(found.at(-1)!, await firstAnswer(ask, bodies))).toEqual([]);
      }
      expect(submitted).toEqual([1, 1, 1, 1]);
      other.dispose();
    },
  );
});

/** Changes after which the report on the input is another one, though nothing is wrong. */
const CHANGES: Record<string, (scene: Scene) => Scene> = {
  'other kinds': (scene) => ({ ...scene, shapes: scene.shapes.map((id) => id + 1) as never }),
  'fewer shapes': (scene) => ({ ...scene, shapes: new Uint32Array(BODIES) }),
  'a quaternion that the host has to normalise': (scene) => ({
    ...scene,
    quaternions: withNumber(scene.quaternions, 4 * 500, 1e-40),
  }),
  'a position that the host has to check': (scene) => ({ ...scene, positions: withNumber(scene.positions, 0, 9e29) }),
  'positions farther out': (scene) => ({ ...scene, positions: scene.positions.map((x) => 40 * x) as never }),
};

function withNumber<Numbers extends Float32Array | Float64Array>(
  numbers: Numbers,
  index: number,
  value: number,
): Numbers {
  const changed = numbers.slice() as Numbers;
  changed[index] = value;
  return changed;
}

describe.each([false, true])('a query on other input than before, 64-bit positions: %s', (is64Bit) => {
  test.each(is64Bit ? atNight(['positions farther out'], Object.keys(CHANGES)) : Object.keys(CHANGES))(
    '%s: is answered as a first query',
    async (name) => {
      await settle(contacts, is64Bit);
      for (const bodies of [
        CHANGES[name](sceneAt(5, is64Bit)),
        sceneAt(6, is64Bit),
        CHANGES[name](sceneAt(7, is64Bit)),
      ])
        expect(differences(await contacts(tester, bodies), await firstAnswer(contacts, bodies))).toEqual([]);
    },
  );
});

test('a first query of many pairs, of whose kinds the host misses one, is submitted again', async () => {
  // The host looks at each second pair. Body 0 is the only capsule.
  const count = 70_000;
  const many = Uint32Array.from({ length: 2 * count }, (_, i) => Math.max(1, pairs[i % pairs.length]));
  many[2] = 0;
  const scene = sceneAt(1);
  const shapes = Uint32Array.from(scene.shapes, (id, body) => (body === 0 ? 2 : id));
  const fresh = await open(real);
  const known = await open(real);
  await known.contacts({ ...scene, shapes }, many.subarray(0, 200));
  const expected = await known.contacts({ ...scene, shapes }, many);
  const submitted = await submissions(async () =>
    expect(differences(await fresh.contacts({ ...scene, shapes }, many), expected)).toEqual([]),
  );
  // The first chunk, which has 65,536 pairs, the same again, and the rest.
  expect(submitted).toBeGreaterThanOrEqual(3);
  fresh.dispose();
  known.dispose();
});

test('two half-spaces are refused', async () => {
  await settle(contacts);
  const scene = sceneAt(5);
  const shapes = scene.shapes.slice() as Uint32Array;
  shapes[pairs[2 * PAIRS - 2]] = shapes[pairs[2 * PAIRS - 1]] = 3;
  await expect(contacts(tester, { ...scene, shapes })).rejects.toThrow('expected a body');
  expect((await contacts(tester, scene)).count).toBe(PAIRS);
});

test.each([
  [
    'a position',
    (scene: Scene) => ({ ...scene, positions: withNumber(scene.positions as Float32Array, 3 * BODIES - 1, NaN) }),
  ],
  ['a quaternion', (scene: Scene) => ({ ...scene, quaternions: scene.quaternions.fill(0, 40, 44) })],
  ['a shape', (scene: Scene) => ({ ...scene, shapes: (scene.shapes as Uint32Array).fill(9, 100, 101) })],
])('%s that is wrong is refused with the message of a first query, and the target stays as it is', async (_, spoil) => {
  await settle(contacts);
  const target = await contacts(tester, sceneAt(5));
  const before = structuredClone({ ...target });
  const message = await firstAnswer(contacts, spoil(sceneAt(6))).catch((error: Error) => error.message);
  expect(message).toMatch(/^bodies\./);
  await expect(contacts(tester, spoil(sceneAt(6)), { target })).rejects.toThrow(message as string);
  expect({ ...target }).toEqual(before);
  const bodies = sceneAt(7);
  expect(differences(await contacts(tester, bodies), await firstAnswer(contacts, bodies))).toEqual([]);
});

test('a query that is submitted again starts from the simplices of the query before', async () => {
  const results: AnyResult[] = [];
  for (const isSeen of [true, false]) {
    const fresh = await open(real);
    const warmStart = fresh.createWarmStart(PAIRS);
    const options = { warmStart, algorithm: 'gjk' };
    const other = CHANGES['other kinds'](sceneAt(2));
    if (isSeen) await contacts(fresh, other, { ...options, warmStart: fresh.createWarmStart(PAIRS) });
    await contacts(fresh, sceneAt(1), options);
    results.push(await contacts(fresh, other, options));
    fresh.dispose();
  }
  expect(differences(results[1], results[0])).toEqual([]);
});

test('plans forget shapes that were removed', async () => {
  const { gpu, dispatched } = recordDispatches();
  const recorded = await createTester({ backend: 'webgpu', gpu });
  const ids = (
    [
      { type: 'box', halfExtents: [0.5, 0.4, 0.3] },
      { type: 'box', halfExtents: [0.5, 0.4, 0.3], radius: 0.1 },
      { type: 'capsule', halfHeight: 0.4, radius: 0.2 },
    ] as const
  ).map((shape) => recorded.addShape(shape));
  const few = Uint32Array.of(0, 1, 1, 2);
  const manifoldsOf = async (...shapes: number[]): Promise<string[][]> => {
    dispatched.length = 0;
    const bodies = {
      shapes: Uint32Array.from(shapes),
      positions: new Float32Array(9),
      quaternions: sceneAt(1).quaternions.slice(0, 12),
    };
    expect((await recorded.manifolds(bodies, few)).statusCounts[1]).toBe(2);
    return dispatched.map((labels) => labels.filter((label) => label.startsWith('manifolds')));
  };
  const first = await manifoldsOf(ids[0], ids[0], ids[0]);
  expect(first.flat().map((label) => label.split(' ')[0])).toEqual(['manifolds-boxes', 'manifolds-none']);
  await manifoldsOf(...ids);
  // Its plan is for all that were seen.
  expect((await manifoldsOf(ids[0], ids[0], ids[0])).flat()).not.toEqual(first.flat());
  recorded.removeShape(ids[1]);
  recorded.removeShape(ids[2]);
  expect((await manifoldsOf(ids[0], ids[0], ids[0])).flat()).toEqual(first.flat());
  recorded.dispose();
});

test('a query that is aborted before its report leaves the next one right', async () => {
  await settle(contacts);
  const controller = new AbortController();
  watched.onMapped = () => controller.abort();
  await expect(contacts(tester, sceneAt(5), { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  watched.onMapped = undefined;
  const bodies = CHANGES['other kinds'](sceneAt(6));
  expect(differences(await contacts(tester, bodies), await firstAnswer(contacts, bodies))).toEqual([]);
});

test.each(['poses', 'input.positions', 'pairs', 'results'])(
  'without memory for the buffer %s, the query is refused, and the next one works',
  async (name) => {
    const { device, refuse } = refusing(real);
    const full = await open(device);
    for (let query = 0; query < 3; query++) await contacts(full, sceneAt(1));
    // More bodies and pairs than before, so that buffers are made anew.
    const bodies = twice(sceneAt(1));
    const morePairs = Uint32Array.from([...pairs, ...pairs]);
    let refused = 0;
    refuse((label) => label === `buffers.${name}` && refused++ === 0);
    await expect(full.contacts(bodies, morePairs)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(refused).toBe(1);
    expect(await compared(full, bodies, morePairs)).toEqual([]);
    full.dispose();
  },
);

test.each(['arrays', 'a handle'])(
  'without memory for two chunks, the query over %s is answered one chunk at a time',
  async (given) => {
    const bodies = twice(sceneAt(1));
    const slow = watchingDevice(real, 32 * bodies.shapes.length + 1024);
    const { device, refuse } = refusing(slow.device);
    // Only chunks that took long tell how many pairs a chunk may have, and so whether two may be in flight.
    slow.onMapped = () => {
      for (const end = performance.now() + 30; performance.now() < end;);
    };
    const full = await open(device);
    const asked = given === 'arrays' ? bodies : full.createBodies(bodies);
    for (let query = 0; query < 3; query++) await full.contacts(asked, pairs.subarray(0, 2 * 500));
    slow.onMapped = undefined;
    let refused = 0;
    refuse((label) => label === 'buffers.results' && refused++ === 0);
    expect(await compared(full, bodies, pairs, asked)).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    full.dispose();
  },
);

async function compared(
  asked: Tester,
  bodies: Scene,
  ofPairs: Uint32Array,
  given: Parameters<Tester['contacts']>[0] = bodies,
): Promise<string[]> {
  const fresh = await open(real);
  try {
    return differences(await asked.contacts(given, ofPairs), await fresh.contacts(bodies, ofPairs));
  } finally {
    fresh.dispose();
  }
}

function twice({ shapes, positions, quaternions }: Scene): Scene {
  return {
    shapes: Uint32Array.from([...shapes, ...shapes]),
    positions: Float32Array.from([...positions, ...positions]),
    quaternions: Float32Array.from([...quaternions, ...quaternions]),
  } as unknown as Scene;
}

test('handles: writes and queries in turn', async () => {
  const handle = tester.createBodies(sceneAt(1));
  for (const frame of [2, 3, 4, 5, 6]) {
    const { positions, quaternions } = sceneAt(frame);
    handle.write({ positions, quaternions });
    const bodies = sceneAt(frame);
    expect(differences(await tester.contacts(handle, pairs), await firstAnswer(contacts, bodies))).toEqual([]);
    const others = pairs.map((index) => BODIES - 1 - index);
    const reference = await open(real);
    expect(differences(await tester.contacts(handle, others), await reference.contacts(bodies, others))).toEqual([]);
    reference.dispose();
  }
  handle.dispose();
});
