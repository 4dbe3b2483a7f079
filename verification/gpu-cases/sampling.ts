/** Samples of several measurements by turns, so that what slows the machine down for a while slows all of them. */

import { median } from '../statistics/median.ts';
import type { Runner, Sample } from './runner.ts';

/** A sample takes at least this: shorter ones tell more about the way to the device and back. */
export const SAMPLE_MS = 10;
/** Aimed at, as runs get faster when the GPU's clock has risen. */
const AIM_MS = 1.4 * SAMPLE_MS;

/**
 * Milliseconds of the same query before the first sample: a graphics card that was idle takes about so long to raise its
 * clocks.
 */
export const WARM_UP_MS = 200;

/** Pairs per second: the median of the samples, the slowest and the fastest. */
export interface Rate {
  median: number;
  least: number;
  greatest: number;
}

export interface Sampled {
  /** Runs in one submission. */
  repeats: number;
  samples: number;
  /** By timestamps; null without them. */
  gpu: Rate | null;
  /** Submission to done, the input resident. */
  wall: Rate;
  /** Milliseconds from the submission of a single run until it is done. */
  latencyMs: number;
}

/** How many runs make a sample long enough. The runs for it warm the GPU up. */
export async function calibrate(runner: Runner): Promise<{ repeats: number; sampleMs: number }> {
  await runner.start(1);
  let repeats = 1;
  let enough = 0;
  for (;;) {
    const { gpuMs, wallMs } = await runner.sample(repeats);
    const sampleMs = repeats * (gpuMs ?? wallMs);
    if (sampleMs >= SAMPLE_MS) {
      enough++;
      // Short work is tried again at the clock that it has risen to.
      if (enough === 2 || sampleMs > 10 * SAMPLE_MS) return { repeats, sampleMs };
      continue;
    }
    if (repeats >= runner.mostRepeats) return { repeats, sampleMs };
    const wanted = sampleMs > 0 ? Math.ceil((repeats * AIM_MS) / sampleMs) : Infinity;
    // The first runs may be slow ones: the rest of the way in steps.
    repeats = Math.min(runner.mostRepeats, wanted, 16 * repeats);
  }
}

export interface Sampling {
  runner: Runner;
  repeats: number;
}

/** Runs the work until the clocks are up. */
export async function warmUp({ runner, repeats }: Sampling): Promise<void> {
  const begin = performance.now();
  while (performance.now() - begin < WARM_UP_MS) await runner.sample(repeats);
}

/**
 * `rounds` samples of each after a warm-up and one sample that does not count; round r begins with measurement r. Ends
 * early, but not before three rounds, when `isOver` says so.
 */
export async function sampleByTurns(
  all: readonly Sampling[],
  rounds: number,
  isOver: () => boolean,
): Promise<Sampled[]> {
  const samples = all.map((): Sample[] => []);
  const latencies = all.map((): number[] => []);
  if (all.length > 0) await warmUp(all.at(-1)!);
  for (const { runner, repeats } of all) await runner.sample(repeats);
  for (let round = 0; round < rounds && !(round >= 3 && isOver()); round++) {
    for (let turn = 0; turn < all.length; turn++) {
      const i = (round + turn) % all.length;
      const { runner, repeats } = all[i];
      samples[i].push(await runner.sample(repeats));
      latencies[i].push(repeats === 1 ? samples[i].at(-1)!.wallMs : (await runner.sample(1)).wallMs);
    }
  }
  return all.map(({ runner: { pairs }, repeats }, i) => {
    const gpu = samples[i].flatMap(({ gpuMs }) => (gpuMs === null ? [] : [gpuMs]));
    return {
      repeats,
      samples: samples[i].length,
      gpu: gpu.length > 0 ? rateOf(pairs, gpu) : null,
      wall: rateOf(
        pairs,
        samples[i].map(({ wallMs }) => wallMs),
      ),
      latencyMs: median(latencies[i]),
    };
  });
}

/** Pairs per second, from the times for `pairs` pairs. */
export function rateOf(pairs: number, milliseconds: readonly number[]): Rate {
  const rates = milliseconds.map((ms) => (1000 * pairs) / ms);
  return { median: median(rates), least: Math.min(...rates), greatest: Math.max(...rates) };
}
