/**
 * Convex hull of a few dozen points by brute force in exact arithmetic: which points are extreme, which planes bound
 * the hull, which pairs of points are edges. It is neither fast nor clever, but decides everything before any rounding.
 *
 * 1. Coordinates are scaled by a power of two to integers, and repeated points are dropped.
 * 2. The dimension is found exactly: 0 point, 1 segment, 2 flat, 3 solid.
 * 3. Solid: every triple of points with all others on one side spans a facet. Its loop is the planar hull of all points
 *    in that plane. Exactly coplanar points make one facet; points off by one ulp make facets of their own.
 * 4. Edges are the sides of the loops. A point has one edge of length 0, so that callers need no special case.
 *
 * Side tests run in double precision first, and in `bigint` if the error bound (Shewchuk 1997, "Adaptive precision
 * floating-point arithmetic", static bound of orient3d) can't determine the sign. Facet normals are rounded once, from
 * their exact value, so that even a sliver's normal is right to an ulp.
 */

export interface Facet {
  /** Outward unit normal. */
  normal: [number, number, number];
  /** Vertex indices, counter-clockwise seen from outside. */
  loop: number[];
}

export interface Polytope {
  dimension: 0 | 1 | 2 | 3;
  /** Only the extreme points, x, y, z each. */
  vertices: Float64Array;
  /** Two vertex indices per edge. */
  edges: Uint32Array;
  /** A flat polytope has two, back to back; a segment and a point have none. */
  facets: Facet[];
}

type Exact = readonly [bigint, bigint, bigint];

interface PointSet {
  rounded: number[][];
  exact: Exact[];
}

/** Hull of `points` (x, y, z each, at least one point, finite). */
export function exactHull(points: ArrayLike<number>): Polytope {
  const set = distinctPoints(points);
  const frame = affineBasis(set);
  if (frame.length === 1) return compact(set, 0, [[0, 0]], []);
  if (frame.length === 2) {
    const [low, high] = segmentEnds(set, frame);
    return compact(set, 1, [[low, high]], []);
  }
  const facets = frame.length === 3 ? flatFacets(set, frame) : solidFacets(set);
  return compact(set, frame.length === 3 ? 2 : 3, loopEdges(facets), facets);
}

function distinctPoints(points: ArrayLike<number>): PointSet {
  const coordinates = Array.from(points);
  let scale = 1;
  while (!coordinates.every((x) => Number.isInteger(x * scale))) scale *= 2;
  const set: PointSet = { rounded: [], exact: [] };
  const seen = new Set<string>();
  for (let i = 0; i < coordinates.length; i += 3) {
    const rounded = coordinates.slice(i, i + 3);
    const exact = rounded.map((x) => BigInt(x * scale)) as [bigint, bigint, bigint];
    const key = exact.join();
    if (seen.has(key)) continue;
    seen.add(key);
    set.rounded.push(rounded);
    set.exact.push(exact);
  }
  return set;
}

/** Indices of 1 to 4 points that span the affine hull of the set. */
function affineBasis(set: PointSet): number[] {
  const { exact } = set;
  const basis = [0];
  for (let i = 1; i < exact.length && basis.length < 4; i++) {
    const independent =
      basis.length === 1 ||
      (basis.length === 2 && !isZero(planeNormal(exact[basis[0]], exact[basis[1]], exact[i]))) ||
      (basis.length === 3 && side(set, basis[0], basis[1], basis[2], i) !== 0);
    if (independent) basis.push(i);
  }
  return basis;
}

/** The two extreme points of a collinear set, by a coordinate in which its points differ. */
function segmentEnds({ exact }: PointSet, [first, second]: number[]): [number, number] {
  const axis = [0, 1, 2].find((k) => exact[first][k] !== exact[second][k])!;
  let low = first;
  let high = first;
  exact.forEach((point, i) => {
    if (point[axis] < exact[low][axis]) low = i;
    if (point[axis] > exact[high][axis]) high = i;
  });
  return [low, high];
}

function flatFacets(set: PointSet, [i, j, k]: number[]): Facet[] {
  const normal = planeNormal(set.exact[i], set.exact[j], set.exact[k]);
  const loop = planarHull(
    set,
    set.exact.map((_, index) => index),
    normal,
  );
  const unit = toUnit(normal);
  return [
    { normal: unit, loop },
    { normal: [-unit[0], -unit[1], -unit[2]], loop: [...loop].reverse() },
  ];
}

function solidFacets(set: PointSet): Facet[] {
  const n = set.exact.length;
  const facets = new Map<string, Facet>();
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      for (let k = j + 1; k < n; k++) {
        const plane = supportingPlane(set, i, j, k);
        if (!plane) continue;
        const key = plane.members.join();
        if (facets.has(key)) continue;
        let normal = planeNormal(set.exact[i], set.exact[j], set.exact[k]);
        if (plane.flip) normal = [-normal[0], -normal[1], -normal[2]];
        facets.set(key, { normal: toUnit(normal), loop: planarHull(set, plane.members, normal) });
      }
  return [...facets.values()];
}

/** The points in the plane of i, j, k if all others lie on one side. `flip` is true if that is the normal's side. */
function supportingPlane(set: PointSet, i: number, j: number, k: number): { members: number[]; flip: boolean } | null {
  const n = set.exact.length;
  let above = false;
  let below = false;
  const members: number[] = [];
  for (let l = 0; l < n; l++) {
    const sign = l === i || l === j || l === k ? 0 : side(set, i, j, k, l);
    if (sign > 0) above = true;
    else if (sign < 0) below = true;
    else members.push(l);
    if (above && below) return null;
  }
  // A collinear triple has every point of a solid "in its plane".
  return members.length === n ? null : { members, flip: above };
}

/** Sign of the side of point l relative to the plane through i, j, k (positive where its normal points). */
function side({ rounded, exact }: PointSet, i: number, j: number, k: number, l: number): number {
  const p = rounded[i];
  const q = rounded[j];
  const r = rounded[k];
  const s = rounded[l];
  const ax = p[0] - s[0];
  const ay = p[1] - s[1];
  const az = p[2] - s[2];
  const bx = q[0] - s[0];
  const by = q[1] - s[1];
  const bz = q[2] - s[2];
  const cx = r[0] - s[0];
  const cy = r[1] - s[1];
  const cz = r[2] - s[2];
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const permanent =
    Math.abs(ax) * (Math.abs(by * cz) + Math.abs(bz * cy)) +
    Math.abs(ay) * (Math.abs(bz * cx) + Math.abs(bx * cz)) +
    Math.abs(az) * (Math.abs(bx * cy) + Math.abs(by * cx));
  // 8e-16 is Shewchuk's (7 + 56 u) u; below 1e-250 products may have underflowed.
  if (Math.abs(volume) > 8e-16 * permanent && permanent > 1e-250) return -Math.sign(volume);
  const normal = planeNormal(exact[i], exact[j], exact[k]);
  const d = difference(exact[l], exact[i]);
  const value = normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2];
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

function difference(a: Exact, b: Exact): Exact {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function planeNormal(p: Exact, q: Exact, r: Exact): Exact {
  const a = difference(q, p);
  const b = difference(r, p);
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function isZero(v: Exact): boolean {
  return v[0] === 0n && v[1] === 0n && v[2] === 0n;
}

function magnitude(x: bigint): bigint {
  return x < 0n ? -x : x;
}

/** Rounds an exact vector to a unit vector. It keeps 100 bits below the largest component. */
function toUnit(v: Exact): [number, number, number] {
  const bits = Math.max(...v.map((x) => magnitude(x).toString(2).length));
  const shift = BigInt(Math.max(0, bits - 100));
  const [x, y, z] = v.map((component) => Number(component >> shift));
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Extreme points of coplanar `members`, counter-clockwise about `normal`: Andrew's monotone chain, exact. */
function planarHull({ exact }: PointSet, members: number[], normal: Exact): number[] {
  // Dropping the normal's largest axis keeps the projection one-to-one. A negative component mirrors it.
  const sizes = normal.map(magnitude);
  const dropped = sizes[0] >= sizes[1] && sizes[0] >= sizes[2] ? 0 : sizes[1] >= sizes[2] ? 1 : 2;
  const mirrored = normal[dropped] < 0n;
  const u = (dropped + (mirrored ? 2 : 1)) % 3;
  const v = (dropped + (mirrored ? 1 : 2)) % 3;
  const turn = (o: number, a: number, b: number) =>
    (exact[a][u] - exact[o][u]) * (exact[b][v] - exact[o][v]) -
    (exact[a][v] - exact[o][v]) * (exact[b][u] - exact[o][u]);
  const order = [...members].sort((a, b) => {
    const step = exact[a][u] === exact[b][u] ? exact[a][v] - exact[b][v] : exact[a][u] - exact[b][u];
    return step < 0n ? -1 : 1;
  });
  const chain = (sequence: number[]) => {
    const kept: number[] = [];
    for (const point of sequence) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], point) <= 0n) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...chain(order), ...chain([...order].reverse())];
}

function loopEdges(facets: Facet[]): [number, number][] {
  const edges = new Map<string, [number, number]>();
  for (const { loop } of facets)
    loop.forEach((from, i) => {
      const to = loop[(i + 1) % loop.length];
      const edge: [number, number] = from < to ? [from, to] : [to, from];
      edges.set(edge.join(), edge);
    });
  return [...edges.values()];
}

/** Keeps only points that edges use, and renumbers them. */
function compact(
  set: PointSet,
  dimension: Polytope['dimension'],
  edges: [number, number][],
  facets: Facet[],
): Polytope {
  const used = [...new Set(edges.flat())].sort((a, b) => a - b);
  const renumbered = new Map(used.map((old, index) => [old, index]));
  return {
    dimension,
    vertices: Float64Array.from(used.flatMap((i) => set.rounded[i])),
    edges: Uint32Array.from(edges.flat(), (i) => renumbered.get(i)!),
    facets: facets.map(({ normal, loop }) => ({ normal, loop: loop.map((i) => renumbered.get(i)!) })),
  };
}
