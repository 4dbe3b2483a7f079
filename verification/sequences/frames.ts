/** Batches of a block of sequences: frames of them come between queries, each submitted on stale and on zeroed memory. */

import type { Batch } from '../../src/api/batch.ts';
import { below, uniform } from '../families/random.ts';
import { bitDifferences } from './compare.ts';
import { judgeAnswer, judgePairsFound, judgeRays } from './judge-answer.ts';
import type { Columns } from './judge-pairs.ts';
import { shapesOf, spoil, type Block } from './block.ts';
import { makeRays, makeScene, type Scene } from './scene.ts';
import { marginOf, type BatchWay } from './ways.ts';

export interface Frames {
  run(): Promise<void>;
  dispose(): void;
}

const MAX_BODIES = 60;
const MAX_PAIRS = 600;
const MAX_RAYS = 40;

type Answer = Columns & { pairs: Uint32Array };

export async function makeFrames(block: Block, way: BatchWay): Promise<Frames> {
  const { random, card, report, note } = block;
  const { query, broadPhase } = way;
  const isMoving = query === 'impacts';
  const isListing = query !== 'findPairs' && query !== 'rayCasts';
  const hasPairs = isListing && !broadPhase;
  const margin = marginOf(way, random);
  const options = batchOptions(way, margin);
  const batch = (await card.tester.createBatch(options as never)) as unknown as Batch<Answer>;
  const what = `batch of ${JSON.stringify({ ...options, types: way.types })}`;

  async function read(): Promise<Answer> {
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    return batch.read({ ...(query === 'contacts' && { bounds: true }), ...(isListing && { bodies: true }) } as never);
  }

  /** Puts an index beyond the capacity, which only the device finds, into the pairs. */
  function writeBadIndex(pairs: Uint32Array): void {
    pairs[below(random, pairs.length)] = MAX_BODIES + below(random, 2 ** 20);
    batch.device.queue.writeBuffer(batch.input.pairs, 0, pairs as Uint32Array<ArrayBuffer>);
  }

  async function run(): Promise<void> {
    report.frames++;
    report.asked[`batch ${query}`] = (report.asked[`batch ${query}`] ?? 0) + 1;
    const scene = frameScene(block, way);
    const rays = query === 'rayCasts' ? makeRays(block.axes, below(random, MAX_RAYS), random) : undefined;
    const duration = isMoving ? uniform(random, 0.2, 1.5) : undefined;
    const { bodies, pairs } = scene;
    // Shapes may have been replaced by others that need other kernels.
    await batch.prepare();
    spoil(block);
    batch.write({ bodies, ...(hasPairs && { pairs }), ...(isMoving && { duration }), ...(rays && { rays }) } as never);
    if (hasPairs && pairs.length > 0 && below(random, 3) === 0) writeBadIndex(pairs);
    const found = await read();
    card.fill('zeros', random);
    const clean = await read();
    if (query === 'findPairs') {
      if (`${found.pairs}` !== `${clean.pairs}`)
        note(what, [`the pairs are ${found.pairs}, on clean memory ${clean.pairs}`]);
      if (clean.pairs.length < 2 * MAX_PAIRS)
        note(what, await judgePairsFound(block, clean.pairs, scene, { margin: margin ?? 0 }));
      return;
    }
    // A warm search ends elsewhere.
    if (!way.isWarm) note(what, bitDifferences(found, clean, false));
    if (rays) note(what, await judgeRays(block, clean, scene, rays));
    else if (way.results === 'all') {
      const judged = { ...scene, pairs: broadPhase ? interleaved(clean) : pairs };
      const how = { way, margin, duration, shapes: block.shapes, chosen: [] };
      note(what, await judgeAnswer(block, clean, { ...how, scene: judged }));
    }
  }

  return { run, dispose: () => batch.dispose() };
}

/** Bodies and pairs of a frame: mostly few, so that those of earlier frames lie behind them. */
function frameScene(block: Block, way: BatchWay): Scene {
  const { axes, random } = block;
  const isMoving = way.query === 'impacts';
  const bodies = 1 + below(random, below(random, 4) === 0 ? MAX_BODIES - 1 : 20);
  const form = {
    bodies,
    pairs: bodies === 1 ? 0 : below(random, below(random, 4) === 0 ? MAX_PAIRS : 60),
    isWide: false,
    hasScales: below(random, 3) === 0,
    isMoving,
    isTurning: isMoving && way.isTurning,
  };
  return makeScene(axes, shapesOf(block, way), form, random);
}

function batchOptions(way: BatchWay, margin: number | undefined): Record<string, unknown> {
  const { query, algorithm, mprDepth, results } = way;
  const room = { maxBodies: MAX_BODIES, maxPairs: MAX_PAIRS };
  if (query === 'findPairs') return { ...room, query: 'pairs', broadPhase: { margin } };
  // Most rays meet the boxes of many bodies.
  if (query === 'rayCasts') return { ...room, query, algorithm, maxRays: MAX_RAYS, maxPairs: 20 * MAX_PAIRS };
  const { isTurning: turning, stopAtPenetration } = way;
  return {
    ...room,
    query,
    algorithm,
    margin,
    results,
    ...(mprDepth && { mprDepth }),
    ...(query === 'impacts' && { duration: 1, turning, stopAtPenetration }),
    ...(way.broadPhase && { broadPhase: true }),
    ...(way.isWarm && { warmStart: true }),
  };
}

/** The pairs of a result that names their bodies. */
function interleaved({ a, b, count }: Columns): Uint32Array {
  return Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? a : b)[i >> 1]);
}
