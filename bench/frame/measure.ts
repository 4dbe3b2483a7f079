/** Frames of several scenes and sizes; the subjects of a case run by turns. */

import type { BatchCounts } from '../../src/api/batch.ts';
import type { Bodies, Tester } from '../../src/api/types.ts';
import { median } from '../../verification/statistics/median.ts';
import { createGpuFrame, hasRoomFor, type FrameStages, type FrameTime, type GpuFrame } from './gpu-frame.ts';
import type { RapierFrame, RapierTime } from './rapier-frame.ts';
import { makeFrameScene, type FrameScene, type FrameSceneName } from './scenes.ts';

/** Bodies of a heap and of mixed sizes, and bricks of the rings that three-avbd publishes times of. */
export const FRAME_SIZES: Record<FrameSceneName, readonly number[]> = {
  heap: [1000, 10_000, 100_000, 1_000_000],
  mixed: [1000, 10_000, 100_000, 1_000_000],
  ring: [110_000, 506_000],
};

/** The most bodies of queries over the caller's arrays, and of Rapier: more take many seconds. */
export const MOST_OF_PEERS = 125_000;

/** Room for pairs beyond those of the first frame, as bodies move. */
const PAIR_ROOM = 1.2;

export interface FrameSettings {
  scenes: readonly FrameSceneName[];
  /** null: `FRAME_SIZES`. */
  sizes: readonly number[] | null;
  rounds: number;
  seed: number;
  say: (line: string) => void;
  /** Missing: Rapier is not measured. */
  createRapier?: (scene: FrameScene) => Promise<RapierFrame>;
}

/** Medians over the rounds. */
export interface FrameCase {
  scene: FrameSceneName;
  bodies: number;
  /** Pairs found in the first frame on the GPU, and by `findPairs` of the same bodies; null: not asked. */
  pairs: number;
  pairsOfHost: number | null;
  /** Pairs with a manifold in the first frame; null: the device has no room for the manifolds. */
  hits: number | null;
  /** From the motion to the counts of the manifolds. */
  frame: FrameTime | null;
  /** The same of a batch that finds the pairs alone. */
  pairsOnly: FrameTime;
  /** By timestamps; null without them. */
  stages: FrameStages | null;
  /** Bytes of a batch for pairs that has room for one pair, per body, the caller's poses not included. */
  bytesPerBody: number;
  /** From the caller's arrays to arrays of results. */
  host: { findPairsMs: number; manifoldsMs: number } | null;
  rapier: RapierTime | null;
}

/** Adds the cases to `cases`, one after the other. */
export async function measureFrames(tester: Tester, settings: FrameSettings, cases: FrameCase[]): Promise<void> {
  const { device, dispose } = await tester.createBatch({ query: 'pairs', maxBodies: 1, maxPairs: 1 });
  for (const name of settings.scenes) {
    for (const count of settings.sizes ?? FRAME_SIZES[name]) {
      const scene = makeFrameScene(name, count, settings.seed);
      settings.say(`frame/${name}/${scene.count}`);
      const shape = tester.addShape({ type: 'box', halfExtents: scene.halfExtents });
      cases.push(await measureCase(tester, device, scene, shape, settings));
      tester.removeShape(shape);
    }
  }
  dispose();
}

async function measureCase(
  tester: Tester,
  device: GPUDevice,
  scene: FrameScene,
  shape: number,
  { rounds, createRapier }: FrameSettings,
): Promise<FrameCase> {
  const { count } = scene;
  const small = await createGpuFrame(tester, device, scene, 'pairs', 1, shape);
  const { candidates } = (await small.run(0)).counts;
  const bytesPerBody = small.bytes / count;
  small.dispose();
  const maxPairs = Math.ceil(PAIR_ROOM * candidates!) + 1;
  const pairs = await createGpuFrame(tester, device, scene, 'pairs', maxPairs, shape);
  const whole = hasRoomFor(device, 'manifolds', maxPairs)
    ? await createGpuFrame(tester, device, scene, 'manifolds', maxPairs, shape)
    : undefined;
  const isSmall = count <= MOST_OF_PEERS;
  const rapier = isSmall ? await createRapier?.(scene) : undefined;
  const arrays = isSmall ? await createHostFrame(tester, scene, shape) : undefined;

  const first = expectAll(await (whole ?? pairs).run(0));
  await whole?.stages();
  await pairs.run(0);
  // In its first steps Rapier builds its tree and its graph of contacts.
  for (const frame of [-2, -1, 0]) rapier?.run(frame);
  await arrays?.run();
  const frames: FrameTime[] = [];
  const searches: FrameTime[] = [];
  const stages: FrameStages[] = [];
  const hosts: { findPairsMs: number; manifoldsMs: number }[] = [];
  const steps: RapierTime[] = [];
  for (let round = 1; round <= rounds; round++) {
    if (whole) frames.push(await timed(whole, round));
    searches.push(await timed(pairs, round));
    const own = await (whole ?? pairs).stages();
    if (own) stages.push(own);
    if (arrays) hosts.push(await arrays.run());
    if (rapier) steps.push(rapier.run(round));
  }
  for (const each of [whole, pairs, rapier]) each?.dispose();
  return {
    scene: scene.name,
    bodies: count,
    pairs: first.candidates!,
    pairsOfHost: arrays?.pairs ?? null,
    hits: whole ? first.hits : null,
    frame: medians(frames),
    pairsOnly: medians(searches)!,
    stages: medians(stages),
    bytesPerBody,
    host: medians(hosts),
    rapier: medians(steps),
  };
}

async function timed(frame: GpuFrame, round: number): Promise<FrameTime> {
  const { wallMs, processorMs, counts } = await frame.run(round);
  expectAll({ counts });
  return { wallMs, processorMs };
}

/** Throws if pairs were left out: the frame would be shorter than it should be. */
function expectAll({ counts }: { counts: BatchCounts }): BatchCounts {
  const { pairOverflow, invalidBodies } = counts;
  if (pairOverflow > 0 || invalidBodies! > 0)
    throw new Error(`${pairOverflow} pairs were left out, and ${invalidBodies} bodies are invalid`);
  return counts;
}

/** `findPairs` and `manifolds` over the caller's arrays. */
async function createHostFrame(tester: Tester, { count, positions, quaternions, scales }: FrameScene, shape: number) {
  const bodies: Bodies = { shapes: new Uint32Array(count).fill(shape), positions, quaternions, scales };
  const pairs = await tester.findPairs(bodies);
  return {
    pairs: pairs.length / 2,
    async run() {
      const start = performance.now();
      const found = await tester.findPairs(bodies);
      const middle = performance.now();
      await tester.manifolds(bodies, found, { results: 'hits' });
      return { findPairsMs: middle - start, manifoldsMs: performance.now() - middle };
    },
  };
}

/** The median of each field; null without samples. */
function medians<Fields extends object>(samples: readonly Fields[]): Fields | null {
  if (samples.length === 0) return null;
  const names = Object.keys(samples[0]) as (keyof Fields)[];
  const each = names.map((name) => [name, median(samples.map((sample) => sample[name] as number))]);
  return Object.fromEntries(each) as Fields;
}
