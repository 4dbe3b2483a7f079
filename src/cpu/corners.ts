/** Mirror of shaders/corners.wgsl: the list of corners of a contact region. */
import { MANIFOLD_MOST_CORNERS, MANIFOLD_NOISE_ULPS, MANIFOLD_RANK_FACTOR } from '../generated/constants.ts';

/**
 * Factor of the ULPS here, in place of the machine epsilon. Contacts are known to a tenth of the reference's tolerance,
 * which is thousands of ULPS: points can't be told apart by less.
 */
export const CORNER_EPSILON = 2 ** -40;

/** Differences of heights and areas up to this are rounding. */
export const NOISE = MANIFOLD_NOISE_ULPS * CORNER_EPSILON;

/** u, v, h of each corner, with h on A's surface, and its distance along the normal to B's. */
export const places = new Float64Array(4 * MANIFOLD_MOST_CORNERS);
/** Id (what the corner is) and name (what it is known by) of each corner: see manifold.ts. */
const ids = new Uint32Array(2 * MANIFOLD_MOST_CORNERS);
let count = 0;

/** Where a corner is: u, v, h, with h on A's surface, and its distance along the normal to B's. */
export interface Place {
  u: number;
  v: number;
  h: number;
  distance: number;
}

export const NONE = -1;

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

function setPlace(i: number, { u, v, h, distance }: Place): void {
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

/** Makes room for the corners of an edge, at most three, and for one more that may come after all edges. */
export function makeRoom(): void {
  if (count + 4 > MANIFOLD_MOST_CORNERS) thinOut();
}

/**
 * Adds a corner. Corners nearer to each other than `same`, if that is not 0, are merged: the lower id, and the place of
 * the deeper one. If both are equally deep it is the place of the lower id, whichever came first, so that a vertex beside
 * a crossing keeps its place.
 */
export function addCorner(place: Place, id: number, name: number, same: number): void {
  const { u, v, distance } = place;
  // If corners are not merged, no corner is looked at.
  for (let i = same > 0 ? 0 : count; i < count; i++) {
    if ((places[4 * i] - u) ** 2 + (places[4 * i + 1] - v) ** 2 > same * same) continue;
    const isLower = id < ids[2 * i];
    const other = places[4 * i + 3];
    if (distance < other - NOISE || (isLower && distance <= other + NOISE)) setPlace(i, place);
    if (isLower) setIds(i, id, name);
    return;
  }
  setPlace(count, place);
  setIds(count++, id, name);
}

/** Adds a corner unless the bodies are more than `maxDistance` apart there. */
export function offerCorner(place: Place, id: number, name: number, maxDistance: number, same: number): void {
  if (place.distance <= maxDistance) addCorner(place, id, name, same);
}

export function removeCorner(i: number): void {
  move(--count, i);
}

export function deepestCorner(): number {
  let deepest = 0;
  for (let i = 1; i < count; i++) if (places[4 * i + 3] < places[4 * deepest + 3]) deepest = i;
  return deepest;
}

/** Twice the area of a triangle of corners, negative if they are in clockwise order. */
export function twiceArea(a: number, b: number, c: number): number {
  const u = places[4 * a];
  const v = places[4 * a + 1];
  return (places[4 * b] - u) * (places[4 * c + 1] - v) - (places[4 * b + 1] - v) * (places[4 * c] - u);
}

const sorted: Place = { u: 0, v: 0, h: 0, distance: 0 };

/** Sorts the corners counter-clockwise around their mean. */
export function sortRing(): void {
  let u = 0;
  let v = 0;
  for (let i = 0; i < count; i++) {
    u += places[4 * i];
    v += places[4 * i + 1];
  }
  u /= count;
  v /= count;
  for (let i = 1; i < count; i++) {
    sorted.u = places[4 * i];
    sorted.v = places[4 * i + 1];
    sorted.h = places[4 * i + 2];
    sorted.distance = places[4 * i + 3];
    const id = ids[2 * i];
    const name = ids[2 * i + 1];
    const turn = turnOf(sorted.u - u, sorted.v - v);
    let to = i;
    for (; to > 0 && turnOf(places[4 * to - 4] - u, places[4 * to - 3] - v) > turn; to--) move(to - 1, to);
    setPlace(to, sorted);
    setIds(to, id, name);
  }
}

/** A number that grows with the angle of a vector, from -1 to 3. */
function turnOf(u: number, v: number): number {
  const part = u / Math.max(Math.abs(u) + Math.abs(v), 1e-30);
  return v < 0 ? part : 2 - part;
}

/** Halves the list: drops the corner that takes away the least area, one after the other, but never the deepest. */
function thinOut(): void {
  sortRing();
  while (count > MANIFOLD_MOST_CORNERS / 2) {
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
 * Ties between corners go to the lower rank. Vertices come before crossings, because crossings of nearly parallel edges
 * wander. The order of the rest is unrelated to their places. An order around the region would prefer a corner at the
 * end of the tied ones, and the slightest motion can take that corner out of the tie.
 */
export function rankOf(i: number): number {
  const name = ids[2 * i + 1];
  return ((name & 0xc0000000) | (Math.imul(name, MANIFOLD_RANK_FACTOR) >>> 2)) >>> 0;
}

export function comesBefore(a: number, b: number): boolean {
  return rankOf(a) < rankOf(b) || (rankOf(a) === rankOf(b) && ids[2 * a] < ids[2 * b]);
}
