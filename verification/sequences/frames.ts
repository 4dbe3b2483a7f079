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

export async function makeFrames(block: Block, way: BatchWay): Promise<Frames> {
  const { axes, random, card, report, note } = block;
  const { query, algorithm, mprDepth, results } = way;
  const margin = marginOf(way, random);
  const isFinding = query === 'findPairs';
  const isCasting = query === 'rayCasts';
  const hasPairs = !isFinding && !isCasting && !way.broadPhase;
  let duration = query === 'impacts' ? uniform(random, 0.2, 1.5) : undefined;
  const options = isFinding
    ? { query: 'pairs', broadPhase: { margin } }
    : isCasting
      ? { query, algorithm, maxRays: MAX_RAYS }
      : {
          query,
          algorithm,
          margin,
          results,
          ...(mprDepth && { mprDepth }),
          ...(duration !== undefined && { duration, turning: way.isTurning, stopAtPenetration: way.stopAtPenetration }),
          ...(way.broadPhase && { broadPhase: true }),
          ...(way.isWarm && { warmStart: true }),
        };
  const batch = (await card.tester.createBatch({
    ...options,
    maxBodies: MAX_BODIES,
    maxPairs: isCasting ? 20 * MAX_PAIRS : MAX_PAIRS,
  } as never)) as unknown as Batch<Columns & { pairs: Uint32Array }>;
  const what = `batch of ${JSON.stringify({ ...options, types: way.types })}`;

  async function read(): Promise<Columns & { pairs: Uint32Array }> {
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    return batch.read({
      ...(query === 'contacts' && { bounds: true }),
      ...(!isFinding && !isCasting && { bodies: true }),
    } as never);
  }

  async function run(): Promise<void> {
    report.frames++;
    report.asked[`batch ${query}`] = (report.asked[`batch ${query}`] ?? 0) + 1;
    const isMoving = query === 'impacts';
    const form = {
      bodies: 1 + below(random, below(random, 4) === 0 ? MAX_BODIES - 1 : 20),
      pairs: below(random, below(random, 4) === 0 ? MAX_PAIRS : 60),
      isWide: false,
      hasScales: below(random, 3) === 0,
      isMoving,
      isTurning: isMoving && way.isTurning,
    };
    const scene = makeScene(axes, shapesOf(block, way), form.bodies === 1 ? { ...form, pairs: 0 } : form, random);
    const rays = isCasting ? makeRays(axes, below(random, MAX_RAYS), random) : undefined;
    if (duration !== undefined) duration = uniform(random, 0.2, 1.5);
    // Shapes may have been replaced by others that need other kernels.
    await batch.prepare();
    spoil(block);
    write(scene, rays);
    if (hasPairs && scene.pairs.length > 0 && below(random, 3) === 0) writeBadIndex(scene.pairs);
    const found = await read();
    card.fill('zeros', random);
    const clean = await read();
    if (isFinding) {
      if (`${found.pairs}` !== `${clean.pairs}`)
        note(what, [`the pairs are ${found.pairs}, on clean memory ${clean.pairs}`]);
      if (clean.pairs.length < 2 * MAX_PAIRS)
        note(what, await judgePairsFound(block, clean.pairs, scene, { margin: margin ?? 0 }));
      return;
    }
    if (!way.isWarm) note(what, bitDifferences(found, clean, false));
    if (rays) {
      note(what, await judgeRays(block, clean, scene, rays));
      return;
    }
    if (results !== 'all') return;
    const pairs = way.broadPhase ? interleaved(clean) : scene.pairs;
    const judged = { way, margin, duration, scene: { ...scene, pairs }, shapes: block.shapes, chosen: [] };
    note(what, await judgeAnswer(block, clean, judged));
  }

  function write(scene: Scene, rays?: Record<string, Float32Array>): void {
    const data = {
      bodies: scene.bodies,
      ...(hasPairs && { pairs: scene.pairs }),
      ...(duration !== undefined && { duration }),
      rays,
    };
    batch.write(data as never);
  }

  /** Puts an index beyond the capacity, which only the device finds, into the pairs. */
  function writeBadIndex(pairs: Uint32Array): void {
    pairs[below(random, pairs.length)] = MAX_BODIES + below(random, 2 ** 20);
    batch.device.queue.writeBuffer(batch.input.pairs, 0, pairs as Uint32Array<ArrayBuffer>);
  }

  return { run, dispose: () => batch.dispose() };
}

/** The pairs of a result that names their bodies. */
function interleaved({ a, b, count }: Columns): Uint32Array {
  return Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? a : b)[i >> 1]);
}
