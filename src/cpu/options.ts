/** Options of the reference, in space and in the plane. */
import type { Algorithm, ImpactAlgorithm, MprDepth } from '../api/types.ts';
import { namesOf } from '../util/known.ts';

export interface CpuOptions {
  /** Default `'auto'`. `'sat'` takes boxes only; in the plane segments, rectangles and polygons. */
  algorithm?: Algorithm;
  /** Of `'mpr'` alone: default `'normal'`. `contact` and `manifold` have depths. */
  mprDepth?: MprDepth;
  /**
   * A pair is a hit when its signed distance is at most `margin`. At least 0; default `Infinity` for `distance`,
   * otherwise 0.
   */
  margin?: number;
}

export interface CpuImpactOptions {
  /** Seconds of motion, at least 0; without angular velocities `Infinity` will do. At most 32 radians of turning. */
  duration: number;
  /**
   * How far apart bodies are when they meet: finite, at least 0; default 0. More than a million times their size and
   * their distance is as good as that.
   */
  margin?: number;
  /** Default `'auto'`. */
  algorithm?: ImpactAlgorithm;
  /** As `ImpactOptions.stopAtPenetration`: default true. */
  stopAtPenetration?: boolean;
}

/** The names of both. */
export const CPU_OPTIONS = namesOf<CpuOptions>({ algorithm: true, mprDepth: true, margin: true });
export const CPU_IMPACT_OPTIONS = namesOf<CpuImpactOptions>({
  duration: true,
  margin: true,
  algorithm: true,
  stopAtPenetration: true,
});
