/** Rays against boxes. */

/** Boxes are enlarged by this share of their distance from the ray's origin and of its radius, for the rounding of f32. */
const SLACK = 1e-6;

/** And by this share of the coordinates, whose differences round in double precision. */
const ROUNDING = 2 ** -50;

/** Rays, with one number per axis in `origins` and `directions`. */
export interface RayArrays {
  readonly origins: ArrayLike<number>;
  readonly directions: ArrayLike<number>;
  readonly maxTimes?: ArrayLike<number>;
  readonly radii?: ArrayLike<number>;
}

/**
 * A test of whether a ray meets the box that begins at `at`, enlarged by the ray's radius, up to the ray's greatest time:
 * Kay, Kajiya, "Ray Tracing Complex Scenes" (1986).
 */
export function rayTest(
  axes: number,
  { origins, directions, maxTimes, radii }: RayArrays,
  ray: number,
): (boxes: Float64Array, at: number) => boolean {
  const end = maxTimes ? maxTimes[ray] : Infinity;
  const radius = radii ? radii[ray] : 0;
  const own = axes * ray;
  return (boxes, at) => {
    let enter = 0;
    let leave = end;
    for (let k = 0; k < axes; k++) {
      const o = origins[own + k];
      const d = directions[own + k];
      const low = boxes[at + k] - o;
      const high = boxes[at + 3 + k] - o;
      const farthest = Math.max(Math.abs(low), Math.abs(high));
      const reach = radius + SLACK * (radius + farthest) + ROUNDING * (Math.abs(o) + farthest);
      const toLow = low - reach;
      const toHigh = high + reach;
      if (d === 0) {
        if (toLow > 0 || toHigh < 0) return false;
        continue;
      }
      enter = Math.max(enter, Math.min(toLow / d, toHigh / d));
      leave = Math.min(leave, Math.max(toLow / d, toHigh / d));
    }
    return enter <= leave * (1 + SLACK);
  };
}
