/**
 * The kernels of the closed forms against the double-precision reference and the oracle, on families full of ties and
 * degenerate cases, and against GJK and EPA on the GPU.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { F32_ROUNDING, TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import { Status, type Contacts, type Tester } from '../../src/api/types.ts';
import { boxRegion, closedFamilyNames, makeClosedFamily } from '../../verification/families/closed-families.ts';
import { judgeContact } from '../../verification/oracle/index.ts';
import { differences } from '../helpers/batch.ts';
import { pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { atNight } from '../helpers/night.ts';

const { kernels: TOLERANCE } = TOLERANCES;
/** The reference is that good, and its results come as f32. */
const REFERENCE_ERROR = TOLERANCES.reference + F32_ROUNDING;
const SEED = 20_261_206;
const PAIRS = atNight(4000, 20_000);
/** Pairs that the oracle judges. */
const JUDGED = atNight(1000, 4000);

let gpu: Tester;
let cpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  cpu = await createTester({ backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

describe.each(closedFamilyNames)('%s', (name) => {
  const family = makeClosedFamily(name, PAIRS, SEED);
  const { bodies, pairs: indices } = family;
  const pairs = pairsOf(family);
  const label = (index: number): string => `${name}, seed ${SEED}, pair ${index}`;
  let reference: Contacts;

  beforeAll(async () => {
    for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
    reference = await cpu.contacts(bodies, indices, { margin: Infinity });
  });

  test.each([0, 0.0625, Infinity])('contacts are those of the oracle, in one iteration, margin %s', async (margin) => {
    const found = await gpu.contacts(bodies, indices, { margin, bounds: true });
    const items = [...found];
    const faults = pairs
      .slice(0, JUDGED)
      .flatMap(({ index, a, b, poseA, poseB }) =>
        judgeContact(a, poseA, b, poseB, items[index], TOLERANCE, { points: 'f32', margin }).map(
          (fault) => `${label(index)}: ${fault}`,
        ),
      );
    expect(summary(faults)).toEqual([]);
    expect(new Set(found.iterations)).toEqual(new Set([1]));
    expect(Math.min(found.statusCounts[0], found.statusCounts[1])).toBeGreaterThan(0.2 * PAIRS);
    expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
  });

  test('contacts have the distances of the reference and of GJK and EPA', async () => {
    const found = await gpu.contacts(bodies, indices, { margin: Infinity });
    const others = await gpu.contacts(bodies, indices, { margin: Infinity, algorithm: 'gjk' });
    const faults = pairs.flatMap(({ index, size }) => {
      const off = Math.abs(found.distance[index] - reference.distance[index]);
      const apart = Math.abs(found.distance[index] - others.distance[index]);
      const isRight =
        off <= (TOLERANCE + REFERENCE_ERROR) * size &&
        (apart <= 2 * TOLERANCE * size || others.status[index] === Status.NotConverged);
      return isRight
        ? []
        : [
            `${label(index)}: ${found.distance[index]}, reference ${reference.distance[index]}, GJK ${others.distance[index]}`,
          ];
    });
    expect(summary(faults)).toEqual([]);
    expect(others.statusCounts[Status.NotConverged]).toBeLessThan(PAIRS / 1000);
    expect(Math.max(...others.iterations)).toBeGreaterThan(1);
  });

  test('features are those of the reference where the normal leaves no doubt', async () => {
    const found = await gpu.contacts(bodies, indices, { margin: Infinity });
    const sure = pairs.filter(({ index }) => {
      const off = Math.hypot(...[0, 1, 2].map((k) => found.normal[3 * index + k] - reference.normal[3 * index + k]));
      return off < 1e-6;
    });
    const same = sure.filter(
      ({ index }) =>
        found.featureA[index] === reference.featureA[index] && found.featureB[index] === reference.featureB[index],
    );
    expect(sure.length).toBeGreaterThan(0.4 * PAIRS);
    // What is flat to f32 need not be flat to double precision.
    expect(same.length).toBeGreaterThan(0.8 * sure.length);
    expect(new Set([...found.featureA, ...found.featureB].map((feature) => feature >>> 30)).size).toBeGreaterThan(1);
  });

  test('distances are those of the oracle, zeros for pairs that overlap', async () => {
    const found = await gpu.distances(bodies, indices);
    const items = [...found];
    const faults = pairs
      .slice(0, JUDGED)
      .flatMap(({ index, a, b, poseA, poseB }) =>
        judgeContact(a, poseA, b, poseB, items[index], TOLERANCE, { query: 'distances', points: 'f32' }).map(
          (fault) => `${label(index)}: ${fault}`,
        ),
      );
    expect(summary(faults)).toEqual([]);
    expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
  });

  test.each([0, 0.0625])('intersects knows status and hits, margin %s', async (margin) => {
    const found = await gpu.intersects(bodies, indices, { margin });
    const faults = pairs.flatMap(({ index, size }) => {
      const t = (TOLERANCE + REFERENCE_ERROR) * size;
      const truth = reference.distance[index];
      const isWrong =
        (Math.abs(truth) > t && (found.status[index] === Status.Overlapping) !== truth < 0) ||
        (Math.abs(truth - margin) > t && (found.hit[index] === 1) !== truth < margin);
      return isWrong
        ? [`${label(index)}: status ${found.status[index]}, hit ${found.hit[index]}, reference ${truth}`]
        : [];
    });
    expect(summary(faults)).toEqual([]);
    expect(found.hits).toBeGreaterThan(0.2 * PAIRS);
  });

  test('a batch gives the same bits, and 64-bit positions the same distances', async () => {
    const batch = await gpu.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS });
    batch.write({ bodies, pairs: indices });
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    const found = await gpu.contacts(bodies, indices);
    expect(differences({ ...(await batch.read()), pointA: found.pointA, pointB: found.pointB }, found)).toEqual([]);
    batch.dispose();
    const wide = await gpu.contacts({ ...bodies, positions: Float64Array.from(bodies.positions) }, indices, {
      margin: Infinity,
    });
    const faults = pairs.filter(
      ({ index, size }) =>
        !(Math.abs(wide.distance[index] - reference.distance[index]) <= (TOLERANCE + REFERENCE_ERROR) * size),
    );
    expect(faults.map(({ index }) => label(index))).toEqual([]);
  });
});

test('all 27 regions of the box are reached', () => {
  const family = makeClosedFamily('sphere-box', PAIRS, SEED);
  const counts = Array.from({ length: 27 }, () => 0);
  for (let i = 0; i < PAIRS; i++) counts[boxRegion(family, i)]++;
  expect(Math.min(...counts)).toBeGreaterThan(PAIRS / 100);
});
