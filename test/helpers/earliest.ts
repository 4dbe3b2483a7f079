/** `results: 'earliest'` beside a walk over all impacts, and scenes for it. */

import { expect } from 'vitest';
import { Status, type Impacts, type ImpactOptions, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { submit } from './batch.ts';
import { columnsOf } from './impacts.ts';

export const NOTHING = 0xffff_ffff;

export interface Reduced {
  /** Pairs that are the first of a body, ascending. */
  pairs: number[];
  /** For each body, the slot of its first impact among `pairs`. */
  first: number[];
  /** Bodies whose first was decided by how far ahead the other is, and by the pair's index. */
  byProjection: number;
  byIndex: number;
}

/** How far B is ahead of A along A's displacement against B. */
function projectionOf({ positions, linearVelocities: v }: MovingBodies, a: number, b: number): number {
  const way = [0, 1, 2].map((k) => v[3 * a + k] - v[3 * b + k]);
  const speed = Math.hypot(...way);
  return speed > 0
    ? way.reduce((sum, x, k) => sum + (x / speed) * (positions![3 * b + k] - positions![3 * a + k]), 0)
    : 0;
}

/** By brute force: every impact of every body, sorted. */
export function reduce(all: Impacts, bodies: MovingBodies, pairs: Uint32Array): Reduced {
  const ofBody = Array.from(bodies.shapes, (): { time: number; projection: number; pair: number }[] => []);
  for (let slot = 0; slot < all.count; slot++) {
    if (all.status[slot] !== Status.Overlapping && all.status[slot] !== Status.NotConverged) continue;
    const pair = all.pair[slot];
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const impact = { time: all.time[slot], projection: projectionOf(bodies, a, b), pair };
    ofBody[a].push(impact);
    ofBody[b].push(impact);
  }
  const counts = { byProjection: 0, byIndex: 0 };
  const winners = ofBody.map((impacts) => {
    impacts.sort((p, q) => p.time - q.time || p.projection - q.projection || p.pair - q.pair);
    const [first, second] = impacts;
    if (second && second.pair !== first.pair && second.time === first.time)
      counts[second.projection === first.projection ? 'byIndex' : 'byProjection']++;
    return first?.pair;
  });
  const kept = [...new Set(winners)].filter((pair) => pair !== undefined).sort((p, q) => p - q);
  const slots = new Map(kept.map((pair, slot) => [pair, slot]));
  return { pairs: kept, first: winners.map((pair) => slots.get(pair) ?? NOTHING), ...counts };
}

/** Expects a result to have the slots of `all` that the reduction keeps, bit for bit. */
export function expectReduced(found: Impacts, all: Impacts, expected: Reduced, label: string): void {
  expect(Array.from(found.pair), label).toEqual(expected.pairs);
  expect(Array.from(found.first!), label).toEqual(expected.first);
  const { status, time, unclampedTime, normal } = columnsOf(found);
  const kept = <Column extends ArrayLike<number>>(column: Column, width = 1): number[] =>
    expected.pairs.flatMap((pair) => Array.from({ length: width }, (_, k) => column[width * pair + k]));
  expect({ status, time, unclampedTime, normal }, label).toEqual({
    status: kept(all.status),
    time: kept(all.time),
    unclampedTime: kept(all.unclampedTime),
    normal: kept(all.normal, 3),
  });
  expect(found.statusCounts, label).toEqual(all.statusCounts);
}

/** On each tester, and in a batch of those on WebGPU. Gives what the last one's answer was reduced to. */
export async function expectEarliest(
  testers: readonly Tester[],
  shapes: Parameters<typeof useShapes>[1],
  bodies: MovingBodies,
  pairs: Uint32Array,
  options: ImpactOptions,
  label: string,
): Promise<Reduced> {
  let reduced: Reduced | undefined;
  for (const tester of testers) {
    useShapes(tester, shapes);
    const all = await tester.impacts(bodies, pairs, options);
    reduced = reduce(all, bodies, pairs);
    expectReduced(
      await tester.impacts(bodies, pairs, { ...options, results: 'earliest' }),
      all,
      reduced,
      `${label} on ${tester.backend}`,
    );
    if (tester.backend !== 'webgpu' || options.escalate) continue;
    const batch = await tester.createBatch({
      query: 'impacts',
      duration: options.duration,
      turning: bodies.angularVelocities !== undefined,
      results: 'earliest',
      maxBodies: bodies.shapes.length,
      maxPairs: pairs.length / 2,
    });
    batch.write({ bodies, pairs });
    submit(batch as never);
    expectReduced(await batch.read(), all, reduced, `${label} in a batch`);
    batch.dispose();
  }
  return reduced!;
}

const UPRIGHT = [0, 0, 0, 1];

export function bodiesOf(
  bodies: readonly { shape?: number; position: readonly number[]; velocity?: readonly number[] }[],
): MovingBodies {
  return {
    shapes: Uint32Array.from(bodies, ({ shape = 0 }) => shape),
    positions: Float32Array.from(bodies.flatMap(({ position }) => position)),
    quaternions: Float32Array.from(bodies.flatMap(() => UPRIGHT)),
    linearVelocities: Float32Array.from(bodies.flatMap(({ velocity = [0, 0, 0] }) => velocity)),
  };
}

/** Each two of so many bodies, once, shuffled and in either order. */
export function allPairs(count: number, seed: number): Uint32Array {
  const random = createRandom(seed);
  const pairs = Array.from({ length: count }, (_, a) =>
    Array.from({ length: a }, (_unused, b) => (random() < 0.5 ? [a, b] : [b, a])),
  ).flat();
  for (let i = pairs.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [pairs[i], pairs[j]] = [pairs[j], pairs[i]];
  }
  return Uint32Array.from(pairs.flat());
}

export const CUBE = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
export const BALL = { type: 'sphere', radius: 0.5 } as const;
