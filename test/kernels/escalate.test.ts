/** Pairs that f32 can't finish get the double-precision reference's answer where the caller asks for it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escalate } from '../../src/tester/escalate.ts';
import { INFO_HIT, INFO_STATUS_MASK, STATUS_NOT_CONVERGED } from '../../src/generated/constants.ts';
import { createTester } from '../../src/node.ts';
import type { AskedQuery, Backend } from '../../src/request/backend.ts';
import { answerPair } from '../../src/cpu/answer-pair.ts';
import { createCpuBackend } from '../../src/cpu/backend.ts';
import { spaceRecords } from '../../src/records/layout.ts';
import { pairOf } from '../../src/records/chunk.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { makeTester } from '../../src/tester/tester.ts';
import { noOtherCpu } from '../helpers/no-other-cpu.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';

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
const pairs = Uint32Array.from(
  Array.from({ length: BODIES }, (_, a) => Array.from({ length: a }, (_unused, b) => [a, b])).flat(2),
);

const isOpen = (pair: number): boolean => pair % 3 === 0;

/** A backend whose kernels leave every third pair open, with half of what it has found as the lower bound. */
function leavingOpen(backend: Backend): Backend {
  return {
    ...backend,
    async run(request, sink) {
      const { words, info } = request.over.dimension.records.sizes[request.what.query];
      let opened = 0;
      await backend.run(request, {
        loadDecoding: () => sink.loadDecoding(),
        write(chunk) {
          const integers = new Uint32Array(chunk.records);
          for (let slot = 0; slot < chunk.recordCount; slot++) {
            if (!isOpen(pairOf(chunk, slot))) continue;
            integers[slot * words + info] = (integers[slot * words + info] & ~INFO_STATUS_MASK) | STATUS_NOT_CONVERGED;
            new Float32Array(chunk.records)[slot * words + spaceRecords.fields.distance] *= 0.5;
            opened++;
          }
          sink.write(chunk);
        },
        count: (statusCounts, hits) => sink.count(statusCounts, hits),
      });
      sink.count([0, -opened, opened, 0, 0], 0);
    },
  };
}

describe('pairs that the kernels leave open', () => {
  let open: Tester;
  let cpu: Tester;
  beforeAll(async () => {
    open = makeTester(leavingOpen(createCpuBackend(answerPair, 1)), dimension3, async () => answerPair, noOtherCpu);
    cpu = await createTester({ backend: 'cpu' });
    for (const tester of [open, cpu]) tester.addShape({ type: 'hull', points: fibonacciSphere(100) });
  });
  afterAll(() => {
    open?.dispose();
    cpu?.dispose();
  });

  test.each(['all', 'hits'] as const)("with results: '%s' get the reference's answers", async (results) => {
    const before = await open.contacts(bodies, pairs, { results });
    const after = await open.contacts(bodies, pairs, { results, escalate: true, bounds: true });
    const reference = await cpu.contacts(bodies, pairs, { results, bounds: true });
    expect(before.statusCounts[Status.NotConverged]).toBe(pairs.length / 6);
    expect(after.count).toBe(pairs.length / 2);
    expect(after.statusCounts).toEqual(reference.statusCounts);
    for (let slot = 0; slot < after.count; slot++) {
      expect(before.status[slot]).toBe(slot % 3 === 0 ? Status.NotConverged : Status.Overlapping);
      expect(after.status[slot]).toBe(reference.status[slot]);
      expect(after.distance[slot]).toBe(reference.distance[slot]);
      expect(before.distance[slot]).toBe(
        slot % 3 === 0 ? Math.fround(0.5 * reference.distance[slot]) : reference.distance[slot],
      );
      expect([after.lower![slot], after.upper![slot]]).toEqual([reference.lower![slot], reference.upper![slot]]);
    }
    expect(after.normal).toEqual(reference.normal);
    const some = await open.contacts(bodies, pairs, { results, escalate: true, fields: ['distance', 'upper'] });
    expect(some.statusCounts).toEqual(reference.statusCounts);
    expect(some.distance).toEqual(reference.distance);
    expect(some.upper).toEqual(reference.upper);
  });
});

test('nearly concentric spheres of 3000 points need no escalation', async () => {
  const gpu = await createTester({ backend: 'webgpu' });
  gpu.addShape({ type: 'hull', points: fibonacciSphere(3000) });
  const { statusCounts } = await gpu.contacts(bodies, pairs);
  expect(statusCounts).toEqual([0, pairs.length / 2, 0, 0, 0]);
  gpu.dispose();
});

test('a listed pair that turns out to be no hit is taken out of the list', () => {
  const shapes = createShapeTable();
  addShape(shapes, { type: 'sphere', radius: 1 }, dimension3);
  const spheres = {
    shapes: new Uint32Array(3),
    positions: Float32Array.of(0, 0, 0, 1.5, 0, 0, 5, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  const asked: AskedQuery = {
    what: { query: 'contacts', leadStage: 'none', margin: 0 },
    over: { dimension: dimension3, shapes, bodies: spheres, pairs: Uint32Array.of(0, 1, 0, 2, 1, 0) },
  };
  const { words, info } = spaceRecords.sizes.contacts;
  const records = new Uint32Array(3 * words);
  for (let slot = 0; slot < 3; slot++)
    records[slot * words + info] = INFO_HIT | (slot < 2 ? STATUS_NOT_CONVERGED : Status.Overlapping);
  const totals = { statusCounts: [0, 1, 2, 0, 0], hits: 3 };
  const chunk = escalate(
    answerPair,
    asked,
    { firstPair: 0, recordCount: 3, records: records.buffer, listed: Uint32Array.of(0, 1, 2) },
    totals,
  );
  expect(Array.from(chunk.listed!)).toEqual([0, 2]);
  expect(chunk.recordCount).toBe(2);
  expect(new Float32Array(chunk.records)[3]).toBeCloseTo(-0.5, 6);
  // What was no question stays as it was.
  expect(Array.from(new Uint32Array(chunk.records, 4 * words))).toEqual(Array.from(records.subarray(2 * words)));
  expect(totals).toEqual({ statusCounts: [1, 2, 0, 0, 0], hits: 2 });
});

test('anything but a boolean is refused', async () => {
  const tester = await createTester({ backend: 'cpu' });
  tester.addShape({ type: 'sphere', radius: 1 });
  await expect(tester.contacts(bodies, pairs, { escalate: 1 as never })).rejects.toThrow(
    /options\.escalate is 1, expected a boolean/,
  );
});
