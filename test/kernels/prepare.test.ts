/** What `prepare` leaves for the query after it to wait for: nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { QueryName } from '../../src/api/queries.ts';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily } from '../browser/families.ts';
import { recordDispatches, recordKernels } from '../helpers/compiled.ts';
import { HARDWARE, openDefaultDevice } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import {
  Status,
  type Bodies,
  type ImpactOptions,
  type MovingBodies,
  type PrepareOptions,
  type Tester,
} from '../../src/api/types.ts';

const BODIES = 12;

let device: GPUDevice;
/** Pipelines that were compiled so far. */
let compiled = 0;

beforeEach(async () => {
  device = await openDefaultDevice('prepare.device');
  compiled = 0;
  const compile = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = (descriptor) => {
    compiled++;
    return compile(descriptor);
  };
});

afterEach(() => device.destroy());

/** Boxes and hulls, each pair of which overlaps or nearly so. */
function pile(tester: Tester): { bodies: Bodies & MovingBodies; pairs: Uint32Array } {
  const points = Float32Array.from({ length: 3 * 20 }, (_, i) => Math.sin(12.9898 * (i + 1)));
  return pileOf([
    tester.addShape({ type: 'box', halfExtents: [0.5, 0.4, 0.3] }),
    tester.addShape({ type: 'hull', points }),
  ]);
}

/** Bodies of these shapes. */
function pileOf(ids: readonly number[]): { bodies: Bodies & MovingBodies; pairs: Uint32Array } {
  const bodies = {
    shapes: Uint32Array.from({ length: BODIES }, (_, i) => ids[i % ids.length]),
    positions: Float32Array.from({ length: 3 * BODIES }, (_, i) => 0.7 * Math.cos(78.233 * i)),
    quaternions: Float32Array.from({ length: 4 * BODIES }, (_, i) => Math.sin(1 + 3.7 * i)),
    linearVelocities: Float32Array.from({ length: 3 * BODIES }, (_, i) => Math.sin(5 * i)),
  };
  const pairs: number[] = [];
  for (let a = 0; a < BODIES; a++) for (let b = a + 1; b < BODIES; b++) pairs.push(a, b);
  return { bodies, pairs: Uint32Array.from(pairs) };
}

const cases: [name: string, options: PrepareOptions & { query: QueryName }][] = [
  ['contacts', { query: 'contacts' }],
  ['contacts, hits', { query: 'contacts', results: 'hits' }],
  ['distances', { query: 'distances' }],
  ['manifolds by MPR', { query: 'manifolds', algorithm: 'mpr', mprDepth: 'ray' }],
  ['first impacts', { query: 'impacts', results: 'earliest' }],
];

test.each(cases)('%s: the next query compiles nothing', async (_, options) => {
  using tester = await createTester({ device });
  const { bodies, pairs } = pile(tester);
  const before = compiled;
  await tester.prepare(options);
  expect(compiled).toBeGreaterThan(before);
  const prepared = compiled;
  const { query, ...others } = options;
  const asked = { ...others, ...(query === 'impacts' && { duration: 1 }) } as ImpactOptions;
  const { count } = await tester[query](bodies, pairs, asked as never);
  expect(count).toBeGreaterThan(0);
  expect(compiled).toBe(prepared);
});

// fallback-steps.test.ts has those of graphics cards too.
test.each(atNight<(Partial<GPUAdapterInfo> | undefined)[]>([undefined], [undefined, HARDWARE.info]))(
  '%j: the fallback steps of the next query compile nothing',
  async (info) => {
    const { gpu, compiled: names } = recordKernels(info);
    using tester = await createTester({ backend: 'webgpu', gpu });
    const total = atNight(4000, 20_000);
    const { shapes, bodies, pairs: ofFamily } = browserFamily('curved', total, 20_261_126);
    // And a pair of each two types, as plans are by kinds. Two half-spaces are no pair.
    const firsts = new Map([...bodies.shapes.keys()].reverse().map((body) => [shapes[bodies.shapes[body]].type, body]));
    const ofTypes = [...firsts].flatMap(([typeA, a]) =>
      [...firsts].flatMap(([typeB, b]) => (typeA === 'halfspace' && typeB === 'halfspace' ? [] : [a, b])),
    );
    const pairs = Uint32Array.from([...ofFamily, ...ofTypes]);
    useShapes(tester, shapes);
    await tester.prepare({ query: 'manifolds', margin: 0.05 });
    expect([...names]).toContain('contacts-outside');
    names.clear();
    const { statusCounts } = await tester.manifolds(bodies, pairs, { margin: 0.05 });
    expect(statusCounts[Status.Overlapping]).toBeGreaterThan(0.4 * total);
    expect(statusCounts[Status.CapacityExceeded]).toBe(0);
    expect([...names]).toEqual([]);
  },
);

test('prepare dispatches the kernels of the next query, as lavapipe compiles a kernel when it is first dispatched', async () => {
  const { gpu, dispatched } = recordDispatches();
  using tester = await createTester({ backend: 'webgpu', gpu });
  const { bodies, pairs } = pile(tester);
  await tester.prepare({ query: 'distances', results: 'hits' });
  const prepared = new Set(dispatched.flat());
  dispatched.length = 0;
  const { count } = await tester.distances(bodies, pairs, { results: 'hits' });
  expect(count).toBeGreaterThan(0);
  expect(dispatched.flat().some((label) => label.startsWith('arrays'))).toBe(true);
  expect(dispatched.flat().filter((label) => !prepared.has(label))).toEqual([]);
});

test.each([
  ['intersects', undefined],
  ['intersects', HARDWARE.info],
  ['contacts', undefined],
] as const)('%s, %j: a query of few of the prepared kinds has the answers of the reference', async (query, info) => {
  const { gpu, compiled: names } = recordKernels(info);
  using tester = await createTester({ backend: 'webgpu', gpu });
  using reference = await createTester({ backend: 'cpu' });
  const points = Float32Array.from({ length: 3 * 12 }, (_, i) => Math.sin(12.9898 * (i + 1)));
  const shapes: ShapeDescription[] = [
    { type: 'box', halfExtents: [0.5, 0.4, 0.3] },
    { type: 'sphere', radius: 0.4 },
    { type: 'hull', points },
  ];
  for (const each of [tester, reference]) useShapes(each, shapes);
  const options = { margin: 0.1, bodies: true, results: 'hits' } as const;
  await tester.prepare({ query, ...options });
  names.clear();
  for (const kinds of [[0], [1], [2], [0, 1], [0, 2], [0, 1, 2]]) {
    const { bodies, pairs } = pileOf(kinds);
    const found = await tester[query](bodies, pairs, options);
    const expected = await reference[query](bodies, pairs, options);
    expect(expected.count, `kinds ${kinds}`).toBeGreaterThan(0);
    expect(found.statusCounts, `kinds ${kinds}`).toEqual(expected.statusCounts);
    expect([found.a, found.b], `kinds ${kinds}`).toEqual([expected.a, expected.b]);
    if (!('distance' in found) || !('distance' in expected)) continue;
    for (const [i, distance] of expected.distance.entries())
      expect(found.distance[i], `kinds ${kinds}, hit ${i}`).toBeCloseTo(distance, 4);
  }
  expect([...names]).toEqual([]);
});

test('without prepare, it does', async () => {
  using tester = await createTester({ device });
  const { bodies, pairs } = pile(tester);
  const before = compiled;
  await tester.contacts(bodies, pairs);
  expect(compiled).toBeGreaterThan(before);
});

test('misspelt queries are refused, on the CPU too', async () => {
  using tester = await createTester({ backend: 'cpu' });
  const wrong = { query: 'contact' } as unknown as PrepareOptions;
  await expect(tester.prepare(wrong)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('options.query'),
  });
  await expect(tester.prepare({ query: 'contacts', escalate: true })).resolves.toBeUndefined();
});

test('prepare takes the options of each query as they are, and no others', async () => {
  using tester = await createTester({ backend: 'cpu' });
  using warmStart = tester.createWarmStart(10);
  const { signal } = new AbortController();
  const common = { bodies: true, parts: 'all', target: {}, signal } as const;
  const accepted: PrepareOptions[] = [
    { query: 'intersects', ...common, warmStart },
    { query: 'contacts', ...common, bounds: true, fields: ['distance', 'partA'] },
    { query: 'manifolds', ...common, algorithm: 'sat' },
    { query: 'impacts', ...common, duration: 2, turning: true },
    { query: 'rayCasts', algorithm: 'velocity-epa', fields: ['time'], signal },
    { query: 'findPairs', margin: 1, duration: 2, signal },
    { query: 'trianglePairs', fields: ['triangleA'], signal },
  ];
  for (const options of accepted) await expect(tester.prepare(options), options.query).resolves.toBeUndefined();
  const wrong: [option: string, options: PrepareOptions][] = [
    ['duration', { query: 'contacts', duration: 1 }],
    ['turning', { query: 'contacts', turning: true }],
    ['bounds', { query: 'distances', bounds: true }],
    ['results', { query: 'rayCasts', results: 'hits' }],
    ['fields[0]', { query: 'impacts', duration: 1, fields: ['distance'] }],
    ['warmStart', { query: 'impacts', warmStart: true }],
    ['margin', { query: 'findPairs', margin: -1 }],
  ];
  for (const [option, options] of wrong)
    await expect(tester.prepare(options), option).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`options.${option}`),
    });
});
