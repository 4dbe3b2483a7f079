/**
 * The kernels beside Rapier and Jolt on a sample of the pairs that `npm run differential` compares, and the pairs that
 * it kept, on both backends.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answersOf, compareAnswers, type Ours } from './compare.ts';
import { makeDifferentialFamily } from './families.ts';
import type { DifferentialFixture } from './fixtures.ts';
import { PEERS, pairNames } from './peer.ts';
import { openPeer } from './peers.ts';
import { createTester } from '../../../src/node.ts';
import { F32_ROUNDING, toleranceOf } from '../../../src/shapes/tolerances.ts';
import type { Contacts, Intersections, Tester } from '../../../src/api/types.ts';
import type { Family } from '../../../verification/families/families.ts';
import kept from '../../../verification/fixtures/differential.json' with { type: 'json' };
import {
  judgeContact,
  oracleError,
  oracleShape,
  pairSize,
  signedDistance,
} from '../../../verification/oracle/index.ts';
import { summary, useShapes } from '../../../verification/families/test-pairs.ts';

const SEED = 20_260_113;
const PAIRS = 1000;

const backends = ['webgpu', 'cpu'] as const;
/** One for all: kernels are compiled for two kinds of shape, which takes longer than all else here. */
let testers: Record<(typeof backends)[number], Tester>;
beforeAll(async () => {
  testers = { webgpu: await createTester({ backend: 'webgpu' }), cpu: await createTester({ backend: 'cpu' }) };
});
afterAll(() => backends.forEach((backend) => testers[backend].dispose()));

const peers = await Promise.all(PEERS.map(openPeer));

describe.each(peers)('where $title answers otherwise, the oracle is with us', (peer) => {
  const families = pairNames(peer.scope).map((name, index) => ({
    name,
    index,
    family: makeDifferentialFamily(peer.scope, name, PAIRS, SEED),
  }));
  let ours: Ours;
  // One query of all, as kernels are compiled for the kinds of shape that a query has.
  beforeAll(async () => {
    ours = await answersOf(testers.webgpu, merged(families.map(({ family }) => family)));
  });

  test.each(families)('$name', ({ family, index }) => {
    const [first, end] = [PAIRS * index, PAIRS * (index + 1)];
    const [hit, status] = [ours.hit.subarray(first, end), ours.status.subarray(first, end)];
    const found = compareAnswers({ ...ours, hit, status, distance: ours.distance.subarray(first, end) }, peer, family);
    const faults = found.disagreements.filter(({ isWrongHere }) => isWrongHere);
    expect(summary(faults.map((fault) => `seed ${SEED}: ${JSON.stringify(fault)}`))).toEqual([]);
    expect(found.notConverged).toBe(0);
    // The sample has what it is to have: overlaps, and pairs that are told apart in both.
    expect(found.overlapping).toBeGreaterThan(0.4 * PAIRS);
    expect(found.overlapping).toBeLessThan(0.6 * PAIRS);
    expect(found.inBand).toBeLessThan(0.3 * PAIRS);
    expect(found.gaps.length + found.depths.length).toBeGreaterThan(0.95 * PAIRS);
    // Much of what the peer answers is right beyond doubt, so that the comparison is no idle one.
    for (const differences of [found.gaps, found.depths])
      expect(differences[Math.floor(differences.length / 4)]).toBeLessThan(1e-5);
  });
});

/** All pairs of several families, one family after the other. */
function merged(families: readonly Family[]): Family {
  const shapes = families.flatMap((family) => family.shapes);
  let before = 0;
  const ids = families.flatMap((family) => {
    const first = before;
    before += family.shapes.length;
    return Array.from(family.bodies.shapes, (shape) => first + shape);
  });
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.from(families.flatMap((family) => Array.from(family.bodies.positions))),
    quaternions: Float32Array.from(families.flatMap((family) => Array.from(family.bodies.quaternions))),
  };
  return { name: 'all', shapes, bodies, pairs: Uint32Array.from(ids.keys()) };
}

const fixtures = (kept.cases as unknown as DifferentialFixture[]).map((fixture, index) => {
  const types = [fixture.a, fixture.b].map(({ shape }) => shape.type).join('/');
  return { ...fixture, index, title: `${index}: ${fixture.cause}: ${types}` };
});

test('pairs are kept of every peer', () => {
  expect(new Set(fixtures.map(({ peer }) => peer))).toEqual(new Set(PEERS));
});

test.each(fixtures)('the oracle still says so of $title', ({ a, b, distance }) => {
  const [shapeA, shapeB] = [oracleShape(a.shape), oracleShape(b.shape)];
  const between = Math.hypot(...[0, 1, 2].map((k) => b.position[k] - a.position[k]));
  const size = Math.max(pairSize(shapeA, a, shapeB, b), between);
  expect(Math.abs(signedDistance(shapeA, a, shapeB, b).distance - distance)).toBeLessThanOrEqual(
    2 * oracleError(shapeA, shapeB) * size,
  );
});

describe.each(backends)('%s has the true distance of kept pairs', (backend) => {
  let contacts: Contacts;
  let intersections: Intersections;
  // One query of all, as kernels are compiled for the kinds of shape that a query has.
  beforeAll(async () => {
    const sides = fixtures.flatMap(({ a, b }) => [a, b]);
    useShapes(
      testers[backend],
      sides.map(({ shape }) => shape),
    );
    const bodies = {
      shapes: Uint32Array.from(sides.keys()),
      positions: Float32Array.from(sides.flatMap(({ position }) => position)),
      quaternions: Float32Array.from(sides.flatMap(({ quaternion }) => quaternion)),
    };
    contacts = await testers[backend].contacts(bodies, bodies.shapes, { margin: Infinity });
    intersections = await testers[backend].intersects(bodies, bodies.shapes);
  });

  test.each(fixtures)('$title', ({ a, b, distance, index }) => {
    const [shapeA, shapeB] = [oracleShape(a.shape), oracleShape(b.shape)];
    const precision = backend === 'webgpu' ? 'kernels' : 'reference';
    const rounding = backend === 'webgpu' ? 0 : F32_ROUNDING;
    const item = [...contacts][index];
    expect(judgeContact(shapeA, a, shapeB, b, item, precision, { rounding, truth: distance })).toEqual([]);
    const t = toleranceOf(precision, shapeA.core, shapeB.core, distance <= 0) * pairSize(shapeA, a, shapeB, b);
    if (Math.abs(distance) > t) expect(intersections.hit[index]).toBe(distance <= 0 ? 1 : 0);
  });
});
