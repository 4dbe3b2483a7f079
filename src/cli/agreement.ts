/**
 * How well an engine's answer agrees with the double-precision CPU reference, over all pairs or a seeded sample of
 * hits and others. The reference gives the exact signed distance of each checked pair, and the answer is judged by it:
 *
 * - a hit's distance by |distance - reference| (by |distance - max(0, reference)| for `distances`, which does not
 *   resolve penetration);
 * - a pair that is not listed as a hit, or listed without a distance, by how far the reference lies on the other side
 *   of the margin.
 *
 * Differences are relative to max(s, |B - A|), s being the sum of both bounding radii.
 */

import { createTester } from '../node.ts';
import type { QueryName } from '../pack/results.ts';
import { Status } from '../types.ts';
import { GPU_TOLERANCE } from '../scene/bounds.ts';
import { addShapes } from '../scene/add-shapes.ts';
import { defaultMargin } from './engines.ts';
import type { Answer } from './engines.ts';
import type { Scene } from '../scene/scene.ts';

/** Most pairs that are compared; an even number. */
const SAMPLE_SIZE = 20_000;
const SAMPLE_SEED = 1;

export interface Agreement {
  /** Pairs compared. */
  checked: number;
  /** Seed of the sample; null where all pairs were compared. */
  seed: number | null;
  /** Pairs left out because engine or reference had no answer (any status but Separated and Overlapping). */
  unanswered: number;
  /** Largest relative difference. */
  largestDifference: number;
  /** Pairs whose status or hit differs although the reference is farther than `tolerance` from 0 or the margin. */
  disagreements: number;
  /** Relative tolerance within which status and hit may differ. */
  tolerance: number;
  /** The pair of the largest difference; `distance` is null where the answer lists none. */
  worst: { pair: number; a: number; b: number; distance: number | null; reference: number } | null;
}

export async function compareWithReference(
  scene: Scene,
  pairs: Uint32Array,
  query: QueryName,
  margin: number | undefined,
  answer: Answer,
): Promise<Agreement> {
  const pairCount = pairs.length / 2;
  const checked = chooseChecked(pairCount, answer);
  const limit = Math.fround(margin ?? defaultMargin(query));
  const scales = pairScales(scene, pairs, checked);
  const truth = await referenceDistances(scene, pairs, checked);
  const agreement: Agreement = {
    checked: 0,
    seed: checked.length < pairCount ? SAMPLE_SEED : null,
    unanswered: 0,
    largestDifference: 0,
    disagreements: 0,
    tolerance: GPU_TOLERANCE,
    worst: null,
  };
  let slot = 0;
  checked.forEach((pair, i) => {
    while (slot < answer.count && answer.pair[slot] < pair) slot++;
    const listed = slot < answer.count && answer.pair[slot] === pair;
    const status = listed ? answer.status[slot] : Status.Separated;
    const reference = truth[i];
    if (Number.isNaN(reference) || (status !== Status.Separated && status !== Status.Overlapping)) {
      agreement.unanswered++;
      return;
    }
    agreement.checked++;
    const distance = listed ? answer.distance?.[slot] : undefined;
    const beyond = listed ? reference - limit : limit - reference;
    const expected = query === 'distances' ? Math.max(0, reference) : reference;
    const difference = distance === undefined ? Math.max(0, beyond) : Math.abs(distance - expected);
    const relative = difference === 0 ? 0 : difference / scales[i];
    const band = GPU_TOLERANCE * scales[i];
    const statusDiffers = listed && (status === Status.Overlapping) !== reference <= 0 && Math.abs(reference) > band;
    if (statusDiffers || beyond > band) agreement.disagreements++;
    if (relative > agreement.largestDifference || agreement.worst === null) {
      agreement.largestDifference = relative;
      agreement.worst = { pair, a: pairs[2 * pair], b: pairs[2 * pair + 1], distance: distance ?? null, reference };
    }
  });
  return agreement;
}

/** All pairs, or a sample of which one half is drawn among the hits: in a large scene nearly all pairs are far apart. */
function chooseChecked(pairCount: number, answer: Answer): Uint32Array {
  const half = SAMPLE_SIZE / 2;
  if (pairCount <= SAMPLE_SIZE) return samplePairs(pairCount, SAMPLE_SIZE, SAMPLE_SEED);
  const hits = samplePairs(answer.count, half, SAMPLE_SEED).map((slot) => answer.pair[slot]);
  return Uint32Array.from(new Set([...hits, ...samplePairs(pairCount, half, SAMPLE_SEED)])).sort();
}

/** Signed distances of the given pairs by the CPU reference; NaN where it has no answer. */
async function referenceDistances(scene: Scene, pairs: Uint32Array, checked: Uint32Array): Promise<Float64Array> {
  const tester = await createTester({ backend: 'cpu' });
  try {
    const chosen = new Uint32Array(2 * checked.length);
    checked.forEach((pair, i) => chosen.set(pairs.subarray(2 * pair, 2 * pair + 2), 2 * i));
    const { distance, status } = await tester.contacts(addShapes(tester, scene.shapes, scene.bodies), chosen, { margin: Infinity });
    return Float64Array.from(checked, (_, i) =>
      status[i] === Status.Separated || status[i] === Status.Overlapping ? distance[i] : NaN,
    );
  } finally {
    tester.dispose();
  }
}

/** max(s, |B - A|) of the given pairs. */
function pairScales(scene: Scene, pairs: Uint32Array, checked: Uint32Array): Float64Array {
  const { shapes, positions, scales } = scene.bodies;
  return Float64Array.from(checked, (pair) => {
    const a = pairs[2 * pair];
    const b = pairs[2 * pair + 1];
    const sum = scene.shapeData[shapes[a]].boundingRadius * scales[a] + scene.shapeData[shapes[b]].boundingRadius * scales[b];
    const x = positions[3 * b] - positions[3 * a];
    const y = positions[3 * b + 1] - positions[3 * a + 1];
    const z = positions[3 * b + 2] - positions[3 * a + 2];
    return Math.max(sum, Math.hypot(x, y, z));
  });
}

/** At most `size` of the indices below `count`, ascending, each equally likely (Knuth, TAOCP 2, 3.4.2, algorithm S). */
export function samplePairs(count: number, size: number, seed: number): Uint32Array {
  const sample = new Uint32Array(Math.min(count, size));
  const random = mulberry32(seed);
  let taken = 0;
  for (let i = 0; taken < sample.length; i++) {
    if ((count - i) * random() < sample.length - taken) sample[taken++] = i;
  }
  return sample;
}

/** Uniform numbers in [0, 1) (Tommy Ettinger's mulberry32, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
