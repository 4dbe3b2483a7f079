/**
 * The minimum over the unit sphere of h, the support function of a difference body, with a proof: branch and bound on
 * spherical triangles.
 *
 * Every point p of the body bounds h from below: h(n) >= p·n. In a triangle of directions with corners n1, n2, n3, each
 * n is a combination of these with weights of at least 0, and for a unit vector the weights add up to 1 or more. So if
 * p·nj >= v >= 0 at the three corners, h is at least v within the triangle. Any convex combination of known points of
 * the body is a point of the body. The best bound that combinations of the corners' own support points and of one
 * `Witness` give is the value of a small matrix game. (For v < 0 the sum of the weights matters: it is at most 1 over
 * the distance of the corners' plane from the origin.)
 *
 * A triangle is finished if its bound is not below the best value so far, up to a tolerance. Among the others, the one
 * with the lowest bound is cut in two. The error of a bound grows with the square of the triangle's size times radii of
 * curvature, and with the square of its distance from a minimum that has a witness. So there are few triangles of each
 * size unless there are many minima, as around a common axis.
 */

import { createSupport, extremeOf, supportOf, type DifferenceBody, type Support } from './difference-body.ts';
import { polish, tangents, type Minimum } from './polish.ts';
import type { Vector } from './shape.ts';

export interface Covered {
  best: Minimum;
  /** No direction has a lower value, up to rounding. */
  proven: number;
}

/** The corners of a triangle are polished after this many halvings, and then at regular intervals. */
const POLISH_FIRST = 6;
const POLISH_EVERY = 4;
const MOST_POLISHED = 40;

const support = createSupport();

/**
 * Starts from known minima, the lowest first. At most `budget` triangles are cut. Without minima it uses only triangles
 * and their corners: no Newton steps and no witnesses.
 */
export function coverSphere(
  body: DifferenceBody,
  known: readonly Minimum[],
  tolerance: number,
  budget: number,
): Covered {
  const isPlain = known.length === 0;
  let best: Minimum = isPlain ? { n: [1, 0, 0], value: supportOf(body, 1, 0, 0, support).value } : known[0];
  const found = [...known];
  const witnesses = known.map((minimum) => witnessOf(body, minimum));
  let polished = 0;

  // Direction, support point and value of each corner.
  const corners: number[] = [];
  const addCorner = (x: number, y: number, z: number): number => {
    const { value } = supportOf(body, x, y, z, support);
    corners.push(x, y, z, support.x, support.y, support.z, value);
    if (value < best.value) improve([x, y, z]);
    return corners.length / 7 - 1;
  };
  const improve = (n: Vector): void => {
    const minimum = isPlain ? { n, value: supportOf(body, ...n, support).value } : polish(body, n);
    polished++;
    if (minimum.value < best.value) best = minimum;
    if (isPlain || found.some((other) => angle(other.n, minimum.n) < 1e-7)) return;
    found.push(minimum);
    witnesses.push(witnessOf(body, minimum));
  };

  const heap = createHeap<[number, number, number, number]>();
  let done = Infinity;
  const addTriangle = (i: number, j: number, k: number, halvings: number): void => {
    const bound = boundOf(corners, i, j, k, witnesses, best.value - tolerance);
    if (bound >= best.value - tolerance) done = Math.min(done, bound);
    else heap.push(bound, [i, j, k, halvings]);
  };

  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ].map(([x, y, z]) => addCorner(x, y, z));
  for (const i of [0, 3]) for (const j of [1, 4]) for (const k of [2, 5]) addTriangle(axes[i], axes[j], axes[k], 0);

  for (let cuts = 0; cuts < budget && heap.size() > 0; cuts++) {
    const [bound, [i, j, k, halvings]] = heap.pop();
    if (bound >= best.value - tolerance) {
      done = Math.min(done, bound);
      continue;
    }
    const [p, q, r] = longestSideFirst(corners, i, j, k);
    if (
      !isPlain &&
      halvings >= POLISH_FIRST &&
      (halvings - POLISH_FIRST) % POLISH_EVERY === 0 &&
      polished < MOST_POLISHED
    ) {
      const lowest = [p, q, r].reduce((low, corner) => (corners[7 * corner + 6] < corners[7 * low + 6] ? corner : low));
      const n = corners.slice(7 * lowest, 7 * lowest + 3) as Vector;
      const size = angle(corners.slice(7 * p, 7 * p + 3), corners.slice(7 * q, 7 * q + 3));
      if (!found.some((minimum) => angle(minimum.n, n) < 3 * size)) improve(n);
    }
    const [x, y, z] = [0, 1, 2].map((axis) => corners[7 * p + axis] + corners[7 * q + axis]);
    const length = Math.sqrt(x * x + y * y + z * z);
    const middle = addCorner(x / length, y / length, z / length);
    addTriangle(p, middle, r, halvings + 1);
    addTriangle(middle, q, r, halvings + 1);
  }
  return { best, proven: Math.min(done, heap.size() > 0 ? heap.lowest() : Infinity, best.value) };
}

function angle(m: ArrayLike<number>, n: ArrayLike<number>): number {
  return Math.hypot(m[0] - n[0], m[1] - n[1], m[2] - n[2]);
}

function longestSideFirst(corners: number[], i: number, j: number, k: number): [number, number, number] {
  const cosine = (p: number, q: number): number =>
    corners[7 * p] * corners[7 * q] + corners[7 * p + 1] * corners[7 * q + 1] + corners[7 * p + 2] * corners[7 * q + 2];
  const [ij, jk, ki] = [cosine(i, j), cosine(j, k), cosine(k, i)];
  return ij <= jk && ij <= ki ? [i, j, k] : jk <= ki ? [j, k, i] : [k, i, j];
}

const game = new Float64Array(12);

/** A lower bound of h within a triangle. A bound that reaches `enough` is not improved further. */
function boundOf(corners: number[], i: number, j: number, k: number, witnesses: Vector[], enough: number): number {
  const at = [7 * i, 7 * j, 7 * k];
  let rows = 0;
  const addRow = (x: number, y: number, z: number): void => {
    for (const corner of at) game[rows++] = x * corners[corner] + y * corners[corner + 1] + z * corners[corner + 2];
  };
  for (const corner of at) addRow(corners[corner + 3], corners[corner + 4], corners[corner + 5]);
  let nearest: Vector | null = null;
  let reach = -Infinity;
  for (const witness of witnesses) {
    const lowest = Math.min(
      ...at.map((c) => witness[0] * corners[c] + witness[1] * corners[c + 1] + witness[2] * corners[c + 2]),
    );
    if (lowest <= reach) continue;
    reach = lowest;
    nearest = witness;
  }
  if (nearest) addRow(...nearest);
  const value = gameValue(rows / 3, enough);
  return value >= 0 ? value : value / planeDistance(corners, at);
}

/** Distance from the origin to the plane of three corners. */
function planeDistance(c: number[], [i, j, k]: number[]): number {
  const [ux, uy, uz] = [c[j] - c[i], c[j + 1] - c[i + 1], c[j + 2] - c[i + 2]];
  const [vx, vy, vz] = [c[k] - c[i], c[k + 1] - c[i + 1], c[k + 2] - c[i + 2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(x * x + y * y + z * z);
  // 1 for a triangle whose area vanishes by rounding: it is that small.
  return length > 0 ? Math.abs(x * c[i] + y * c[i + 1] + z * c[i + 2]) / length : 1;
}

/** The best of the bounds by single points, by combinations of two and by combinations of three. */
function gameValue(rows: number, enough: number): number {
  let best = -Infinity;
  for (let p = 0; p < 3 * rows; p += 3) best = Math.max(best, Math.min(game[p], game[p + 1], game[p + 2]));
  for (let p = 0; p < 3 * rows && best < enough; p += 3)
    for (let q = p + 3; q < 3 * rows && best < enough; q += 3) {
      for (let c = 0; c < 3; c++) {
        const d = c === 2 ? 0 : c + 1;
        // Where corners c and d have the same bound.
        const difference = game[p + c] - game[p + d];
        const t = difference / (difference - game[q + c] + game[q + d]);
        if (!(t > 0 && t < 1)) continue;
        const mixed = (corner: number): number => game[p + corner] + t * (game[q + corner] - game[p + corner]);
        best = Math.max(best, Math.min(mixed(0), mixed(1), mixed(2)));
      }
      for (let r = q + 3; r < 3 * rows && best < enough; r += 3) best = Math.max(best, equalised(p, q, r));
    }
  return best;
}

/** The bound of the combination of three points that is the same at each corner; minus infinity if there is none. */
function equalised(p: number, q: number, r: number): number {
  const [a1, b1, c1] = [game[p] - game[p + 1], game[q] - game[q + 1], game[r] - game[r + 1]];
  const [a2, b2, c2] = [game[p] - game[p + 2], game[q] - game[q + 2], game[r] - game[r + 2]];
  let u = b1 * c2 - c1 * b2;
  let v = c1 * a2 - a1 * c2;
  let w = a1 * b2 - b1 * a2;
  const sum = u + v + w;
  u /= sum;
  v /= sum;
  w /= sum;
  if (!(u >= 0 && v >= 0 && w >= 0)) return -Infinity;
  return Math.min(
    u * game[p] + v * game[q] + w * game[r],
    u * game[p + 1] + v * game[q + 1] + w * game[r + 1],
    u * game[p + 2] + v * game[q + 2] + w * game[r + 2],
  );
}

const DIRECTIONS_AROUND = 16;
/** Radians. The witness loses about this share of the unit. */
const ASIDE = 1e-10;
/** Points nearer to each other than this share of the unit count as one. */
const SAME = 1e-9;
/** If there are more sums of a support of A and one of -B than this, only those of the directions around are used. */
const MOST_SUMS = 36;

/**
 * Of the points of the body that are supports along a minimum's direction, the one nearest to the line along it, as a
 * combination of supports in directions around. At a local minimum of h it lies on the line: it is the minimum's own
 * foot point. Supports of A and of -B are found separately and then added in all combinations, since for two nearly
 * parallel edges few directions have all four sums.
 */
export function witnessOf(body: DifferenceBody, { n }: Minimum): Vector {
  const [t1, t2] = tangents(n);
  const around = Array.from({ length: DIRECTIONS_AROUND }, (_, i) => {
    const turn = (2 * Math.PI * i) / DIRECTIONS_AROUND;
    const [c, s] = [ASIDE * Math.cos(turn), ASIDE * Math.sin(turn)];
    return n.map((x, k) => x + c * t1[k] + s * t2[k]) as Vector;
  });
  const [ofA, ofB] = [body.a, body.b].map((side) =>
    around.map((direction) => pointOf(extremeOf(side, ...direction, support))),
  );
  const [someA, someB] = [distinct(ofA, SAME), distinct(ofB, SAME)];
  const isFew = someA.length * someB.length <= MOST_SUMS;
  const points = isFew
    ? someA.flatMap((p) => someB.map((q) => add(p, q)))
    : distinct(
        ofA.map((p, i) => add(p, ofB[i])),
        0,
      );
  const flat = points.map((p) => [
    p[0] * t1[0] + p[1] * t1[1] + p[2] * t1[2],
    p[0] * t2[0] + p[1] * t2[1] + p[2] * t2[2],
  ]);
  let nearest = { squared: Infinity, weights: [] as [number, number][] };
  const keep = (weights: [number, number][]): void => {
    const [x, y] = [0, 1].map((axis) => weights.reduce((sum, [i, weight]) => sum + weight * flat[i][axis], 0));
    const squared = x * x + y * y;
    if (squared < nearest.squared) nearest = { squared, weights };
  };
  for (let i = 0; i < points.length; i++) {
    keep([[i, 1]]);
    for (let j = i + 1; j < points.length; j++) {
      const [dx, dy] = [flat[j][0] - flat[i][0], flat[j][1] - flat[i][1]];
      const t = -(flat[i][0] * dx + flat[i][1] * dy) / (dx * dx + dy * dy);
      if (t > 0 && t < 1)
        keep([
          [i, 1 - t],
          [j, t],
        ]);
      for (let k = j + 1; k < points.length; k++) {
        const area = (p: number, q: number): number => flat[p][0] * flat[q][1] - flat[p][1] * flat[q][0];
        const [u, v, w] = [area(j, k), area(k, i), area(i, j)];
        const sum = u + v + w;
        if (u / sum >= 0 && v / sum >= 0 && w / sum >= 0)
          keep([
            [i, u / sum],
            [j, v / sum],
            [k, w / sum],
          ]);
      }
    }
  }
  return [0, 1, 2].map((axis) =>
    nearest.weights.reduce((sum, [i, weight]) => sum + weight * points[i][axis], 0),
  ) as Vector;
}

function pointOf({ x, y, z }: Support): Vector {
  return [x, y, z];
}

function add(p: Vector, q: Vector): Vector {
  return [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
}

/** The first point of each cluster. */
function distinct(points: readonly Vector[], apart: number): Vector[] {
  const chosen: Vector[] = [];
  for (const p of points) if (!chosen.some((q) => angle(p, q) <= apart)) chosen.push(p);
  return chosen;
}

/** A binary heap of items ordered by a number, the lowest first. */
function createHeap<Item>(): {
  push: (key: number, item: Item) => void;
  pop: () => [number, Item];
  lowest: () => number;
  size: () => number;
} {
  const entries: [number, Item][] = [];
  const swap = (i: number, j: number): void => {
    [entries[i], entries[j]] = [entries[j], entries[i]];
  };
  return {
    size: () => entries.length,
    lowest: () => entries[0][0],
    push(key, item) {
      let i = entries.push([key, item]) - 1;
      for (let parent = (i - 1) >> 1; i > 0 && entries[i][0] < entries[parent][0]; parent = (i - 1) >> 1) {
        swap(i, parent);
        i = parent;
      }
    },
    pop() {
      const top = entries[0];
      const last = entries.pop()!;
      if (entries.length === 0) return top;
      entries[0] = last;
      for (let i = 0; ;) {
        const left = 2 * i + 1;
        let least = i;
        if (left < entries.length && entries[left][0] < entries[least][0]) least = left;
        if (left + 1 < entries.length && entries[left + 1][0] < entries[least][0]) least = left + 1;
        if (least === i) return top;
        swap(i, least);
        i = least;
      }
    },
  };
}
