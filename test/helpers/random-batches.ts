/** Random small batches that find their pairs, judged by brute force. */
import { MOST_TOGETHER } from '../../src/generated/constants.ts';
import type { Tester } from '../../src/api/types.ts';
import { arePaired } from '../../src/broad-phase/filters.ts';
import { broadPhaseScene, type SceneName } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { oracleBodies } from './box-oracle.ts';
import { keptFaults, makePairJudge } from './pair-judge.ts';
import { submit } from './batch.ts';

/** Most bodies that are in a batch. */
const MOST_BODIES = 60;
const SCENES: readonly SceneName[] = [
  'similar',
  'mixed',
  'giant',
  'million',
  'clusters',
  'line',
  'sheet',
  'twins',
  'place',
  'far',
  'stray',
  'strayFirst',
  'halfspaces',
];
/** Capacities in pairs; the last has room for all. */
const CAPACITIES = [1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640, (MOST_BODIES * (MOST_BODIES - 1)) / 2];

/** Seconds of motion, for batches of bodies that move. */
const DURATION = 0.5;
/** More bodies than a workgroup sorts the partners of have two kernels more. */
const KINDS: readonly { maxBodies: number; duration?: number; turning?: boolean }[] = [
  { maxBodies: MOST_BODIES },
  { maxBodies: MOST_TOGETHER + 1 },
  { maxBodies: MOST_TOGETHER + 1, duration: DURATION },
  { maxBodies: MOST_BODIES, duration: DURATION, turning: true },
];

export interface RandomBatches {
  batches: number;
  seed: number;
}

/**
 * Searches random scenes of 2 to 60 bodies with groups and fixed bodies, at rest and in motion, in batches of
 * all capacities in turn. Returns faults in words, at most a few, and how many batches had no room for all pairs. The
 * tester has the shapes of the scenes.
 */
export async function randomBatches(
  tester: Tester,
  { batches: count, seed }: RandomBatches,
): Promise<{ faults: string[]; overflows: number }> {
  const random = createRandom(seed);
  const pick = (below: number): number => Math.min(Math.floor(uniform(random, 0, below)), below - 1);
  const faults: string[] = [];
  let overflows = 0;
  const batches = await Promise.all(
    CAPACITIES.flatMap((maxPairs) => KINDS.map((kind) => tester.createBatch({ query: 'pairs', maxPairs, ...kind }))),
  );

  async function search(run: number): Promise<void> {
    const number = run % batches.length;
    const maxPairs = CAPACITIES[Math.floor(number / KINDS.length)];
    const kind = KINDS[number % KINDS.length];
    const name = SCENES[pick(SCENES.length)];
    // Half-spaces are every seventh body.
    const least = name === 'halfspaces' ? 15 : 2;
    const bodyCount = least + pick(MOST_BODIES + 1 - least);
    const { shapes, bodies } = broadPhaseScene(name, bodyCount, seed + run);
    const groups = Uint32Array.from({ length: bodyCount }, () => (pick(4) === 0 ? pick(16) * 0x1_0001 : 0xffff_ffff));
    const fixed = Uint8Array.from({ length: bodyCount }, () => (pick(3) === 0 ? 1 : 0));
    const filters = { ...(pick(3) === 0 && { groups }), ...(pick(3) === 0 && { fixed }) };
    const vectors = (size: number): Float32Array =>
      Float32Array.from({ length: 3 * bodyCount }, () => uniform(random, -size, size));
    const motion = kind.duration === undefined ? undefined : { linear: vectors(3), duration: kind.duration };
    // Half-spaces that turn meet everything.
    const angular = kind.turning && name !== 'halfspaces' ? vectors(2) : undefined;
    const velocities = motion && { linearVelocities: motion.linear, ...(angular && { angularVelocities: angular }) };
    const batch = batches[number];
    batch.write({ bodies: { ...bodies, ...filters, ...velocities } });
    submit(batch);
    const [{ pairs }, { candidates, pairOverflow }] = await Promise.all([batch.read(), batch.readCounts()]);
    const mayPair = (a: number, b: number): boolean => arePaired(filters, a, b);
    const judge = makePairJudge(shapes, oracleBodies(shapes, bodies, motion && { ...motion, angular }), 0, mayPair);
    const kept = { pairs, candidates: candidates!, pairOverflow, maxPairs };
    faults.push(...keptFaults(judge, bodyCount, kept).map((fault) => `seed ${seed}, batch ${run}, ${name}: ${fault}`));
    if (pairOverflow > 0) overflows++;
  }

  try {
    for (let first = 0; first < count && faults.length === 0; first += batches.length) {
      const runs = Math.min(batches.length, count - first);
      await Promise.all(Array.from({ length: runs }, (_, i) => search(first + i)));
    }
  } finally {
    for (const batch of batches) batch.dispose();
  }
  return { faults: faults.slice(0, 5), overflows };
}
