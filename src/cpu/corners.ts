/** Mirror of shaders/corners.wgsl: of the corners of a contact region up to four that a contact can be held by. */
import { MANIFOLD_FAR_TIE, MANIFOLD_LEAST_SHARE, MANIFOLD_MANY_CORNERS } from '../generated/constants.ts';

/**
 * What the ULPS are multiplied with here, in place of the machine epsilon: contacts are known to a tenth of the
 * reference's tolerance, of which there are thousands of ULPS, so that points can't be told apart by less.
 */
export const EPSILON = 2 ** -40;

/** Heights and areas of what is level or grows: less is rounding. */
const NOISE = 2 * EPSILON;

/** u, v, h of each corner, h on A's surface, and its distance along the normal to B's. */
const places = new Float64Array(4 * MANIFOLD_MANY_CORNERS);
/** What each corner is, and by what it is known: see manifold.ts. */
const ids = new Uint32Array(2 * MANIFOLD_MANY_CORNERS);
let count = 0;

const NONE = -1;

export function clearCorners(): void {
  count = 0;
}

export function cornerCount(): number {
  return count;
}

export function cornerPlace(i: number, k: 0 | 1 | 2 | 3): number {
  return places[4 * i + k];
}

export function cornerId(i: number): number {
  return ids[2 * i];
}

export function cornerName(i: number): number {
  return ids[2 * i + 1];
}

function setPlace(i: number, u: number, v: number, h: number, distance: number): void {
  places[4 * i] = u;
  places[4 * i + 1] = v;
  places[4 * i + 2] = h;
  places[4 * i + 3] = distance;
}

function setIds(i: number, id: number, name: number): void {
  ids[2 * i] = id;
  ids[2 * i + 1] = name;
}

function move(from: number, to: number): void {
  places.copyWithin(4 * to, 4 * from, 4 * from + 4);
  ids.copyWithin(2 * to, 2 * from, 2 * from + 2);
}

/** Corners nearer to each other than `same`, if that is not 0, are one: the deeper, with the lower id. */
export function addCorner(
  u: number,
  v: number,
  h: number,
  distance: number,
  id: number,
  name: number,
  same: number,
): void {
  // From the end on without any.
  for (let i = same > 0 ? 0 : count; i < count; i++) {
    if ((places[4 * i] - u) ** 2 + (places[4 * i + 1] - v) ** 2 > same * same) continue;
    if (distance < places[4 * i + 3] - NOISE) setPlace(i, u, v, h, distance);
    if (id < ids[2 * i]) setIds(i, id, name);
    return;
  }
  if (count === MANIFOLD_MANY_CORNERS) thinOut();
  setPlace(count, u, v, h, distance);
  setIds(count++, id, name);
}

/** Adds a corner unless it is too far apart. */
export function offerCorner(
  u: number,
  v: number,
  h: number,
  distance: number,
  id: number,
  name: number,
  maxDistance: number,
  same: number,
): void {
  if (distance <= maxDistance) addCorner(u, v, h, distance, id, name, same);
}

export function removeCorner(i: number): void {
  move(--count, i);
}

export function deepestCorner(): number {
  let deepest = 0;
  for (let i = 1; i < count; i++) if (places[4 * i + 3] < places[4 * deepest + 3]) deepest = i;
  return deepest;
}

/**
 * Chooses up to four of the corners, of which there is one at least, and gives their number: the deepest of them first,
 * the others by rank. A corner at most `level` less deep than the deepest is as good as that, and corners within `same`
 * of one line or of each other have no area. Far apart a pair's `level` may be less than the rounding of a depth: what
 * is as good as the deepest is compared so that the deepest itself always is.
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

function comesBefore(a: number, b: number): boolean {
  return rankOf(a) < rankOf(b) || (rankOf(a) === rankOf(b) && ids[2 * a] < ids[2 * b]);
}

function spreadCorners(deepest: number, lowest: number, same: number, chosen: Int32Array): number {
  chosen[0] = deepest;
  if (count === 1) return 1;
  // Two that are nearly as far apart as any.
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
  sortRing();
  return widestCorners(lowest, chosen);
}

/** Of corners about as far the one that comes first. */
function farthestFrom(i: number): number {
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
  // From the corner that comes first: of a region hardly larger than a point any may be an end.
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

/** Twice the area of a triangle of corners, negative where it goes around clockwise. */
function twiceArea(a: number, b: number, c: number): number {
  const u = places[4 * a];
  const v = places[4 * a + 1];
  return (places[4 * b] - u) * (places[4 * c + 1] - v) - (places[4 * b + 1] - v) * (places[4 * c] - u);
}

/** Whether of four corners three span about as much as all; the triangles that they make cover what they span twice. */
function isTriangleEnough(): boolean {
  const a = Math.abs(twiceArea(0, 1, 2));
  const b = Math.abs(twiceArea(0, 1, 3));
  const c = Math.abs(twiceArea(0, 2, 3));
  const d = Math.abs(twiceArea(1, 2, 3));
  return 2 * Math.max(a, b, c, d) >= MANIFOLD_LEAST_SHARE * (a + b + c + d);
}

/** Puts the corners in order counter-clockwise around their mean. */
function sortRing(): void {
  let u = 0;
  let v = 0;
  for (let i = 0; i < count; i++) {
    u += places[4 * i];
    v += places[4 * i + 1];
  }
  u /= count;
  v /= count;
  for (let i = 1; i < count; i++) {
    const atU = places[4 * i];
    const atV = places[4 * i + 1];
    const atH = places[4 * i + 2];
    const distance = places[4 * i + 3];
    const id = ids[2 * i];
    const name = ids[2 * i + 1];
    const turn = turnOf(atU - u, atV - v);
    let to = i;
    for (; to > 0 && turnOf(places[4 * to - 4] - u, places[4 * to - 3] - v) > turn; to--) move(to - 1, to);
    setPlace(to, atU, atV, atH, distance);
    setIds(to, id, name);
  }
}

/** Grows with the angle of a vector, from -1 to 3. */
function turnOf(u: number, v: number): number {
  const part = u / Math.max(Math.abs(u) + Math.abs(v), 1e-30);
  return v < 0 ? part : 2 - part;
}

/**
 * Drops, of a full ring, one after the other the corner that takes the least area away, until half of it is left; never
 * the deepest.
 */
function thinOut(): void {
  sortRing();
  while (count > MANIFOLD_MANY_CORNERS / 2) {
    const deepest = deepestCorner();
    let least = Infinity;
    let dropped = 0;
    for (let i = 0; i < count; i++) {
      const area = Math.abs(twiceArea(i === 0 ? count - 1 : i - 1, i, i === count - 1 ? 0 : i + 1));
      if (i === deepest || area >= least) continue;
      least = area;
      dropped = i;
    }
    count--;
    for (let i = dropped; i < count; i++) move(i + 1, i);
  }
}

/**
 * What ties go by: lower first. Vertices come before crossings, which wander along edges that are nearly parallel.
 * Among themselves they are in an order that has nothing to do with where they are: in order around the region it would
 * be the one at the border of the tie, which a tremble takes out.
 */
function rankOf(i: number): number {
  const name = ids[2 * i + 1];
  return ((name & 0xc0000000) | (Math.imul(name, 0x9e3779b1) >>> 2)) >>> 0;
}

/**
 * The widest area that a diagonal from a corner splits, and, of its other ends that split as much as is asked for, the
 * one of the lowest rank.
 */
const split = { area: 0, end: NONE, endArea: 0 };

/**
 * Tries all diagonals from corner `from`. The farthest corners on both sides of them go around the ring as they do: no
 * corner is passed twice.
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

/**
 * Of a ring in order: of all sets of four that have one of the deep ones and nearly the widest area, the one whose
 * ranks come first, that of the deep one, of the one opposite, and of those on the left and on the right of them. Three
 * are taken where the fourth adds next to nothing.
 */
function widestCorners(lowest: number, chosen: Int32Array): number {
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
  chosen[0] = from;
  chosen[1] = to;
  let found = 2;
  const left = widestBeside(from, to, 1);
  const right = widestBeside(from, to, -1);
  // By rounding less than the same area above.
  const enough = Math.min(least, left + right);
  const onLeft = cornerBeside(from, to, 1, right, enough);
  if (onLeft !== NONE) chosen[found++] = onLeft;
  const onRight = cornerBeside(from, to, -1, onLeft === NONE ? 0 : twiceArea(from, to, onLeft), enough);
  if (onRight !== NONE) chosen[found++] = onRight;
  return found;
}

/** Of the triangles over one side of a diagonal twice the widest one's area. */
function widestBeside(from: number, to: number, side: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, side * twiceArea(from, to, i));
  return most;
}

/**
 * Of the corners on one side that together with `rest`, the area on the other, are enough, the one of the lowest rank;
 * none where `rest` is.
 */
function cornerBeside(from: number, to: number, side: number, rest: number, enough: number): number {
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
