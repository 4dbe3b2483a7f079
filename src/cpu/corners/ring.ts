/** Mirror of shaders/corners/ring.wgsl: the best diagonal in a convex ring of corners in order. */
import { MANIFOLD_LEAST_SHARE } from '../../generated/constants.ts';
import { NOISE, NONE, cornerCount, places, rankOf, twiceArea } from '../corners.ts';

/**
 * The widest area that a diagonal from a corner splits. Of the diagonals that split at least a certain area, the end of
 * the lowest rank.
 */
const split = { area: 0, end: NONE, endArea: 0 };

/**
 * Tries all diagonals from corner `from`. The farthest corners on both sides of a diagonal go around the ring with its
 * end, so no corner is passed twice. `least` is the area that an end has to split.
 *
 *            end
 *         o---o---o  after
 *        /   /     \
 *       o   /       o
 *  before\ /       /
 *         o---o---o
 *        from
 */
function splitFrom(from: number, least: number): void {
  const count = cornerCount();
  split.area = 0;
  split.end = NONE;
  split.endArea = 0;
  let rank = 0;
  // Counted from `from`.
  let before = 1;
  let after = 2;
  for (let end = 1; end < count; end++) {
    const to = (from + end) % count;
    const noise =
      NOISE * (Math.abs(places[4 * to] - places[4 * from]) + Math.abs(places[4 * to + 1] - places[4 * from + 1]));
    let area = 0;
    if (end > 1) {
      let height = twiceArea(from, (from + before) % count, to);
      let most = height;
      while (before + 1 < end) {
        const next = twiceArea(from, (from + before + 1) % count, to);
        if (next < height - noise) break;
        height = next;
        most = Math.max(most, next);
        before++;
      }
      area += most;
    }
    after = Math.max(after, end + 1);
    if (after < count) {
      let height = twiceArea(from, to, (from + after) % count);
      let most = height;
      while (after + 1 < count) {
        const next = twiceArea(from, to, (from + after + 1) % count);
        if (next < height - noise) break;
        height = next;
        most = Math.max(most, next);
        after++;
      }
      area += most;
    }
    split.area = Math.max(split.area, area);
    if (area < least) continue;
    const ofEnd = rankOf(to);
    if (split.end !== NONE && (ofEnd > rank || (ofEnd === rank && area <= split.endArea))) continue;
    split.end = to;
    split.endArea = area;
    rank = ofEnd;
  }
}

/** The diagonal that is chosen, and twice the area that is enough for it. */
export const diagonal = { start: NONE, end: NONE, least: 0 };

/**
 * Of all diagonals from a deep corner that split nearly the widest area, puts the diagonal whose ends come first by
 * rank into `diagonal`.
 */
export function diagonalOfRing(lowest: number): void {
  const count = cornerCount();
  let most = 0;
  for (let i = 0; i < count; i++) {
    if (places[4 * i + 3] > lowest) continue;
    splitFrom(i, Infinity);
    most = Math.max(most, split.area);
  }
  const least = MANIFOLD_LEAST_SHARE * most;
  let from = NONE;
  let to = NONE;
  let area = 0;
  for (let i = 0; i < count; i++) {
    if (places[4 * i + 3] > lowest) continue;
    if (from !== NONE && rankOf(i) > rankOf(from)) continue;
    splitFrom(i, least);
    if (split.end === NONE || (from !== NONE && rankOf(i) === rankOf(from) && split.area <= area)) continue;
    from = i;
    to = split.end;
    area = split.area;
  }
  diagonal.start = from;
  diagonal.end = to;
  diagonal.least = least;
}
