/**
 * Exact signs of volumes and areas, by Shewchuk's adaptive predicates (1997). They are exact for coordinates that are 0
 * or from 2^-300 to 2^300 in absolute value. Points stand in arrays and are named by the place of their first number.
 */
import { orient2d, orient3d } from 'robust-predicates';

type Points = ArrayLike<number>;

/** The corners, and the axes, that follow and precede one. */
export const NEXT = [1, 2, 0] as const;
export const PREVIOUS = [2, 0, 1] as const;

/** A number with the sign of det(q - p, r - p, s - p), and 0 exactly if it is 0. */
export function volume(ps: Points, p: number, qs: Points, q: number, rs: Points, r: number, ss: Points, s: number) {
  return -orient3d(
    ps[p],
    ps[p + 1],
    ps[p + 2],
    qs[q],
    qs[q + 1],
    qs[q + 2],
    rs[r],
    rs[r + 1],
    rs[r + 2],
    ss[s],
    ss[s + 1],
    ss[s + 2],
  );
}

/** A number with the sign of det(q - p, r - p) of the projections along `axis`, and 0 exactly if it is 0. */
export function area(ps: Points, p: number, qs: Points, q: number, rs: Points, r: number, axis: number): number {
  const i = NEXT[axis];
  const j = PREVIOUS[axis];
  return -orient2d(ps[p + i], ps[p + j], qs[q + i], qs[q + j], rs[r + i], rs[r + j]);
}

/** Whether both numbers are above 0, or both below: their product may underflow. */
export function haveSameSign(x: number, y: number): boolean {
  return (x > 0 && y > 0) || (x < 0 && y < 0);
}
