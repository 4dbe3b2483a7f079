/** Options of the reference, in 3-D and in 2-D. */
import type { Algorithm, ImpactAlgorithm, MprDepth } from '../api/types.ts';
import { namesOf } from '../util/known.ts';

/** Options of `intersects`, `distance`, `contact` and `manifold`. */
export interface CpuOptions {
  /** Default `'auto'`. `'sat'` accepts boxes only; in 2-D segments, rectangles and polygons. */
  algorithm?: Algorithm;
  /** Only with `algorithm: 'mpr'`, for `contact` and `manifold`. Default `'normal'`. */
  mprDepth?: MprDepth;
  /**
   * A pair is a hit if its signed distance is at most `margin`, in world units. At least 0; default `Infinity` for
   * `distance`, otherwise 0.
   */
  margin?: number;
}

/** Options of `impact`. */
export interface CpuImpactOptions {
  /**
   * Seconds of motion, at least 0. `Infinity` is allowed without angular velocities. A body may rotate by at most 32
   * radians within it.
   */
  duration: number;
  /**
   * Separation at which bodies count as meeting, in world units: finite, at least 0, default 0. Larger values than about
   * a million times the size and distance of the bodies make no difference.
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
