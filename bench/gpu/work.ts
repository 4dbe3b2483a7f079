/** Bytes, iterations and instructions of a pair of one measurement. */

import type { GpuCase } from '../../verification/gpu-cases/cases.ts';
import { sumOf, type StageCount } from './count/counts.ts';
import { lockstepMean, meanOf } from '../../verification/gpu-cases/lockstep.ts';
import { recordOf } from '../../verification/gpu-cases/runner.ts';
import type { HostScene } from '../../verification/gpu-cases/scene.ts';

/** Iterations of all searches of a pair. */
export interface SearchIterations {
  mean: number;
  /** Mean over groups of 32 of the greatest in each. */
  lockstep: number;
}

export interface Work {
  /** null: there is no search. */
  iterations: SearchIterations | null;
  /** Instructions and bytes that the kernels' text comes to; null: not counted. */
  counted: StageCount | null;
  /** Each input read once, each output written once: a body that several pairs have in common counts in parts. */
  leastBytes: number;
}

/** Of a pair's list entry, a body's shape id, and what warm searches keep of a pair. */
const PAIR_BYTES = 8;
const ID_BYTES = 4;
const SIMPLEX_BYTES = 16;

export interface Measured {
  pairs: number;
  bodies: 'shared' | 'own';
  isWarm: boolean;
}

export function leastBytes(
  gpuCase: Pick<GpuCase, 'query' | 'workload' | 'motion'>,
  { dimension, pairCount }: Pick<HostScene, 'dimension' | 'pairCount'>,
  { pairs, bodies, isWarm }: Measured,
): number {
  const { poseWords, velocityWords } = dimension;
  const body = ID_BYTES + 4 * (poseWords + (gpuCase.motion ? velocityWords : 0));
  const bodiesPerPair = bodies === 'own' ? 2 : Math.min(2, (2 * pairCount) / pairs);
  // Read and written.
  const simplices = isWarm ? 2 * SIMPLEX_BYTES : 0;
  return PAIR_BYTES + bodiesPerPair * body + 4 * recordOf(gpuCase).words + simplices;
}

export function workOf(
  gpuCase: GpuCase,
  scene: HostScene,
  iterations: Uint16Array,
  counts: readonly StageCount[] | null,
  measured: Measured,
): Work {
  const mean = meanOf(iterations, scene.order);
  return {
    iterations: mean === 0 ? null : { mean, lockstep: lockstepMean(iterations, scene.order) },
    counted: counts && sumOf(counts),
    leastBytes: leastBytes(gpuCase, scene, measured),
  };
}
