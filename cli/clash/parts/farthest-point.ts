/** The point of a round surface that is farthest from a body, by a search over directions. */

import { addScaled, cross, length, perpendicular, scale, transform, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import type { Cover } from '../solids/cover.ts';
import type { Solid } from '../solids/solid.ts';
import { BETWEEN_DIRECTIONS, farthestPoint } from '../solids/surface.ts';

/** Corners from which is searched. */
const STARTS = 8;
/** The last step of a search, as an angle. The gap is found to its square. */
const LAST_STEP = 2 ** -14;

/**
 * Whether a point between the corners of a round surface is farther than the limit. `directions` are those of the corners,
 * and `gaps` their gaps, within the limit. Points are relative to the position of the body with this cover; `offset` leads
 * from there to the solid.
 */
export function isFartherBetween(
  solid: Solid,
  offset: Vec3,
  directions: Float64Array,
  gaps: Float64Array,
  cover: Cover,
  limit: number,
): boolean {
  const farthest = farthestPoint(solid.shape);
  const at = vec3();
  const gapAlong = (direction: Vec3): number => {
    const p = scale(farthest(direction, at), solid.scale, at);
    return cover.gapAt(addScaled(transform(solid.rotation, p, p), offset, 1, p));
  };
  // No point is farther from its nearest corner than this.
  const reach = solid.scale * solid.shape.boundingRadius * BETWEEN_DIRECTIONS;
  const starts = [...gaps.keys()].filter((i) => gaps[i] + reach > limit).sort((i, j) => gaps[j] - gaps[i]);
  return starts.slice(0, STARTS).some((i) => {
    const start = vec3(directions[3 * i], directions[3 * i + 1], directions[3 * i + 2]);
    return climb(start, gaps[i], gapAlong, limit) > limit;
  });
}

/** Goes on to the best of the directions around, in ever smaller steps. Returns the gap there, or one above the limit. */
function climb(direction: Vec3, gap: number, gapAlong: (direction: Vec3) => number, limit: number): number {
  let best = direction;
  let greatest = gap;
  for (let step = BETWEEN_DIRECTIONS / 2; step > LAST_STEP && greatest <= limit;) {
    const from = best;
    for (const to of around(from, step)) {
      const there = gapAlong(to);
      if (there <= greatest) continue;
      greatest = there;
      best = to;
    }
    if (best === from) step /= 2;
  }
  return greatest;
}

/** Directions at an angle of about `step`. */
function around(direction: Vec3, step: number): Vec3[] {
  const u = perpendicular(direction, vec3());
  const v = cross(direction, u, vec3());
  return [u, v].flatMap((side) =>
    [step, -step].map((move) => {
      const to = addScaled(direction, side, move, vec3());
      return scale(to, 1 / length(to), to);
    }),
  );
}
