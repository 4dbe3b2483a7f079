/** Runs in the page: queries of the plane of the built package on WebGPU, judged by brute force. */

import { planar } from '../../src/cpu.ts';
import { F32_ROUNDING, TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type Algorithm, type PlanarTester } from '../../src/api/types.ts';
import { judgePlanarContact, judgePlanarManifold, judgePlanarStatus } from '../../verification/judges/planar-judge.ts';
import { judgePlanarImpact, type PlanarOutcome } from '../../verification/oracle/planar-motion.ts';
import { planarSignedDistance } from '../../verification/oracle/planar.ts';
import { planarPairsOf, planarTypePairNames, type PlanarFamily } from '../../verification/families/planar-families.ts';
import { planarMovingPair, setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { answersOf, mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';
import type { PlanarCase } from './planar-cases.ts';
import type { Sample } from './cases.ts';
import { planarTester } from './testers.ts';

const MARGIN = 0.0625;

export interface PlanarComparison {
  backend: string;
  pairs: number;
  overlapping: number;
  hits: number;
  faults: string[];
}

/**
 * With a margin: all pairs, the hits, and all pairs by a batch, which must be the query's but for the rounding of
 * points.
 */
export async function comparePlanarQuery(
  query: PlanarCase['query'],
  algorithm: Algorithm,
  { count, seed }: Sample,
): Promise<PlanarComparison> {
  const family = familyFor(algorithm, { count, seed });
  const { bodies, pairs } = family;
  const tester = await planarTester();
  usePlanarShapes(tester, family.shapes);
  const options = { algorithm, margin: MARGIN };
  const all = await tester[query](bodies, pairs, options);
  const hits = await tester[query](bodies, pairs, { ...options, results: 'hits' });
  const depths = query === 'manifolds' ? (await tester.contacts(bodies, pairs, options)).distance : undefined;
  const items = [...all] as { status: number; hit?: boolean; distance?: number; points?: unknown[] }[];
  const faults: string[] = [];
  const k = TOLERANCE.kernels;
  let overlapping = 0;
  for (const { index, a, poseA, b, poseB, size } of planarPairsOf(family)) {
    const item = items[index];
    const truth = planarSignedDistance(a, poseA, b, poseB).distance;
    const terms = { margin: MARGIN, truth, isUpperBound: algorithm === 'mpr' };
    if (item.status === Status.Overlapping) overlapping++;
    const found =
      query === 'intersects'
        ? judgePlanarStatus(item, truth, k * size, MARGIN)
        : query === 'manifolds'
          ? judgePlanarManifold(a, poseA, b, poseB, item as never, depths![index], k, terms)
          : judgePlanarContact(a, poseA, b, poseB, item as never, k, { ...terms, query });
    faults.push(...found.map((fault) => `pair ${index}: ${fault}`));
    if (item.status > Status.Overlapping) faults.push(`pair ${index}: status ${item.status}`);
  }
  const expected = items.filter(
    ({ hit, points, distance }) => hit ?? (points ? points.length > 0 : distance! <= MARGIN),
  );
  if (JSON.stringify([...hits]) !== JSON.stringify(expected))
    faults.push(`${hits.count} hits, expected ${expected.length}, or not the same`);
  const ofBatch = await statusesOfBatch(tester, query, options, family);
  if (String(ofBatch) !== String(all.status)) faults.push('a batch differs');
  usePlanarShapes(tester, []);
  return { backend: tester.backend, pairs: items.length, overlapping, hits: hits.count, faults: faults.slice(0, 5) };
}

/** Pairs of all types of shape; for `'sat'` of those with edges alone. */
function familyFor(algorithm: Algorithm, { count, seed }: Sample): PlanarFamily {
  const isTaken = (name: string): boolean => algorithm !== 'sat' || !/circle|capsule/.test(name);
  return mixPlanarTypes(planarTypePairNames.filter(isTaken), count, seed);
}

async function statusesOfBatch(
  tester: PlanarTester,
  query: PlanarCase['query'],
  options: { algorithm: Algorithm; margin: number },
  { bodies, pairs }: PlanarFamily,
): Promise<Uint8Array> {
  const batch = await tester.createBatch({
    query,
    maxBodies: bodies.shapes.length,
    maxPairs: pairs.length / 2,
    ...options,
  });
  batch.write({ bodies, pairs });
  const encoder = batch.device.createCommandEncoder();
  batch.encode(encoder);
  batch.device.queue.submit([encoder.finish()]);
  const { status } = await batch.read();
  batch.dispose();
  return status;
}

export interface PlanarImpactComparison {
  pairs: number;
  outcomes: Record<PlanarOutcome, number>;
  /** Pairs that the oracle can't tell of. */
  unknown: number;
  /** Pairs that are the first impact of one of their bodies: here all that meet, as each body is in one pair. */
  earliest: number;
  faults: string[];
}

export async function comparePlanarImpacts(
  isTurning: boolean,
  { count, seed }: Sample,
  types: readonly string[],
): Promise<PlanarImpactComparison> {
  const family = setPlanarInMotion(mixPlanarTypes(types, count, seed + 1), seed + 2, isTurning);
  const { bodies, pairs, duration } = family;
  const tester = await planarTester();
  usePlanarShapes(tester, family.shapes);
  const moving = planarPairsOf(family).map((pair) => planarMovingPair(family, pair));
  const outcomes = { hit: 0, start: 0, miss: 0, open: 0 };
  const faults: string[] = [];
  let unknown = 0;
  for (const item of await tester.impacts(bodies, pairs, { duration })) {
    const verdict = judgePlanarImpact(moving[item.pair], item, {
      tolerance: TOLERANCE.kernels,
      rounding: 4 * F32_ROUNDING,
    });
    outcomes[verdict.outcome]++;
    if (verdict.isUnknown) unknown++;
    faults.push(...verdict.faults.map((fault) => `pair ${item.pair}, ${family.courses[item.pair]}: ${fault}`));
  }
  const earliest = await tester.impacts(bodies, pairs, { duration, results: 'earliest' });
  const hits = await tester.impacts(bodies, pairs, { duration, results: 'hits' });
  if (JSON.stringify(answersOf(earliest).items) !== JSON.stringify(answersOf(hits).items))
    faults.push('first impacts differ from hits');
  usePlanarShapes(tester, []);
  return { pairs: moving.length, outcomes, unknown, earliest: earliest.count, faults: faults.slice(0, 5) };
}

const RAYS = 300;
const NO_BODY = 0xffff_ffff;

/** Rays and circles through a crowd of bodies of all types, against the reference's impacts with each of these. */
export async function comparePlanarRays(seed: number): Promise<{ rays: number; hits: number; faults: string[] }> {
  const random = createRandom(seed + 3);
  const { shapes: descriptions } = mixPlanarTypes(planarTypePairNames, 1, seed);
  const shapes = descriptions.map((description) => planar.createShape(description));
  const chosen = Uint32Array.from({ length: 60 }, (_, body) => (37 * body) % shapes.length);
  const bodies = {
    shapes: chosen,
    positions: Float32Array.from({ length: 120 }, () => uniform(random, -12, 12)),
    angles: Float32Array.from({ length: 60 }, () => uniform(random, -4, 4)),
    scales: Float32Array.from(chosen, (shape) => 1 / shapes[shape].boundingRadius),
  };
  const rays = {
    origins: Float32Array.from({ length: 2 * RAYS }, () => uniform(random, -14, 14)),
    directions: Float32Array.from(Array.from({ length: RAYS }, () => unitVector(random, [0, 0])).flat()),
    radii: Float32Array.from({ length: RAYS }, (_, i) => (i % 2 ? 0.25 : 0)),
  };
  const tester = await planarTester();
  usePlanarShapes(tester, descriptions);
  const faults: string[] = [];
  let hits = 0;
  for (const { ray, time, body } of await tester.rayCasts(bodies, rays)) {
    const circle = planar.createShape({ type: 'circle', radius: rays.radii[ray] });
    const origin = rays.origins.subarray(2 * ray, 2 * ray + 2);
    const linearVelocity = rays.directions.subarray(2 * ray, 2 * ray + 2);
    const poseOf = (number: number) => ({
      position: bodies.positions.subarray(2 * number, 2 * number + 2),
      angle: bodies.angles[number],
      scale: bodies.scales[number],
    });
    let first = { time: Infinity, body: NO_BODY };
    chosen.forEach((shape, number) => {
      const { hit, time: when } = planar.impact(
        shapes[shape],
        { ...poseOf(number), linearVelocity: [0, 0] },
        circle,
        { position: origin, angle: 0, linearVelocity },
        { duration: Infinity },
      );
      if (hit && when < first.time) first = { time: when, body: number };
    });
    if (body !== NO_BODY) hits++;
    if (body === first.body && (body === NO_BODY || time === first.time)) continue;
    // Where they differ, as rays may that graze, either is met then as nearly as f32 can tell.
    const met = body === NO_BODY ? first : { time, body };
    const at = [0, 1].map((k) => origin[k] + linearVelocity[k] * met.time);
    const { distance } = planar.contact(
      shapes[chosen[met.body]],
      poseOf(met.body),
      circle,
      { position: at, angle: 0 },
      { margin: Infinity },
    );
    const { position } = poseOf(met.body);
    const most =
      TOLERANCE.kernels * Math.max(1 + rays.radii[ray], Math.hypot(position[0] - origin[0], position[1] - origin[1]));
    if (!(Math.abs(distance) <= most) && met.time > 0)
      faults.push(`ray ${ray}: body ${body} at ${time}, expected ${first.body} at ${first.time}`);
  }
  usePlanarShapes(tester, []);
  return { rays: RAYS, hits, faults: faults.slice(0, 5) };
}
