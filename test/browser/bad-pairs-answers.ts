/** Runs in the page, on the sources: what the kernels say of pairs that the host would not let pass. */

import type { AnswerForm, Backend, BodyPairs, LeadStage } from '../../src/request/backend.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { openDevice } from '../../src/gpu/device.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { RecordChunk } from '../../src/records/chunk.ts';
import { dim2, dimension2 } from '../../src/dimension/dim2.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { dim3, dimension3 } from '../../src/dimension/dim3.ts';
import { Status } from '../../src/api/types.ts';
import { mixBadPairs, mixPlanarBadPairs, type MixedPairs, type MixedPlanarPairs } from './bad-pairs.ts';

export interface BadPairsReport {
  /** Pairs of each sort. */
  good: number;
  bad: number;
  /** Kinds of bad pairs. */
  kinds: number;
  /** Good pairs that are hits. */
  hits: number;
  faults: string[];
}

interface Answer {
  /** Words of each record. */
  records: Uint32Array[];
  pairs: number[];
  /** Only for hits. */
  statusCounts: number[];
}

/**
 * A backend for all questions of a dimension, so that what they share compiles once, and the pairs that it is asked
 * about.
 */
interface Prepared {
  backend: Backend;
  mixed: MixedPairs | MixedPlanarPairs;
}

const kept = new Map<Dimension, Promise<Prepared>>();

async function prepare(dimension: Dimension, count: number, seed: number): Promise<Prepared> {
  const mixed =
    dimension === dimension2 ? mixPlanarBadPairs('circle/rectangle', count, seed) : mixBadPairs(count, seed);
  return {
    backend: createGpuBackend(
      await openDevice(navigator.gpu, {}),
      {},
      dimension,
      (dimension === dimension2 ? dim2 : dim3).planners,
    ),
    mixed,
  };
}

/**
 * Bad pairs must have status InvalidInput and zeros and be no hits, and the others the bits of a run without bad ones.
 * `leadStage` is what comes before GJK. The first call chooses the pairs for all of its dimension.
 */
export async function answerBadPairs(
  query: QueryName,
  leadStage: LeadStage,
  count: number,
  seed: number,
  axes: 2 | 3 = 3,
  margin = 0.0625,
): Promise<BadPairsReport> {
  const dimension = axes === 2 ? dimension2 : dimension3;
  const preparing = kept.get(dimension) ?? prepare(dimension, count, seed);
  kept.set(dimension, preparing);
  const {
    backend,
    mixed: { shapes, family, bodies, pairs, badAt },
  } = await preparing;
  const { words, info } = dimension.records.sizes[query];
  const run = async (given: Pick<BodyPairs, 'bodies' | 'pairs'>, slots: 'all' | 'hits'): Promise<Answer> => {
    const answer: Answer = { records: [], pairs: [], statusCounts: [] };
    const write = ({ firstPair, recordCount, records, listed }: RecordChunk): void => {
      for (let i = 0; i < recordCount; i++) {
        answer.records.push(new Uint32Array(records, 4 * words * i, words));
        answer.pairs.push(firstPair + (listed ? listed[i] : i));
      }
    };
    const takeCounts = (counts: ArrayLike<number>): void => void (answer.statusCounts = Array.from(counts));
    const sink = { loadDecoding: async () => {}, write, count: takeCounts };
    const form: AnswerForm = { type: 'records', slots };
    await backend.run({ what: { query, leadStage, margin }, over: { dimension, shapes, ...given }, form }, sink);
    return answer;
  };
  const scales = new Float32Array(family.bodies.shapes.length).fill(1);
  const good = { bodies: { scales, ...family.bodies }, pairs: family.pairs };
  const clean = await run(good, 'all');
  const cleanHits = await run(good, 'hits');
  const mixed = await run({ bodies, pairs }, 'all');
  const hits = await run({ bodies, pairs }, 'hits');
  const faults: string[] = [];
  const zeros = Array.from({ length: words }, (_, word) => (word === info ? Status.InvalidInput : 0));
  let next = 0;
  mixed.records.forEach((record, pair) => {
    const bad = badAt.get(pair);
    if (String(record) !== String(bad ? zeros : clean.records[next++]))
      faults.push(`pair ${pair}, ${bad ?? 'a good one'}: ${record}`);
  });
  if (next !== clean.records.length) faults.push(`${next} good pairs, expected ${clean.records.length}`);
  if (String(hits.records) !== String(cleanHits.records)) faults.push('hits differ from those without bad pairs');
  if (hits.pairs.some((pair) => badAt.has(pair))) faults.push('a bad pair is a hit');
  const statusCounts = cleanHits.statusCounts.map(
    (number, status) => number + (status === Status.InvalidInput ? badAt.size : 0),
  );
  if (String(hits.statusCounts) !== String(statusCounts))
    faults.push(`statuses ${hits.statusCounts}, expected ${statusCounts}`);
  return {
    good: next,
    bad: badAt.size,
    kinds: new Set(badAt.values()).size,
    hits: hits.records.length,
    faults: faults.slice(0, 5),
  };
}
