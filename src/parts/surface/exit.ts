/** How far a part moves along a direction until it leaves a feature of a surface. */
import { vec3, type Vec3 } from '../../cpu/math.ts';

export interface Exit {
  /** Negative if the part is before the feature by this much; -Infinity if it does not pass it. */
  distance: number;
  /** On the feature. */
  readonly point: Vec3;
}

export function createExit(): Exit {
  return { distance: -Infinity, point: vec3() };
}
