/**
 * Runs in the page: pairs that the built package finds on WebGPU, in batches and, as on hardware, by `findPairs`, beside
 * those that the CPU finds.
 */
import type { PosedBodies, Tester } from '../../src/api/types.ts';
import { broadPhaseScene, type SceneName } from '../../verification/families/broad-phase-scenes.ts';
import { submit } from '../helpers/batch.ts';
import { box3dScene } from '../helpers/box3d-scene.ts';
import { pairDifference } from '../helpers/pair-difference.ts';
import { randomBatches } from '../helpers/random-batches.ts';
import { createTester, hardware } from './testers.ts';

export interface PairComparison {
  found: number;
  /** Pairs that only one of the two found. Rounding decides of those on the border. */
  differing: number;
  overflow: number;
  /** Pairs that a batch answers which finds them itself. */
  answered: number;
  hits: number;
}

export interface SceneComparison {
  found: number;
  differing: number;
  /** Whether a second run finds the same numbers. */
  isRepeated: boolean;
}

/** Pairs of a scene in a batch, twice, beside those of the CPU. */
async function compareBatch(tester: Tester, bodies: PosedBodies, maxPairs: number): Promise<SceneComparison> {
  const count = bodies.shapes.length;
  const expected = await tester.findPairs(bodies);
  using batch = await tester.createBatch({ query: 'pairs', maxBodies: count, maxPairs });
  batch.write({ bodies });
  const runs: Uint32Array[] = [];
  for (let run = 0; run < 2; run++) {
    submit(batch);
    runs.push((await batch.read()).pairs);
  }
  const [found, again] = runs;
  const isRepeated = found.length === again.length && found.every((body, i) => body === again[i]);
  return { found: found.length / 2, differing: pairDifference(found, expected, count), isRepeated };
}

/** Scenes of so many bodies; `place`, where all bodies meet, of 200. */
export async function compareScenes(
  names: readonly SceneName[],
  count: number,
  seed: number,
): Promise<Record<string, SceneComparison>> {
  using tester = await createTester({ backend: 'webgpu' });
  for (const shape of broadPhaseScene('similar', 0, seed).shapes) tester.addShape(shape);
  const compared: Record<string, SceneComparison> = {};
  for (const name of names) {
    const { bodies } = broadPhaseScene(name, name === 'place' ? 200 : count, seed);
    compared[name] = await compareBatch(tester, bodies, 100 * count);
  }
  return compared;
}

/** Boxes recorded from a scene of Box3D. */
export async function compareBox3d(text: string): Promise<SceneComparison> {
  using tester = await createTester({ backend: 'webgpu' });
  const { shapes, bodies } = box3dScene(text);
  for (const shape of shapes) tester.addShape(shape);
  return await compareBatch(tester, bodies, 100 * shapes.length);
}

/** Random batches, judged by brute force. */
export async function judgeRandomBatches(batches: number, seed: number): Promise<ReturnType<typeof randomBatches>> {
  using tester = await createTester({ backend: 'webgpu' });
  for (const shape of broadPhaseScene('similar', 0, seed).shapes) tester.addShape(shape);
  return await randomBatches(tester, { batches, seed });
}

/** The same of `findPairs` on the device. */
export async function compareFoundPairs(count: number, seed: number): Promise<{ found: number; differing: number }> {
  const { shapes, bodies } = broadPhaseScene('similar', count, seed);
  const lists: Uint32Array[] = [];
  for (const gpu of [hardware, undefined]) {
    const tester = await createTester({ backend: 'webgpu', gpu });
    for (const shape of shapes) tester.addShape(shape);
    lists.push(await tester.findPairs(bodies));
    tester.dispose();
  }
  const [found, expected] = lists;
  return { found: found.length / 2, differing: pairDifference(found, expected, count) };
}

export async function comparePairs(axes: 2 | 3, count: number, seed: number): Promise<PairComparison> {
  // The methods have the same names in both dimensions.
  const tester = (await createTester({ backend: 'webgpu', dimension: axes as 3 })) as unknown as Tester;
  try {
    const bodies = axes === 2 ? planarBodies(tester, count, seed) : spaceBodies(tester, count, seed);
    const expected = await tester.findPairs(bodies);
    const room = { maxBodies: count, maxPairs: 8 * count };
    const pairsOf = await tester.createBatch({ query: 'pairs', ...room });
    pairsOf.write({ bodies });
    submit(pairsOf);
    const { count: found, pairs } = await pairsOf.read();
    const { pairOverflow: overflow } = await pairsOf.readCounts();
    const answers = await tester.createBatch({ query: 'intersects', broadPhase: true, ...room });
    answers.write({ bodies });
    submit(answers);
    const { count: answered, hits } = await answers.read();
    return { found, differing: pairDifference(pairs, expected, count), overflow, answered, hits };
  } finally {
    tester.dispose();
  }
}

function spaceBodies(tester: Tester, count: number, seed: number): PosedBodies {
  const { shapes, bodies } = broadPhaseScene('halfspaces', count, seed);
  for (const shape of shapes) tester.addShape(shape);
  return bodies;
}

function planarBodies(tester: Tester, count: number, seed: number): PosedBodies {
  const { bodies } = broadPhaseScene('similar', count, seed);
  for (const shape of [
    { type: 'rectangle', halfExtents: [0.2, 0.1] },
    { type: 'circle', radius: 0.15 },
  ])
    tester.addShape(shape as never);
  const positions = bodies.positions.filter((_, i) => i % 3 < 2);
  const angles = bodies.quaternions.filter((_, i) => i % 4 === 0);
  return { shapes: bodies.shapes.map((id) => id % 2), positions, angles } as unknown as PosedBodies;
}
