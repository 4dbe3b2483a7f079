/** Pairs that f32 can't finish get the double-precision reference's answer where the caller asks for it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escalate } from '../../src/escalate.ts';
import { INFO_HIT, STATUS_NOT_CONVERGED } from '../../src/generated/constants.ts';
import { createTester } from '../../src/node.ts';
import type { QueryRequest } from '../../src/backend.ts';
import { spaceRecords } from '../../src/pack/records.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { Status, type Tester } from '../../src/types.ts';
import { spatial } from '../../src/space/spatial.ts';

/** Points on a sphere, as even as Fibonacci makes them: concentric copies have no direction that EPA finds quickly. */
function fibonacciSphere(count: number): number[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: count }, (_, i) => {
    const y = 1 - (2 * i + 1) / count;
    const r = Math.sqrt(1 - y * y);
    return [r * Math.cos(golden * i), y, r * Math.sin(golden * i)];
  }).flat();
}

const BODIES = 12;

/** Turned spheres a thousandth of their size apart. */
const bodies = {
  shapes: new Uint32Array(BODIES),
  positions: Float32Array.from({ length: 3 * BODIES }, (_, i) => 1e-3 * Math.sin(i)),
  quaternions: Float32Array.from({ length: 4 * BODIES }, (_, i) => Math.sin(1 + i * i)),
};
const pairs = Uint32Array.from(Array.from({ length: BODIES }, (_, a) => Array.from({ length: a }, (_unused, b) => [a, b])).flat(2));

describe('nearly concentric spheres of 3000 points', () => {
  let gpu: Tester;
  let cpu: Tester;
  beforeAll(async () => {
    gpu = await createTester({ backend: 'webgpu' });
    cpu = await createTester({ backend: 'cpu' });
    for (const tester of [gpu, cpu]) tester.addShape({ type: 'hull', points: fibonacciSphere(3000) });
  });
  afterAll(() => {
    gpu?.dispose();
    cpu?.dispose();
  });

  test('are beyond what the kernels hold', async () => {
    const { statusCounts } = await gpu.contacts(bodies, pairs);
    expect(statusCounts[Status.NotConverged]).toBeGreaterThan(0);
  });

  test.each(['all', 'hits'] as const)("with results: '%s' they get the reference's answers", async (results) => {
    const before = await gpu.contacts(bodies, pairs, { results });
    const after = await gpu.contacts(bodies, pairs, { results, escalate: true, bounds: true });
    const reference = await cpu.contacts(bodies, pairs, { results, bounds: true });
    expect(after.count).toBe(pairs.length / 2);
    expect(after.statusCounts).toEqual(reference.statusCounts);
    let escalated = 0;
    for (let slot = 0; slot < after.count; slot++) {
      if (before.status[slot] !== Status.NotConverged) continue;
      escalated++;
      expect(after.status[slot]).toBe(reference.status[slot]);
      expect(after.distance[slot]).toBe(reference.distance[slot]);
      expect(Array.from(after.normal.subarray(3 * slot, 3 * slot + 3))).toEqual(Array.from(reference.normal.subarray(3 * slot, 3 * slot + 3)));
      expect([after.lower![slot], after.upper![slot]]).toEqual([reference.lower![slot], reference.upper![slot]]);
    }
    expect(escalated).toBe(before.statusCounts[Status.NotConverged]);
  });
});

test('a listed pair that turns out to be no hit is taken out of the list', () => {
  const shapes = createShapeTable();
  addShape(shapes, { type: 'sphere', radius: 1 }, spatial);
  const request: QueryRequest = {
    query: 'contacts',
    space: spatial,
    bodies: { shapes: new Uint32Array(3), positions: Float32Array.of(0, 0, 0, 1.5, 0, 0, 5, 0, 0), quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) },
    pairs: Uint32Array.of(0, 1, 0, 2, 1, 0),
    shapes,
    first: 'none',
    margin: 0,
    hitsOnly: true,
  };
  const { words, info } = spaceRecords.sizes.contacts;
  const records = new Uint32Array(3 * words);
  for (let slot = 0; slot < 3; slot++) records[slot * words + info] = INFO_HIT | (slot < 2 ? STATUS_NOT_CONVERGED : Status.Overlapping);
  const changes: number[][] = [];
  const chunk = escalate(request, { firstPair: 0, recordCount: 3, records: records.buffer, listed: Uint32Array.of(0, 1, 2) }, (...change) => changes.push(change));
  expect(Array.from(chunk.listed!)).toEqual([0, 2]);
  expect(chunk.recordCount).toBe(2);
  expect(new Float32Array(chunk.records)[3]).toBeCloseTo(-0.5, 6);
  // What was no question stays as it was.
  expect(Array.from(new Uint32Array(chunk.records, 4 * words))).toEqual(Array.from(records.subarray(2 * words)));
  expect(changes).toEqual([[STATUS_NOT_CONVERGED, Status.Overlapping], [STATUS_NOT_CONVERGED, Status.Separated]]);
});

test('anything but a boolean is refused', async () => {
  const tester = await createTester({ backend: 'cpu' });
  tester.addShape({ type: 'sphere', radius: 1 });
  await expect(tester.contacts(bodies, pairs, { escalate: 1 as never })).rejects.toThrow(/options\.escalate is 1, expected a boolean/);
});
