/** Random small batches that find their pairs, judged by brute force. */
import type { Tester } from '../../src/api/types.ts';
import { arePaired } from '../../src/broad-phase/filters.ts';
import { broadPhaseScene, type SceneName } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { oracleBodies } from './box-oracle.ts';
import { keptFaults, makePairJudge } from './pair-judge.ts';
import { submit } from './batch.ts';

/** Most bodies of a batch. */
const MOST_BODIES = 60;
const SCENES: readonly SceneName[] = ['similar', 'mixed', 'giant', 'place', 'far', 'stray', 'strayFirst', 'halfspaces'];
/** Capacities in pairs; the last has room for all. */
const CAPACITIES = [1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640, (MOST_BODIES * (MOST_BODIES - 1)) / 2];

export interface RandomBatches {
  batches: number;
  seed: number;
}

/**
 * Searches random scenes of 2 to 60 bodies with groups and fixed bodies, in batches of all capacities in turn. Returns
 * faults in words, at most a few, and how many batches had no room for all pairs. The tester has the shapes of
 * the scenes.
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
    CAPACITIES.map((maxPairs) => tester.createBatch({ query: 'pairs', maxBodies: MOST_BODIES, maxPairs })),
  );

  async function search(run: number): Promise<void> {
    const number = run % CAPACITIES.length;
    const name = SCENES[pick(SCENES.length)];
    // Half-spaces are every seventh body.
    const least = name === 'halfspaces' ? 15 : 2;
    const bodyCount = least + pick(MOST_BODIES + 1 - least);
    const { shapes, bodies } = broadPhaseScene(name, bodyCount, seed + run);
    const groups = Uint32Array.from({ length: bodyCount }, () => (pick(4) === 0 ? pick(16) * 0x1_0001 : 0xffff_ffff));
    const fixed = Uint8Array.from({ length: bodyCount }, () => (pick(3) === 0 ? 1 : 0));
    const filters = { ...(pick(3) === 0 && { groups }), ...(pick(3) === 0 && { fixed }) };
    const batch = batches[number];
    batch.write({ bodies: { ...bodies, ...filters } });
    submit(batch);
    const [{ pairs }, { candidates, pairOverflow }] = await Promise.all([batch.read(), batch.readCounts()]);
    const mayPair = (a: number, b: number): boolean => arePaired(filters, a, b);
    const judge = makePairJudge(shapes, oracleBodies(shapes, bodies), 0, mayPair);
    const kept = { pairs, candidates: candidates!, pairOverflow, maxPairs: CAPACITIES[number] };
    faults.push(...keptFaults(judge, bodyCount, kept).map((fault) => `seed ${seed}, batch ${run}, ${name}: ${fault}`));
    if (pairOverflow > 0) overflows++;
  }

  try {
    for (let first = 0; first < count && faults.length === 0; first += CAPACITIES.length) {
      const runs = Math.min(CAPACITIES.length, count - first);
      await Promise.all(Array.from({ length: runs }, (_, i) => search(first + i)));
    }
  } finally {
    for (const batch of batches) batch.dispose();
  }
  return { faults: faults.slice(0, 5), overflows };
}
