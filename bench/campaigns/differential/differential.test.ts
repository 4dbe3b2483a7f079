/** The differential tests find what they are to find: wrong answers planted in either side, and which side it was. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, type Comparison } from './compare.ts';
import { makeDifferentialFamily } from './families.ts';
import { keepFixtures, readFixtures, worstOfEachCause, type DifferentialFixture } from './fixtures.ts';
import { UsageError } from '../../options.ts';
import { parseOptions } from './options.ts';
import { pairNames, type Answers, type Peer, type Scope } from './peer.ts';
import { differentialReport, wrongHere } from './report.ts';
import { createTester } from '../../../src/node.ts';
import type { Contacts, Intersections, Tester } from '../../../src/api/types.ts';

const SCOPE: Scope = {
  types: ['sphere', 'box', 'halfspace'],
  rounded: ['box'],
  without: ['box/halfspace'],
  hasOffset: true,
};
const PAIRS = 300;
const family = makeDifferentialFamily(SCOPE, 'sphere/box', PAIRS, 5);
/** Clearly apart and clearly overlapping, by what the reference found. */
let apart: number;
let overlapping: number;
let right: { intersections: Intersections; contacts: Contacts };

beforeAll(async () => {
  const tester = await createTester({ backend: 'cpu' });
  for (const shape of family.shapes) tester.addShape(shape);
  right = {
    intersections: await tester.intersects(family.bodies, family.pairs),
    contacts: await tester.contacts(family.bodies, family.pairs, { margin: Infinity }),
  };
  tester.dispose();
  apart = right.contacts.distance.findIndex((distance) => distance > 0.5);
  overlapping = right.contacts.distance.findIndex((distance) => distance < -0.5);
});

/** A tester that gives these answers, after `change`. */
function told(change: (distance: Float32Array, hit: Uint8Array) => void = () => {}): Tester {
  const distance = right.contacts.distance.slice();
  const hit = right.intersections.hit.slice();
  change(distance, hit);
  return {
    addShape: (() => {
      let next = 0;
      return () => next++;
    })(),
    intersects: () => Promise.resolve({ ...right.intersections, hit }),
    contacts: () => Promise.resolve({ ...right.contacts, distance }),
  } as unknown as Tester;
}

function peer(change: (answers: Answers) => void = () => {}): Peer {
  return {
    name: 'rapier',
    title: 'Peer',
    version: 'peer 1',
    scope: SCOPE,
    notes: ['A note.'],
    overlapSlack: { absolute: 1e-6, relative: 1e-6, ofDistance: 0 },
    distanceSlack: { absolute: 1e-6, relative: 1e-6, ofDistance: 1e-3 },
    answer() {
      const answers = {
        overlaps: right.intersections.hit.slice(),
        distance: Float64Array.from(right.contacts.distance),
        milliseconds: 1,
      };
      change(answers);
      return answers;
    },
  };
}

describe('a comparison', () => {
  test('finds nothing where both say the same', async () => {
    const found = await compare(told(), peer(), family);
    expect(found.disagreements).toEqual([]);
    expect(found.gaps.length + found.depths.length).toBe(PAIRS);
    expect(found.overlapping).toBeGreaterThan(0.4 * PAIRS);
    expect(found.inBand).toBeGreaterThan(0);
    expect(found.inBand).toBeLessThan(0.3 * PAIRS);
  });

  test('blames the other for an overlap that is none, and for one that it misses', async () => {
    const wrong = peer(({ overlaps }) => {
      overlaps[apart] = 1;
      overlaps[overlapping] = 0;
    });
    const { disagreements } = await compare(told(), wrong, family);
    expect(disagreements.map(({ pair }) => pair)).toEqual([apart, overlapping].sort((a, b) => a - b));
    for (const found of disagreements)
      expect(found).toMatchObject({ subject: 'overlap', isWrongHere: false, isWrongThere: true });
  });

  test('blames the other for a gap and a depth beyond its slack, and for a missing depth', async () => {
    const wrong = peer(({ distance }) => {
      distance[apart] *= 1.1;
      distance[overlapping] *= 1.1;
    });
    const { disagreements } = await compare(told(), wrong, family);
    expect(disagreements.map(({ subject }) => subject).sort()).toEqual(['depth', 'gap']);
    const none = await compare(
      told(),
      peer(({ distance }) => distance.fill(NaN, overlapping, overlapping + 1)),
      family,
    );
    expect(none.disagreements).toMatchObject([
      { subject: 'depth', pair: overlapping, there: { distance: null }, isWrongHere: false, isWrongThere: true },
    ]);
    expect(none.withoutDepth).toBe(1);
  });

  test('asks nobody about a gap within its slack', async () => {
    const near = peer(({ distance }) => {
      distance[apart] *= 1.0005;
    });
    expect((await compare(told(), near, family)).disagreements).toEqual([]);
  });

  test('blames us for a wrong overlap, a wrong distance and a sign that the two queries do not share', async () => {
    const flipped = told((distance, hit) => {
      distance[apart] *= -1;
      hit[apart] = 1;
    });
    const distant = told((distance) => {
      distance[overlapping] *= 1.1;
    });
    const torn = told((_, hit) => {
      hit[apart] = 1;
    });
    for (const [wrong, pair, subject] of [
      [flipped, apart, 'overlap'],
      [distant, overlapping, 'depth'],
      [torn, apart, 'overlap'],
    ] as const) {
      const found = await compare(wrong, peer(), family);
      expect(found.disagreements).toMatchObject([{ subject, pair, isWrongHere: true, isWrongThere: false }]);
      expect(wrongHere([found])).toBe(1);
    }
  });

  test.each([NaN, Infinity, -Infinity])('blames us for the distance %d', async (value) => {
    const none = told((distance) => {
      distance[apart] = value;
    });
    const { disagreements } = await compare(none, peer(), family);
    expect(disagreements).toMatchObject([{ pair: apart, isWrongHere: true, isWrongThere: false }]);
  });
});

describe('what is kept', () => {
  let folder: string;
  let found: Comparison;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'differential-'));
    found = await compare(
      told(),
      peer(({ overlaps }) => overlaps.fill(0, overlapping, overlapping + 1)),
      family,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is the pair in exact f32 numbers, its cause, who was wrong and the truth, once', () => {
    const file = join(folder, 'kept.json');
    const fixtures = worstOfEachCause('rapier', family, found);
    expect(keepFixtures(file, fixtures)).toBe(1);
    expect(keepFixtures(file, fixtures)).toBe(0);
    const [{ cause, wrong, distance, a, b }] = (
      JSON.parse(readFileSync(file, 'utf8')) as { cases: DifferentialFixture[] }
    ).cases;
    expect(cause).toMatch(/Rapier/);
    expect(wrong).toEqual(['rapier']);
    expect(Math.abs(distance - right.contacts.distance[overlapping])).toBeLessThan(1e-5);
    const [bodyA, bodyB] = family.pairs.subarray(2 * overlapping);
    expect([a.shape.type, b.shape.type].sort()).toEqual(['box', 'sphere']);
    expect(a.position).toEqual(Array.from(family.bodies.positions.subarray(3 * bodyA, 3 * bodyA + 3)));
    expect(b.quaternion).toEqual(Array.from(family.bodies.quaternions.subarray(4 * bodyB, 4 * bodyB + 4)));
  });

  test('is no more than a few pairs of types of one cause', () => {
    const file = join(folder, 'few.json');
    const [fixture] = worstOfEachCause('rapier', family, found);
    const types = ['box', 'hull', 'cone', 'cylinder', 'triangle', 'capsule'] as const;
    const many = types.map((type) => ({
      ...fixture,
      b: { ...fixture.b, shape: { ...fixture.b.shape, type } as never },
    }));
    expect(keepFixtures(file, many)).toBe(4);
  });
});

test('the report has a row for each pair of types and counts who was wrong', async () => {
  const found = await compare(
    told(),
    peer(({ overlaps }) => overlaps.fill(1, apart, apart + 1)),
    family,
  );
  const context = {
    command: 'npm run differential',
    date: '2026-01-01',
    machine: 'a machine',
    adapter: 'an adapter',
    seconds: 1,
  };
  const report = differentialReport(
    context,
    [{ peer: peer(), comparisons: [found], causes: new Map([['a cause', 1]]) }],
    readFixtures('verification/fixtures/differential.json'),
  );
  expect(report).toContain(`${PAIRS} pairs, 1 disagreements; narrowphase is wrong in 0 of them.`);
  expect(report).toMatch(new RegExp(`^\\| sphere/box \\| ${PAIRS} \\| \\d+ \\| \\d+ \\| 1 \\| 0 \\| 1, 0, 0 \\|`, 'm'));
  expect(report).toContain('| a cause | 1 |');
  expect(report).toMatch(
    /^\| \[`rapier-box-box-depth`\]\(.*#case=rapier-box-box-depth\) \| depth \| -2\.04073 \| -1\.36322 \|/m,
  );
  expect(report).not.toContain('`jolt-');
  const widths = report
    .split('\n')
    .filter((line) => line.startsWith('| sphere/box'))
    .map((line) => line.split('|').length);
  expect(widths).toEqual([13, 13]);
});

test('pairs of types are each two that the peer has, but for those it does not test', () => {
  expect(pairNames(SCOPE)).toEqual(['sphere/sphere', 'sphere/box', 'sphere/halfspace', 'box/box']);
});

test('options have defaults, and what cannot be meant is refused', () => {
  expect(parseOptions([])).toEqual({
    queries: ['contacts', 'impacts'],
    pairs: 100_000,
    moving: 20_000,
    seed: 1,
    peers: ['rapier', 'jolt'],
    out: 'bench/results/differential.md',
    impacts: 'bench/results/differential-impacts.md',
    fixtures: 'verification/fixtures/differential.json',
  });
  expect(parseOptions(['--pairs', '20', '--peers', 'jolt', '--seed', '7'])).toMatchObject({
    pairs: 20,
    peers: ['jolt'],
    seed: 7,
  });
  expect(parseOptions(['--queries', 'impacts', '--moving', '30'])).toMatchObject({ queries: ['impacts'], moving: 30 });
  expect(parseOptions(['--help'])).toBeNull();
  const refused = [
    ['--pairs', '0'],
    ['--pairs', 'ten'],
    ['--moving', '0'],
    ['--queries', 'casts'],
    ['--peers', 'bullet'],
    ['--peer', 'jolt'],
  ];
  for (const args of refused) expect(() => parseOptions(args)).toThrow(UsageError);
});
