/**
 * The functions that `narrowphase/wgsl` has for callers' shaders, against what `batch.read` makes of the same
 * records.
 */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { planarRecords, spaceRecords, type Records } from '../../src/records/layout.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { Tester } from '../../src/api/types.ts';
import { planarResultsWgsl, planarShapesWgsl, resultsWgsl, shapesWgsl } from '../../src/wgsl.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { readBuffer, submit } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const BODIES = 300;
const PAIRS = 600;
const random = createRandom(20_261_126);
const coordinates = Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -3, 3));
const velocities = Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -1, 1));
const quaternions = new Float32Array(4 * BODIES);
for (let body = 0; body < BODIES; body++) quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * body);
// One pair is invalid, which the batch's own kernels find: a body that nobody wrote.
const pairs = Uint32Array.from({ length: 2 * PAIRS }, () => Math.floor(uniform(random, 0, BODIES)));
pairs.set([0, BODIES], 0);

/**
 * What functions give for the record `r`, as words, and where a result has it: the array, its numbers per slot, and
 * which of them.
 */
type Check = readonly [wgsl: string, array: string, width?: number, which?: number];

const HAS_POINTS = (name: string): Check => [`u32(${name}HasPoints(r))`, 'hasPoints'];
const common = (name: string): Check[] => [
  [`${name}Status(r)`, 'status'],
  [`u32(${name}IsHit(r))`, 'isHit'],
];

/** A query's checks, its functions being named `distanceStatus` or `planarDistanceStatus`. */
function checksOf(query: QueryName, isPlanar: boolean): readonly Check[] {
  const named = (name: string): string => (isPlanar ? `planar${name[0].toUpperCase()}${name.slice(1)}` : name);
  switch (query) {
    case 'intersects':
      return common('intersection');
    case 'distances':
      return [...common(named('distance')), HAS_POINTS(named('distance')), ['bitcast<u32>(r.distance)', 'distance']];
    case 'contacts':
      return [
        ...common(named('contact')),
        HAS_POINTS(named('contact')),
        [`${named('contact')}Iterations(r)`, 'iterations'],
        ['bitcast<u32>(r.distance)', 'distance'],
        ['featureKind(r.featureA)', 'kindA'],
        ['featureIndex(r.featureB)', 'indexB'],
      ];
    case 'manifolds': {
      const manifold = named('manifold');
      const points = isPlanar ? [0, 1] : [0, 1, 2, 3];
      return [
        ...common(manifold),
        [`${manifold}PointCount(r)`, 'pointCount'],
        ...points.flatMap((i): Check[] => [
          [`bitcast<u32>(${manifold}Distance(r, ${i}u))`, 'distance', 4, i],
          [`${manifold}Feature(r, ${i}u)`, 'feature', 4, i],
          [`bitcast<u32>(${manifold}Position(r, ${i}u).y)`, 'relativeY', 4, i],
        ]),
      ];
    }
    case 'impacts': {
      const impact = named('impact');
      return [
        ...common(impact),
        [`${impact}Iterations(r)`, 'iterations'],
        [`u32(${impact}HasPoint(r))`, 'hasPoints'],
        [`select(0u, bitcast<u32>(${impact}Time(r)), ${impact}IsHit(r))`, 'hitTime'],
      ];
    }
  }
}

const RECORDS = {
  intersects: 'u32',
  distances: 'Distance',
  contacts: 'Contact',
  manifolds: 'Manifold',
  impacts: 'Impact',
};

const TEXTS = { resultsWgsl, shapesWgsl, planarResultsWgsl, planarShapesWgsl };

test.each(Object.entries(TEXTS))('%s compiles alone', async (_, code) => {
  const device = await openDefaultDevice('wgsl-records.alone');
  await withoutErrors(device, async () => {
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    expect(messages.map(({ message }) => message)).toEqual([]);
  });
  device.destroy();
});

const bitsOf = (values: ArrayLike<number>): Uint32Array => new Uint32Array(Float32Array.from(values).buffer);

describe.each([3, 2] as const)('dimension %d', (dimension) => {
  const isPlanar = dimension === 2;
  let device: GPUDevice;
  let tester: Tester;

  beforeAll(async () => {
    device = await openDefaultDevice('wgsl-records.device');
    // The types of both are alike where batches are concerned.
    tester = (await createTester({ device, dimension: dimension as 3 })) as Tester;
    const shapes = isPlanar
      ? [
          { type: 'circle', radius: 0.5 },
          { type: 'polygon', points: [-0.5, -0.75, 0.5, -0.75, 0.5, 0.75, -0.5, 0.75] },
        ]
      : [
          { type: 'sphere', radius: 0.5 },
          { type: 'box', halfExtents: [0.5, 0.75, 0.625] },
        ];
    for (const shape of shapes) tester.addShape(shape as never);
  });
  afterAll(() => {
    tester?.dispose();
    device?.destroy();
  });

  test.each(['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const)('%s', async (query) => {
    const checks = checksOf(query, isPlanar);
    const name = RECORDS[query];
    const record = isPlanar && query !== 'intersects' ? `Planar${name}` : name;
    const code = `
      ${resultsWgsl} ${planarResultsWgsl} ${shapesWgsl} ${planarShapesWgsl}
      @group(0) @binding(0) var<storage, read> records: array<${record}>;
      @group(0) @binding(1) var<storage, read_write> words: array<u32>;
      @compute @workgroup_size(64)
      fn main(@builtin(global_invocation_id) id: vec3u) {
        if (id.x >= ${PAIRS}u) {
          return;
        }
        let r = records[id.x];
        ${checks.map(([wgsl], i) => `words[${checks.length}u * id.x + ${i}u] = ${wgsl};`).join('\n')}
      }`;
    const module = device.createShaderModule({ code });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const words = device.createBuffer({ label: 'test.words', size: 4 * checks.length * PAIRS, usage: 128 | 4 });
    const isMotion = query === 'impacts';
    const options = {
      query,
      maxBodies: BODIES,
      maxPairs: PAIRS,
      ...(isMotion ? { duration: 2 } : { margin: 0.125 }),
    } as BatchOptions;
    const batch = await tester.createBatch(options);
    const turned = isPlanar ? { angles: quaternions.slice(0, BODIES) } : { quaternions };
    const linearVelocities = isMotion ? velocities.slice(0, dimension * BODIES) : undefined;
    const shapes = Uint32Array.from({ length: BODIES }, (_, i) => i % 2);
    const positions = coordinates.slice(0, dimension * BODIES);
    batch.write({ bodies: { shapes, positions, ...turned, linearVelocities } as never });
    device.queue.writeBuffer(batch.input.pairs, 0, pairs);
    device.queue.writeBuffer(batch.input.pairCount, 0, Uint32Array.of(PAIRS));
    await withoutErrors(device, async () => {
      submit(batch);
      const entries = [batch.output.records, words].map((buffer, binding) => ({ binding, resource: { buffer } }));
      const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroupsIndirect(batch.output.dispatch, 0);
      pass.end();
      device.queue.submit([encoder.finish()]);
    });
    const result = (await batch.read()) as unknown as Record<string, ArrayLike<number>> & { statusCounts: number[] };
    expect(result.statusCounts[0]).toBeGreaterThan(50);
    expect(result.statusCounts[1]).toBeGreaterThan(20);
    expect(result.statusCounts[3]).toBe(1);
    const found = new Uint32Array(await readBuffer(device, words));
    const raw = new Uint32Array(await readBuffer(device, batch.output.records));
    const valueOf = hostValues(result, raw, query, isPlanar ? planarRecords : spaceRecords);
    checks.forEach(([wgsl, array, width = 1, which = 0], i) => {
      const gpu = Array.from({ length: PAIRS }, (_, pair) => found[checks.length * pair + i]);
      expect(gpu, wgsl).toEqual(Array.from({ length: PAIRS }, (_, pair) => valueOf(array, width * pair + which)));
    });
    batch.dispose();
  });
});

/** What the host says: numbers of a result's array or made from them, or words of the records, by their layout. */
function hostValues(
  result: Record<string, ArrayLike<number>>,
  raw: Uint32Array,
  query: QueryName,
  { axes, manifold, sizes }: Records,
): (array: string, at: number) => number {
  const { distance, time, status, pointA, point, normal, featureA, featureB, pointCount } = result;
  const distanceBits = distance && bitsOf(distance);
  const timeBits = time && bitsOf(time);
  const isZero = (array: ArrayLike<number>, slot: number): boolean => {
    return Array.from({ length: axes }, (_, k) => array[axes * slot + k]).every((x) => x === 0);
  };
  return (array, at) => {
    switch (array) {
      case 'isHit':
        if (query === 'intersects') return result.hit[at];
        if (query === 'manifolds') return pointCount[at] > 0 ? 1 : 0;
        if (query === 'impacts') return status[at] === 1 ? 1 : 0;
        return status[at] !== 3 && distance[at] <= 0.125 && !isZero(normal, at) ? 1 : status[at] === 1 ? 1 : 0;
      case 'hasPoints':
        return isZero(pointA ?? point, at) ? 0 : 1;
      case 'distance':
        return distanceBits[at];
      case 'kindA':
        return featureA[at] >>> 30;
      case 'indexB':
        return featureB[at] & (2 ** 30 - 1);
      case 'relativeY':
        return raw[sizes.manifolds.words * (at >> 2) + manifold.positions[at & 3] + 1];
      case 'hitTime':
        return status[at] === 1 ? timeBits[at] : 0;
      default:
        return result[array][at];
    }
  };
}
