/**
 * The differential tests of impacts find what they are to find: wrong times planted in either side, and which side it
 * was.
 */

import { describe, expect, test } from 'vitest';
import { makeMovingDifferentialFamily } from './families.ts';
import { compareTimes, type ImpactComparison, type OurImpacts } from './impacts.ts';
import { exampleOf, impactsReport, wrongImpacts } from './impacts-report.ts';
import type { MovingPeer } from './moving-peer.ts';
import type { Scope } from './peer.ts';
import { Status } from '../../../src/api/types.ts';
import { gapAt, type SaidImpact } from '../../../verification/oracle/motion.ts';
import { askReference, movingPairsOf } from '../../../verification/judges/moving-pairs.ts';

const SCOPE: Scope = { types: ['box', 'capsule'], rounded: ['box'], without: [], hasOffset: true };
const PAIRS = 120;
const family = makeMovingDifferentialFamily(SCOPE, 'box/capsule', PAIRS, 5);
const { duration } = family;
const pairs = movingPairsOf(family);
const right = pairs.map((pair) => {
  const { status, time, unclampedTime, normal, point } = askReference(pair, { duration });
  return { status, time, unclampedTime, normal, point };
});

const speedOf = (pair: number): number => Math.hypot(...pairs[pair].velocity);
/** The first pair that does so, clearly. */
const meets = right.findIndex(
  ({ time }, i) => time > 0.1 * duration && time < 0.9 * duration && family.courses[i] === 'through',
);
const overlaps = pairs.findIndex((pair, i) => speedOf(i) > 0 && gapAt(pair, 0).distance < -0.05 * pair.size);
const stands = right.findIndex(({ unclampedTime }) => unclampedTime === -Infinity);
const passes = right.findIndex(({ time }, i) => time === Infinity && family.courses[i] === 'past');

function ours(change: Record<number, Partial<SaidImpact>> = {}): OurImpacts {
  return { at: (pair) => ({ ...right[pair], ...change[pair] }), milliseconds: 1 };
}

function peer(change: Record<number, number> = {}): MovingPeer {
  return {
    name: 'rapier',
    title: 'Peer',
    version: 'peer 1',
    scope: SCOPE,
    notes: ['A note.'],
    slack: { absolute: 1e-6, relative: 1e-6, ofDistance: 0 },
    answer: () => ({ time: Float64Array.from(right, ({ time }, pair) => change[pair] ?? time), milliseconds: 1 }),
  };
}

function at(time: number): Partial<SaidImpact> {
  return { time, unclampedTime: time };
}

function report(found: ImpactComparison, examples: string[] = []): string {
  const context = {
    command: 'npm run differential',
    date: '2026-01-01',
    machine: 'a machine',
    adapter: 'an adapter',
    seconds: 1,
  };
  return impactsReport(context, { peer: peer(), comparisons: [found], examples });
}

test('the pairs that answers are planted in are there', () => {
  expect(Math.min(meets, overlaps, stands, passes)).toBeGreaterThanOrEqual(0);
});

describe('a comparison of impacts', () => {
  test('finds nothing where all say the same', () => {
    const found = compareTimes(ours(), peer(), family);
    expect(found).toMatchObject({ pairs: PAIRS, agreeing: PAIRS, inBand: 0, notConverged: 0, disagreements: [] });
    expect(found.met + found.overlapping).toBe(found.differences.length);
    expect(Math.min(found.met, found.overlapping)).toBeGreaterThan(0.2 * PAIRS);
  });

  test.each([
    ['still', stands, Infinity],
    ['start', overlaps, Infinity],
    ['start', overlaps, 0.5 * duration],
    ['missed', meets, Infinity],
    ['missed', meets, NaN],
    ['late', meets, right[meets].time + 1e-3 / speedOf(meets)],
    ['early', meets, 0.9 * right[meets].time],
    ['never', passes, 0.5 * duration],
  ] as const)('blames the other for %s, pair %d at %d', (fault, pair, time) => {
    const { disagreements, agreeing } = compareTimes(ours(), peer({ [pair]: time }), family);
    expect(disagreements).toMatchObject([{ pair, fault, there: time, faults: { kernels: [], reference: [] } }]);
    expect(agreeing).toBe(PAIRS - 1);
  });

  test('blames nobody within the slack', () => {
    const near = right[meets].time - (0.5e-6 * pairs[meets].size) / speedOf(meets);
    expect(compareTimes(ours(), peer({ [meets]: near }), family).disagreements).toEqual([]);
  });

  test('blames us for a time too early or too late, a miss, and a hit of what passes', () => {
    const missed = {
      status: Status.Separated,
      time: Infinity,
      unclampedTime: Infinity,
      normal: [0, 0, 0],
      point: [0, 0, 0],
    };
    const wrong = [
      [meets, at(0.9 * right[meets].time)],
      [meets, at(1.1 * right[meets].time)],
      [meets, missed],
      [passes, { ...right[meets], ...at(0.1) }],
    ] as const;
    for (const [pair, change] of wrong) {
      const found = compareTimes(ours({ [pair]: change }), peer(), family);
      expect(found.disagreements).toMatchObject([{ pair, fault: null, faults: { reference: [] } }]);
      expect(found.disagreements[0].faults.kernels.length).toBeGreaterThan(0);
      expect(wrongImpacts([found])).toBe(1);
    }
  });

  test('counts what the kernels leave open', () => {
    const open = { status: Status.NotConverged, time: 0.5 * right[meets].time, unclampedTime: 0.5 * right[meets].time };
    expect(compareTimes(ours({ [meets]: open }), peer(), family)).toMatchObject({
      notConverged: 1,
      agreeing: PAIRS - 1,
      inBand: 1,
      disagreements: [],
    });
  });
});

describe('the report', () => {
  test('has a row for each pair of types and each fault', () => {
    const text = report(compareTimes(ours(), peer({ [stands]: Infinity, [meets]: Infinity }), family));
    expect(text).toContain(`${PAIRS} pairs, 2 disagreements; narrowphase is wrong in 0 of them.`);
    expect(text).toMatch(
      new RegExp(
        `^\\| box/capsule \\| ${PAIRS} \\| \\d+ \\| \\d+ \\| ${PAIRS - 2} \\| 0 \\| 0 \\| 0 \\| 1, 0, 1, 0, 0, 0 \\|`,
        'm',
      ),
    );
    expect(text).toMatch(/^\| still \|.*\| 1 \|  \|  \|$/m);
    expect(text).not.toContain('json');
  });

  test('has all that it takes to ask again for what narrowphase has wrong', () => {
    const found = compareTimes(ours({ [meets]: at(0.01) }), peer(), family);
    const example = exampleOf(family, found.disagreements[0]);
    expect(report(found, [example])).toContain(example);
    const {
      a,
      b,
      duration: seconds,
      kernels,
    } = JSON.parse(example) as Record<
      string,
      { shape: { type: string }; position: number[]; linearVelocity: number[]; time: number }
    >;
    expect([a.shape.type, b.shape.type].sort()).toEqual(['box', 'capsule']);
    expect(a.position).toEqual(Array.from(family.bodies.positions.subarray(6 * meets, 6 * meets + 3)));
    expect(b.linearVelocity).toEqual(Array.from(family.bodies.linearVelocities.subarray(6 * meets + 3, 6 * meets + 6)));
    expect([seconds, kernels.time]).toEqual([duration, 0.01]);
  });
});
