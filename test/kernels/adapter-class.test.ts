/**
 * Hardware and software adapters run different kernels, with different numbers of invocations. The answers are the same.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type ContactOptions, type Tester } from '../../src/api/types.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { differences, frame } from '../helpers/batch.ts';
import { recordKernels } from '../helpers/compiled.ts';
import { HARDWARE } from '../helpers/gpu.ts';

const SEED = 20_261_124;

interface Opened {
  tester: Tester;
  compiled: Set<string>;
}

async function open(info?: Partial<GPUAdapterInfo>): Promise<Opened> {
  const { gpu, compiled } = recordKernels(info);
  return { tester: await createTester({ backend: 'webgpu', gpu }), compiled };
}

let software: Opened;
let hardware: Opened;
beforeAll(async () => {
  software = await open();
  hardware = await open(HARDWARE.info);
});
afterAll(() => {
  software?.tester.dispose();
  hardware?.tester.dispose();
});

// More hits than a strided kernel has invocations on a software adapter, so that each takes several pairs.
describe.each([
  ['box-box', 20_000],
  ['capsule-hull', 20_000],
] as const)('%s', (name, count) => {
  const family = makeFamily(name, count, SEED);
  const { bodies, pairs } = family;
  const apart = pairs.map((body, i) => (body + (i % 2) * 100) % bodies.shapes.length);
  beforeAll(() => {
    for (const { tester } of [software, hardware]) useShapes(tester, family.shapes);
  });

  test.each([
    ['contacts', {}],
    ['contacts', { algorithm: 'gjk' }],
    ['manifolds', {}],
    ['manifolds', { margin: 0.05 }],
    ['manifolds', { results: 'hits' }],
  ] as ['contacts' | 'manifolds', ContactOptions][])('%s %j', async (query, options) => {
    const [expected, found] = [
      await software.tester[query](bodies, pairs, options as object),
      await hardware.tester[query](bodies, pairs, options as object),
    ];
    expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(2 ** 12);
    expect(differences(found, expected)).toEqual([]);
  });

  test('batches, frame after frame', async () => {
    const results = [];
    for (const { tester } of [software, hardware]) {
      const batch = await tester.createBatch({ query: 'manifolds', maxBodies: bodies.shapes.length, maxPairs: count });
      for (const given of [pairs, apart, pairs.subarray(0, count)]) {
        results.push(await frame(batch, { bodies, pairs: given }));
      }
      batch.dispose();
    }
    const [first, second, third, ...others] = results;
    expect(second.statusCounts).not.toEqual(first.statusCounts);
    expect(third.count).toBe(count / 2);
    [first, second, third].forEach((expected, i) => expect(differences(others[i], expected)).toEqual([]));
  });
});

test('each class has a kernel of its own for manifolds of boxes', async () => {
  const { shapes, bodies, pairs } = makeFamily('box-box', 100, SEED);
  const kernels = [];
  for (const { tester, compiled } of [software, hardware]) {
    useShapes(tester, shapes);
    await tester.manifolds(bodies, pairs);
    kernels.push([tester.adapter.isSoftware, [...compiled].filter((name) => name.startsWith('manifolds-sat'))]);
  }
  expect(kernels).toEqual([
    [true, ['manifolds-sat']],
    [false, ['manifolds-sat-append']],
  ]);
});
