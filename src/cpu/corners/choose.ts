/** Mirror of shaders/corners/choose.wgsl: up to four corners of a contact region that can hold a contact. */
import { MANIFOLD_FAR_TIE, MANIFOLD_LEAST_SHARE } from '../../generated/constants.ts';
import {
  NOISE,
  NONE,
  comesBefore,
  cornerCount,
  deepestCorner,
  places,
  rankOf,
  sortRing,
  twiceArea,
} from '../corners.ts';
import { diagonal, diagonalOfRing } from './ring.ts';

/**
 * Chooses up to four of the corners, of which there is at least one, and returns their number: the deepest of them
 * first, the others by rank. A corner at most `level` less deep than the deepest is as good as the deepest, and corners
 * within `same` of one line or of each other have no area. `level` may be less than the rounding of a depth, so depths
 * are compared by a sum that the deepest corner itself always satisfies.
 */
export function chooseCorners(level: number, same: number, chosen: Int32Array): number {
  const deepest = deepestCorner();
  const found = spreadCorners(deepest, places[4 * deepest + 3] + level, same, chosen);
  for (let k = 1; k < found; k++) {
    const number = chosen[k];
    let to = k;
    for (; to > 0 && comesBefore(number, chosen[to - 1]); to--) chosen[to] = chosen[to - 1];
    chosen[to] = number;
  }
  let first = 0;
  for (let k = 1; k < found; k++) if (places[4 * chosen[k] + 3] < places[4 * chosen[first] + 3] - NOISE) first = k;
  const number = chosen[first];
  for (; first > 0; first--) chosen[first] = chosen[first - 1];
  chosen[0] = number;
  return found;
}

function spreadCorners(deepest: number, lowest: number, same: number, chosen: Int32Array): number {
  const count = cornerCount();
  chosen[0] = deepest;
  if (count === 1) return 1;
  // Two corners that are nearly as far apart as any two.
  const from = farthestFrom(deepest);
  const to = farthestFrom(from);
  const baseU = places[4 * to] - places[4 * from];
  const baseV = places[4 * to + 1] - places[4 * from + 1];
  const length = Math.sqrt(baseU * baseU + baseV * baseV);
  if (length <= same) return 1;
  let width = 0;
  for (let i = 0; i < count; i++) width = Math.max(width, Math.abs(twiceArea(from, to, i)));
  if (width <= same * length) return spreadOnLine(deepest, lowest, same, chosen);
  if (count === 3 || (count === 4 && !isTriangleEnough())) {
    for (let i = 0; i < count; i++) chosen[i] = i;
    return count;
  }
  return widestCorners(lowest, chosen);
}

/** The farthest corner from corner i; of corners that are about as far, the one that comes first. */
function farthestFrom(i: number): number {
  const count = cornerCount();
  let farthest = i;
  let most = 0;
  for (let k = 0; k < count; k++) {
    const square = (places[4 * k] - places[4 * i]) ** 2 + (places[4 * k + 1] - places[4 * i + 1]) ** 2;
    if (square <= MANIFOLD_FAR_TIE * most && !(square > most / MANIFOLD_FAR_TIE && comesBefore(k, farthest))) continue;
    most = square;
    farthest = k;
  }
  return farthest;
}

/** Both ends of a line, and the deepest corner if that is neither. */
function spreadOnLine(deepest: number, lowest: number, same: number, chosen: Int32Array): number {
  const count = cornerCount();
  // Starts at the corner that comes first: in a region hardly larger than a point, any corner may be an end.
  let first = 0;
  for (let i = 1; i < count; i++) if (comesBefore(i, first)) first = i;
  const from = farthestFrom(first);
  const to = farthestFrom(from);
  chosen[0] = from;
  chosen[1] = to;
  if (places[4 * from + 3] <= lowest || places[4 * to + 3] <= lowest) return 2;
  chosen[0] = deepest;
  let found = 1;
  for (const end of [from, to]) {
    const u = places[4 * end] - places[4 * deepest];
    const v = places[4 * end + 1] - places[4 * deepest + 1];
    if (u * u + v * v > same * same) chosen[found++] = end;
  }
  return found;
}

/** Whether three of four corners span about as much area as all four. The four triangles cover the area twice. */
function isTriangleEnough(): boolean {
  const a = Math.abs(twiceArea(0, 1, 2));
  const b = Math.abs(twiceArea(0, 1, 3));
  const c = Math.abs(twiceArea(0, 2, 3));
  const d = Math.abs(twiceArea(1, 2, 3));
  return 2 * Math.max(a, b, c, d) >= MANIFOLD_LEAST_SHARE * (a + b + c + d);
}

/**
 * The set of four corners, one of them deep, with nearly the widest area that comes first by ranks: of the deep
 * corner, of the opposite one, then of the corners on the left and on the right of their diagonal. Three corners are
 * taken if the fourth adds next to nothing.
 */
function widestCorners(lowest: number, chosen: Int32Array): number {
  sortRing();
  diagonalOfRing(lowest);
  const { start: from, end: to, least } = diagonal;
  chosen[0] = from;
  chosen[1] = to;
  let found = 2;
  const left = widestBeside(from, to, 1);
  const right = widestBeside(from, to, -1);
  // The same area may be less than above by rounding.
  const enough = Math.min(least, left + right);
  const onLeft = cornerBeside(from, to, 1, right, enough);
  if (onLeft !== NONE) chosen[found++] = onLeft;
  const onRight = cornerBeside(from, to, -1, onLeft === NONE ? 0 : twiceArea(from, to, onLeft), enough);
  if (onRight !== NONE) chosen[found++] = onRight;
  return found;
}

/** Twice the area of the widest triangle on one side of a diagonal. */
function widestBeside(from: number, to: number, side: number): number {
  const count = cornerCount();
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, side * twiceArea(from, to, i));
  return most;
}

/**
 * The corner of the lowest rank on one side of the diagonal whose area, with `rest` on the other side, is enough; none
 * if `rest` alone is enough.
 */
function cornerBeside(from: number, to: number, side: number, rest: number, enough: number): number {
  const count = cornerCount();
  let corner = NONE;
  let most = 0;
  if (rest >= enough) return NONE;
  for (let i = 0; i < count; i++) {
    const area = side * twiceArea(from, to, i);
    if (rest + area < enough) continue;
    if (corner !== NONE && (rankOf(i) > rankOf(corner) || (rankOf(i) === rankOf(corner) && area <= most))) continue;
    corner = i;
    most = area;
  }
  return corner;
}
