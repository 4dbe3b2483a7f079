/**
 * The kernels beside Rapier and Jolt on a sample of the pairs that `npm run differential` compares, and the pairs that it kept, on
 * both backends.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare } from '../../bench/differential/compare.ts';
import { makeDifferentialFamily } from '../../bench/differential/families.ts';
import type { DifferentialFixture } from '../../bench/differential/fixtures.ts';
import { PEERS, pairNames } from '../../bench/differential/peer.ts';
import { openPeer } from '../../bench/differential/peers.ts';
import { createTester } from '../../src/node.ts';
import { F32_ROUNDING, toleranceOf } from '../../src/tolerances.ts';
import type { Tester } from '../../src/types.ts';
import kept from '../fixtures/differential.json' with { type: 'json' };
import { judgeContact, oracleError, oracleShape, pairSize, signedDistance } from '../oracle/index.ts';
import { summary, useShapes } from '../support-families.ts';

const SEED = 20_260_113;
const PAIRS = 1000;

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
});
afterAll(() => tester.dispose());

const peers = await Promise.all(PEERS.map(openPeer));

describe.each(peers)('where $title answers otherwise, the oracle is with us', (peer) => {
  test.each(pairNames(peer.scope))('%s', async (name) => {
    const found = await compare(tester, peer, makeDifferentialFamily(peer.scope, name, PAIRS, SEED));
    const faults = found.disagreements.filter(({ isWrongHere }) => isWrongHere);
    expect(summary(faults.map((fault) => `seed ${SEED}: ${JSON.stringify(fault)}`))).toEqual([]);
    expect(found.notConverged).toBe(0);
    // The sample has what it is to have: overlaps, and pairs that are told apart in both.
    expect(found.overlapping).toBeGreaterThan(0.4 * PAIRS);
    expect(found.overlapping).toBeLessThan(0.6 * PAIRS);
    expect(found.inBand).toBeLessThan(0.3 * PAIRS);
    expect(found.gaps.length + found.depths.length).toBeGreaterThan(0.95 * PAIRS);
    // Half of what the peer answers is right beyond doubt, so that the comparison is no idle one.
    for (const differences of [found.gaps, found.depths]) expect(differences[Math.floor(differences.length / 4)]).toBeLessThan(1e-5);
  });
});

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
  expect(Math.abs(signedDistance(shapeA, a, shapeB, b).distance - distance)).toBeLessThanOrEqual(2 * oracleError(shapeA, shapeB) * size);
});

describe.each(['webgpu', 'cpu'] as const)('%s has the true distance of kept pairs', (backend) => {
  let own: Tester;
  beforeAll(async () => {
    own = await createTester({ backend });
  });
  afterAll(() => own.dispose());

  test.each(fixtures)('$title', async ({ a, b, distance }) => {
    useShapes(own, [a.shape, b.shape]);
    const bodies = {
      shapes: Uint32Array.of(0, 1),
      positions: Float32Array.from([...a.position, ...b.position]),
      quaternions: Float32Array.from([...a.quaternion, ...b.quaternion]),
    };
    const pairs = Uint32Array.of(0, 1);
    const [contact] = await own.contacts(bodies, pairs, { margin: Infinity, bounds: true });
    const [{ hit }] = await own.intersects(bodies, pairs);
    const [shapeA, shapeB] = [oracleShape(a.shape), oracleShape(b.shape)];
    const precision = backend === 'webgpu' ? 'kernels' : 'reference';
    const rounding = backend === 'webgpu' ? 0 : F32_ROUNDING;
    expect(judgeContact(shapeA, a, shapeB, b, contact, precision, { rounding, truth: distance })).toEqual([]);
    const t = toleranceOf(precision, shapeA.core, shapeB.core, distance <= 0) * pairSize(shapeA, a, shapeB, b);
    if (Math.abs(distance) > t) expect(hit).toBe(distance <= 0);
  });
});
