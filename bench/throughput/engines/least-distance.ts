/**
 * The least signed distance of two convex bodies that move along straight lines without turning.
 *
 * Their signed distance is that of a point to a convex body, the difference of the two, which the point passes along a
 * line. So it is a convex function of the time, and what it grows by at one time, a line through that point, bounds it
 * from below everywhere (Kelley 1960, "The cutting-plane method for solving convex programs"). From both ends of an
 * interval that holds the least value such lines meet below it; where they meet the function is asked for next, and
 * takes the place of one of the ends.
 */

/** Signed distance at a time, and what it grows by a second then. */
export interface Moment {
  distance: number;
  slope: number;
}

/** Pairs of the workloads take up to 16 and six in the mean. */
const MOST_STEPS = 64;

/**
 * At most `tolerance` above the least value from 0 to `duration`; NaN where `at` is, or where the search does not end.
 */
export function leastDistance(at: (time: number) => Moment, duration: number, tolerance: number): number {
  let [start, end] = [0, duration];
  let before = at(start);
  if (before.slope >= 0) return before.distance;
  let after = at(end);
  if (after.slope <= 0) return after.distance;
  let least = Math.min(before.distance, after.distance);
  for (let step = 0; step < MOST_STEPS; step++) {
    const time =
      (after.slope * end - after.distance + before.distance - before.slope * start) / (after.slope - before.slope);
    const bound = before.distance + before.slope * (time - start);
    if (Number.isNaN(bound)) return NaN;
    // Rounding can leave the lines' crossing outside; there is nothing more to be found.
    if (least - bound <= tolerance || !(time > start && time < end)) return least;
    const between = at(time);
    least = Math.min(least, between.distance);
    if (between.slope === 0) return least;
    if (between.slope < 0) [start, before] = [time, between];
    else [end, after] = [time, between];
  }
  return NaN;
}
