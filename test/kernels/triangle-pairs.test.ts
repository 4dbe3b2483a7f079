/**
 * The kernels' intersection and distance of triangles beside the mirror, whose decisions are exact. They may differ
 * where triangles touch to the rounding of f32.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: scripts have no types
import { linkModules as linkUntyped } from '../../scripts/shaders/link.mjs';
import { createTriangleDistance, triangleDistance } from '../../src/cpu/triangle-distance.ts';
import { createTriangleIntersection, triangleIntersection } from '../../src/cpu/triangle-intersection.ts';
import { trianglePairFamilies, trianglePairs, type TrianglePair } from '../../verification/families/triangle-pairs.ts';
import { readBuffer, storageBuffer } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { distanceOf, extentOf, partingDistance } from '../helpers/triangles.ts';

const linkModules = linkUntyped as (folder: string, path: string) => Map<string, string>;

const SEED = 20_261_127;
const PAIRS = 500;
/** Numbers of the kernel's results per pair. */
const NUMBERS = 15;
/** A share of the greatest distance of two corners: eight ulps of f32. */
const ROUNDING = 8 * 2 ** -23;

let device: GPUDevice;
let pipeline: GPUComputePipeline;
beforeAll(async () => {
  device = await openDefaultDevice('triangle-pairs.device');
  const modules = linkModules(join(import.meta.dirname, '../../shaders'), '../test/kernels/triangle-pairs');
  const module = device.createShaderModule({
    label: 'test.triangle-pairs',
    code: [...modules.values()].join('\n'),
  });
  pipeline = await withoutErrors(device, () =>
    device.createComputePipelineAsync({ label: 'test.triangle-pairs', layout: 'auto', compute: { module } }),
  );
});
afterAll(() => device?.destroy());

interface Answer {
  isHit: boolean;
  isCoplanar: boolean;
  ends: number[][];
  distance: number;
  points: number[][];
}

async function answersOf(pairs: readonly TrianglePair[]): Promise<Answer[]> {
  const results = await withoutErrors(device, async () => {
    const corners = storageBuffer(device, 'test.corners', Float32Array.from(pairs.flat(2)));
    const output = storageBuffer(device, 'test.results', new Float32Array(NUMBERS * pairs.length));
    const bindGroup = device.createBindGroup({
      label: 'test.triangle-pairs',
      layout: pipeline.getBindGroupLayout(0),
      entries: [corners, output].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(pairs.length / 64));
    pass.end();
    device.queue.submit([encoder.finish()]);
    return new Float32Array(await readBuffer(device, output));
  });
  return pairs.map((_, i) => {
    const numbers = Array.from(results.subarray(NUMBERS * i, NUMBERS * (i + 1)));
    const point = (at: number): number[] => numbers.slice(at, at + 3);
    return {
      isHit: numbers[0] === 1,
      isCoplanar: numbers[1] === 1,
      ends: [point(2), point(5)],
      distance: numbers[8],
      points: [point(9), point(12)],
    };
  });
}

const intersection = createTriangleIntersection();
const nearest = createTriangleDistance();

/** How far a point is from a triangle. */
function offFrom(point: number[], t: readonly number[]): number {
  return triangleDistance([...point, ...point, ...point], t, createTriangleDistance());
}

/** The rounding of points: of the extent, and of coordinates. */
function roundingOf(pair: TrianglePair, share: number): number {
  return share * extentOf(pair) + 2 ** -23 * Math.max(...pair.flat().map(Math.abs));
}

function faultsOf(pair: TrianglePair, answer: Answer): string[] {
  const [a, b] = pair;
  const faults: string[] = [];
  const rounding = ROUNDING * extentOf(pair);
  const isHit = triangleIntersection(a, b, intersection);
  const gap = triangleDistance(a, b, nearest);
  if (answer.isHit && gap > rounding) faults.push(`a hit at a distance of ${gap}`);
  if (!answer.isHit && isHit && partingDistance(pair) > rounding)
    faults.push(`no hit at a depth of ${partingDistance(pair)}`);
  if (!(Math.abs(answer.distance - gap) <= 1e-6 * extentOf(pair)))
    faults.push(`the distance is ${answer.distance}, not ${gap}`);
  const apart = distanceOf(answer.points[0], answer.points[1]);
  if (!(Math.abs(apart - answer.distance) <= roundingOf(pair, ROUNDING))) faults.push(`the points are ${apart} apart`);
  for (const [k, t] of pair.entries()) {
    const off = offFrom(answer.points[k], t);
    if (!(off <= roundingOf(pair, 1e-6))) faults.push(`a nearest point is ${off} off its triangle`);
    for (const end of answer.isHit ? answer.ends : []) {
      const offEnd = offFrom(end, t);
      if (!(offEnd <= roundingOf(pair, 2e-6))) faults.push(`an end is ${offEnd} off a triangle`);
    }
  }
  if (!answer.isHit && answer.ends.flat().some((x) => x !== 0)) faults.push('a segment without a hit');
  return faults;
}

describe.each(trianglePairFamilies)('%s', (family) => {
  const pairs = trianglePairs(family, PAIRS, SEED, 'single');

  test('intersection and distance are those of the mirror to rounding', async () => {
    const answers = await answersOf(pairs);
    pairs.forEach((pair, i) => {
      const place = `pair ${i} of ${family}, seed ${SEED}: ${JSON.stringify(pair)}`;
      expect(faultsOf(pair, answers[i]), place).toEqual([]);
    });
  });
});

test('few touching triangles are missed, and exactly coplanar ones are known', async () => {
  let hits = 0;
  let missed = 0;
  let coplanarHits = 0;
  let unknown = 0;
  for (const family of trianglePairFamilies) {
    const pairs = trianglePairs(family, PAIRS, SEED, 'single');
    const answers = await answersOf(pairs);
    pairs.forEach(([a, b], i) => {
      if (!triangleIntersection(a, b, intersection)) return;
      hits++;
      if (!answers[i].isHit) missed++;
      if (!intersection.isCoplanar || !answers[i].isHit) return;
      coplanarHits++;
      if (!answers[i].isCoplanar) unknown++;
    });
  }
  expect(hits).toBeGreaterThan(9000);
  expect(missed, `of ${hits}`).toBeLessThan(0.002 * hits);
  expect(coplanarHits).toBeGreaterThan(3000);
  expect(unknown, `of ${coplanarHits}`).toBeLessThan(0.002 * coplanarHits);
});

test.each(['random', 'whole numbers', 'coplanar, nested', 'identical', 'sharing an edge'])(
  '%s: segments are as long as those of the mirror, but for a few at shallow angles',
  async (family) => {
    const pairs = trianglePairs(family, PAIRS, SEED + 1, 'single');
    const answers = await answersOf(pairs);
    let compared = 0;
    const other = pairs.filter((pair, i) => {
      if (!triangleIntersection(pair[0], pair[1], intersection)) return false;
      compared++;
      const { segment } = intersection;
      const length = distanceOf(segment.subarray(0, 3), segment.subarray(3));
      const found = distanceOf(answers[i].ends[0], answers[i].ends[1]);
      return !(Math.abs(found - length) <= 1e-5 * extentOf(pair));
    });
    expect(compared).toBeGreaterThan(100);
    expect(other.length, `seed ${SEED + 1}: ${JSON.stringify(other)}`).toBeLessThanOrEqual(0.01 * compared);
  },
);
