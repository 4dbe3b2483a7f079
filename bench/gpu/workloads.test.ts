/** Workloads on the host and on the device, and the work of their pairs. */

import { describe, expect, it } from 'vitest';
import type { BoxDescription } from '../../src/api/shapes.ts';
import type { PosedBodies } from '../../src/api/types.ts';
import { compareRecords, knownPairs } from '../../verification/gpu-cases/answers.ts';
import { CASES } from '../../verification/gpu-cases/cases.ts';
import { repeatedCounts } from '../../verification/gpu-cases/records.ts';
import { turnsFor } from '../../verification/gpu-cases/runner.ts';
import { hostScene, MOTION } from '../../verification/gpu-cases/scene.ts';
import { leastBytes, workOf } from './work.ts';

const BOXES = { workload: 'boxes', motion: null } as const;

/** Of the case of this name. */
function bytesOf(name: string, measured: Partial<Parameters<typeof leastBytes>[2]> = {}): number {
  const gpuCase = CASES.find((each) => each.name === name)!;
  const host = hostScene(gpuCase, 64, 0.5, 3);
  return leastBytes(gpuCase, host, { pairs: 256, bodies: 'own', isWarm: false, ...measured });
}

describe('bytes per pair', () => {
  it('are its indices, two bodies and its record at the least', () => {
    expect(bytesOf('boxes/intersects/sat')).toBe(8 + 72 + 4);
    expect(bytesOf('boxes/distances/gjk')).toBe(8 + 72 + 48);
    expect(bytesOf('boxes/contacts/gjk', { isWarm: true })).toBe(8 + 72 + 64 + 32);
    expect(bytesOf('boxes/manifolds/sat')).toBe(8 + 72 + 112);
    expect(bytesOf('boxes/impacts/turning')).toBe(8 + 72 + 64 + 32);
    expect(bytesOf('rectangles/impacts/straight')).toBe(8 + 40 + 32 + 32);
  });

  it('shrink where bodies are shared', () => {
    expect(bytesOf('boxes/contacts/gjk', { bodies: 'shared' })).toBe(8 + 18 + 64);
  });
});

describe('the work of a pair', () => {
  it('has the iterations of all searches and the instructions of all stages', () => {
    const gpuCase = CASES.find(({ name }) => name === 'mixed/contacts')!;
    const host = hostScene(gpuCase, 256, 0.5, 3);
    const iterations = Uint16Array.from({ length: 256 }, (_, i) => 3 + (i % 7));
    const stage = { alone: 100, lockstep: 150, bytes: 64 };
    const work = workOf(gpuCase, host, iterations, [stage, stage], { pairs: 256, bodies: 'own', isWarm: false });
    expect(work.iterations!.mean).toBeCloseTo(6, 1);
    expect(work.iterations!.lockstep).toBeGreaterThan(work.iterations!.mean);
    expect(work).toMatchObject({ counted: { alone: 200, lockstep: 300, bytes: 128 }, leastBytes: 8 + 72 + 64 });
    const still = workOf(gpuCase, host, iterations.fill(0), null, { pairs: 256, bodies: 'own', isWarm: false });
    expect(still).toMatchObject({ iterations: null, counted: null });
  });
});

describe('workloads', () => {
  it('move bodies by a share of their size from frame to frame', () => {
    const { workload, moved: later } = hostScene(BOXES, 64, 0.5, 3);
    const [before, moved] = [workload.bodies, later] as PosedBodies[];
    for (let body = 0; body < 128; body++) {
      const half = workload.shapes[workload.bodies.shapes[body]] as BoxDescription;
      const step = Math.hypot(...[0, 1, 2].map((k) => moved.positions[3 * body + k] - before.positions[3 * body + k]));
      expect(step / Math.hypot(...Array.from(half.halfExtents))).toBeCloseTo(MOTION, 3);
      const dot = [0, 1, 2, 3].reduce(
        (sum, k) => sum + moved.quaternions[4 * body + k] * before.quaternions[4 * body + k],
        0,
      );
      expect(dot / Math.hypot(...moved.quaternions.subarray(4 * body, 4 * body + 4))).toBeCloseTo(
        Math.cos(MOTION / 2),
        6,
      );
    }
  });

  it.each([
    'hull32/impacts/straight',
    'boxes/impacts/turning',
    'hull32/rays',
    'polygon8/impacts/turning',
    'rectangles/rays',
  ])('of %s meet in about half of the pairs, at times that the comparison takes', (name) => {
    const gpuCase = CASES.find((each) => each.name === name)!;
    const { workload } = hostScene(gpuCase, 512, 0.5, 3);
    const known = knownPairs(workload, workload.bodies, 512);
    const time = Float64Array.from({ length: 512 }, (_, pair) => known.judge.timeOf(pair, 0));
    const hits = time.filter((seconds) => seconds < Infinity).length;
    expect(hits / time.length).toBeGreaterThan(0.3);
    expect(hits / time.length).toBeLessThan(0.7);
    const records = { status: new Uint8Array(512), hit: new Uint8Array(512), iterations: new Uint16Array(512) };
    const compare = (times: Float64Array) =>
      compareRecords('impacts', { ...records, distance: null, time: times }, known);
    expect(compare(time)).toMatchObject({ wrongFlags: 0, wrongDistances: 0 });
    const late = compare(time.map((seconds) => (seconds === 0 ? 0 : 1.05 * seconds + 0.02)));
    expect(late.wrongDistances).toBeGreaterThan((0.8 * (late.compared * hits)) / 512 - 60);
    const early = compare(time.map((seconds) => 0.9 * seconds));
    expect(early.wrongDistances).toBeGreaterThan(0);
    expect(compare(time.fill(Infinity)).wrongFlags).toBeGreaterThan(0.2 * late.compared);
  });

  it('run in turns where a buffer is too small, unless every pair needs memory of its own', () => {
    const host = hostScene(BOXES, 64, 0.5, 3);
    const opened = {
      facts: { limits: { maxBufferSize: 2 ** 32, maxStorageBufferBindingSize: 2 ** 27 } },
    } as Parameters<typeof turnsFor>[0];
    const layout = { bodies: 'shared', isMoving: false, pairCount: 2 ** 24 } as const;
    expect(turnsFor(opened, { ...BOXES, query: 'intersects' }, host, layout)).toBe(1);
    expect(turnsFor(opened, { ...BOXES, query: 'contacts' }, host, layout)).toBe(8);
    expect(turnsFor(opened, { ...BOXES, query: 'contacts' }, host, { ...layout, bodies: 'own' })).toBeNull();
    expect(
      turnsFor(opened, { ...BOXES, query: 'intersects' }, host, { ...layout, bodies: 'own', pairCount: 2 ** 21 }),
    ).toBe(1);
    expect(turnsFor(opened, { ...BOXES, query: 'intersects' }, host, { ...layout, isMoving: true })).toBeNull();
  });

  it('have known counts when they are repeated', () => {
    expect(repeatedCounts(Uint8Array.of(0, 1, 1), 7)).toEqual({ pairs: 7, statuses: [3, 4, 0, 0, 0] });
  });
});
