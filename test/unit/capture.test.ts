/** Captures on the CPU: what they hold, that JSON keeps them, and that they are answered again to the bit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { captureInput } from '../../src/capture/input.ts';
import { toCaptureItem } from '../../src/capture/numbers.ts';
import { parseCapture } from '../../src/capture/parse.ts';
import { createTester } from '../../src/index.ts';
import type { Capture, PlanarTester, SpaceCapture, Tester } from '../../src/api/types.ts';
import { answerPair, capturePair, randomPair } from '../helpers/random-captures.ts';

let space: Tester;
let planar: PlanarTester;

beforeAll(async () => {
  space = await createTester({ backend: 'cpu', threads: 1 });
  planar = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
});
afterAll(() => {
  space.dispose();
  planar.dispose();
});

const CRATE = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;

function crates() {
  const crate = space.addShape(CRATE);
  return {
    shapes: Uint32Array.of(crate, crate, crate),
    positions: Float32Array.of(0, 0, 0, 0.9, 0, 0, 5, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
}

test('a capture holds the pair, its shapes, its options and its answer', async () => {
  const bodies = crates();
  const pairs = Uint32Array.of(0, 2, 0, 1);
  const capture = await space.capture(bodies, pairs, 1, { query: 'contacts', margin: Infinity });
  expect(capture).toEqual({
    version: 1,
    dimension: 3,
    query: 'contacts',
    algorithm: 'auto',
    shapes: [CRATE, CRATE],
    poses: [
      { position: [0, 0, 0], quaternion: [0, 0, 0, 1] },
      { position: [Math.fround(0.9), 0, 0], quaternion: [0, 0, 0, 1] },
    ],
    float64Positions: false,
    options: { margin: 'Infinity' },
    result: expect.objectContaining({ pair: 1, status: 1, normal: [1, 0, 0] }) as unknown,
    backend: 'cpu',
    adapter: space.adapter,
  });
  const [, answer] = [...(await space.contacts(bodies, pairs, { margin: Infinity }))];
  expect(capture.result).toEqual(toCaptureItem(answer));
});

test('200 random captures survive JSON, equal the query’s records, and are answered again to the bit', async () => {
  const queries = new Set<string>();
  for (let i = 0; i < 200; i++) {
    const pair = randomPair(1, i, i % 4 === 3 ? 2 : 3);
    const tester = pair.dimension === 3 ? space : planar;
    const capture = await capturePair(tester, pair);
    const label = `seed 1, pair ${i}: ${capture.query} of ${capture.shapes.map(({ type }) => type).join(' and ')}`;
    queries.add(`${capture.dimension} ${capture.query} ${capture.algorithm}`);
    const read = parseCapture(JSON.parse(JSON.stringify(capture)));
    expect(read, label).toEqual(capture);
    const items = toCaptureItem(await answerPair(tester, pair)) as Capture['result'][];
    expect(capture.result, label).toEqual(Array.isArray(capture.result) ? items : items[0]);
    expect(await capturedAgain(tester, read), label).toEqual(capture.result);
  }
  expect(queries.size).toBeGreaterThan(25);
});

/** The answer for the two bodies of a capture alone. */
async function capturedAgain(tester: Tester | PlanarTester, capture: Capture): Promise<unknown> {
  const ids = capture.shapes.map((shape) => (tester as Tester).addShape(shape as SpaceCapture['shapes'][0]));
  const { bodies, pairs, options } = captureInput(capture as SpaceCapture, ids as [number, number]);
  const again = await (tester as Tester).capture(bodies as never, pairs, 0, { query: capture.query, ...options });
  for (const id of ids) tester.removeShape(id);
  expect(again.shapes).toEqual(capture.shapes);
  const items = [again.result].flat().map((item) => ({ ...item, pair: 1 }));
  return Array.isArray(again.result) ? items : items[0];
}

test('a capture has the velocities, scales and 64-bit positions that were given', async () => {
  const bodies = {
    ...crates(),
    positions: Float64Array.of(1e6, 0, 0, 1e6 + 0.1, 0, 0, 0, 0, 0),
    scales: Float32Array.of(1, 0.5, 1),
    linearVelocities: Float32Array.of(0, 0, 0, -1, 0, 0, 0, 0, 0),
    angularVelocities: Float32Array.of(0, 0, 0, 0, 0, 0.5, 0, 0, 0),
  };
  const options = { query: 'impacts', duration: 1, results: 'hits' } as const;
  const capture = await space.capture(bodies, Uint32Array.of(0, 1), 0, options);
  expect(capture.poses[1]).toEqual({
    position: [1e6 + 0.1, 0, 0],
    quaternion: [0, 0, 0, 1],
    scale: 0.5,
    linearVelocity: [-1, 0, 0],
    angularVelocity: [0, 0, 0.5],
  });
  expect(capture.float64Positions).toBe(true);
  expect(capture.options).toEqual({ duration: 1 });
  const handle = space.createBodies(bodies);
  expect(await space.capture(handle, Uint32Array.of(0, 1), 0, options)).toEqual(capture);
});

test('a hull with points inside keeps the numbers of its points', async () => {
  const points = [0, 0, 0, 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
  const hull = space.addShape({ type: 'hull', points });
  const bodies = { ...crates(), shapes: Uint32Array.of(hull, hull, hull) };
  const capture = await space.capture(bodies, Uint32Array.of(0, 1), 0, { query: 'contacts' });
  expect(capture.shapes[0]).toEqual({ type: 'hull', points });
});

test('a manifold of a mesh lists its pairs of parts', async () => {
  const mesh = space.addShape({
    type: 'mesh',
    positions: [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1],
    indices: [0, 2, 1, 0, 3, 2],
  });
  const ball = space.addShape({ type: 'sphere', radius: 0.5 });
  const bodies = {
    ...crates(),
    shapes: Uint32Array.of(mesh, ball, ball),
    positions: Float32Array.of(0, 0, 0, 0, 0.4, 0, 9, 9, 9),
  };
  const capture = await space.capture(bodies, Uint32Array.of(0, 1, 0, 2), 0, { query: 'manifolds' });
  expect(capture.result).toEqual(expect.arrayContaining([expect.objectContaining({ partA: 0, partB: 0 })]));
  expect((await space.capture(bodies, Uint32Array.of(0, 1, 0, 2), 1, { query: 'manifolds' })).result).toEqual([]);
});

test.each([
  ['an unknown query', 0, { query: 'contact' }, /options\.query.*did you mean 'contacts'/],
  ['no query', 0, {}, /options\.query is undefined/],
  [
    'an unknown option',
    0,
    { query: 'contacts', marign: 1 },
    /options\.marign is unknown for contacts; did you mean 'margin'/,
  ],
  ['an option of another query', 0, { query: 'contacts', duration: 1 }, /options\.duration is unknown for contacts/],
  ['a wrong margin', 0, { query: 'contacts', margin: -1 }, /options\.margin is -1/],
  ['an index beyond the pairs', 2, { query: 'contacts' }, /index is 2, expected the index of one of the 2 pairs/],
  ['a fraction', 0.5, { query: 'contacts' }, /index is 0\.5/],
  ['no options', 0, undefined, /options is undefined/],
  ['impacts of bodies at rest', 0, { query: 'impacts', duration: 1 }, /linearVelocities/],
])('%s is refused as in a query', async (_, index, options, message) => {
  const refused = space.capture(crates(), Uint32Array.of(0, 1, 1, 2), index, options as never);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a pair of no bodies, and a disposed tester, are refused as in a query', async () => {
  await expect(space.capture(crates(), Uint32Array.of(0, 1, 1, 7), 0, { query: 'contacts' })).rejects.toThrow(
    'pairs[3] is 7, expected an index below the 3 bodies',
  );
  const tester = await createTester({ backend: 'cpu' });
  tester.dispose();
  await expect(tester.capture({} as never, new Uint32Array(2), 0, { query: 'contacts' })).rejects.toMatchObject({
    code: 'DISPOSED',
  });
});
