/**
 * Convex hull of any finite point set in double precision: points, segments, flat polygons and solids.
 *
 * Quickhull on a lattice with exact orientation tests (`hull-triangles.ts`), then coplanar triangles are merged into
 * faces (`hull-faces.ts`).
 *
 * Why not `quickhull3d` 3.1.2: measured on 50 clouds per family, it does not return on sheets 1e-14 thick. It leaves
 * points 0.29 of the extent outside at 1e-15. It gives open surfaces for flat sets and for 1 in 50 rotated grids and
 * ring stacks. It throws on collinear and equal points, and keeps 12 faces on 48 of 50 rotated boxes rounded to f32.
 * Its entry point can't be imported by Node.
 *
 * 1. Round the points to a lattice of 2^46 to 2^47 steps over the set's extent. All later steps are exact on the
 *    lattice, and the result contains every given point to 3e-14 of the extent (to 1e-13 in flat sets). Points nearer
 *    than that to the hull of the others (f32 sines of pi, say) mostly become exactly coplanar and are dropped.
 * 2. Choose a tetrahedron of points that are far apart. A set within 3 steps of a point, line or plane is a point,
 *    segment or polygon (Andrew's monotone chain, 1979, in the coordinate plane in which it has the largest
 *    projection).
 * 3. Build the hull. A vertex with fewer than 3 edges that are not flat lies on an edge or in a face. If there are such
 *    vertices, build the hull once more without them.
 * 4. Merge triangles into faces. A face's offset is that of its supporting plane, found by hill climbing over the edges
 *    that the hull had before any merging within tolerance.
 */

import { NO_GAUSS_MAP, makeGaussMap, type GaussArcs } from './gauss-map.ts';
import { mergeFaces } from './hull-faces.ts';
import { areaVector, determinant, toLattice } from './hull-lattice.ts';
import { adjacency, makeNeighboursAlong, supportVertex, type Adjacency } from './hull-neighbours.ts';
import { hullTriangles, nextHalfEdge, type HullTriangles } from './hull-triangles.ts';

/** A convex polytope. Indices in `faceVertices`, `edges` and `neighbours` number `vertices`. */
export interface Hull {
  /** x, y, z of each vertex, bit for bit as given, in the order of `source`. */
  vertices: Float64Array;
  /** Index of each vertex among the given points, ascending; the lowest among equal points. */
  source: Uint32Array;
  /** Face f is `faceVertices[faceStart[f] .. faceStart[f + 1]]`; one entry more than there are faces. */
  faceStart: Uint32Array;
  /** Vertex loops of the faces, counter-clockwise seen from outside. */
  faceVertices: Uint32Array;
  /**
   * Outward unit normal and offset, 4 numbers per face. `normal · x = offset` is the supporting plane: the offset is
   * the greatest `normal · x` over all vertices. If a face was merged from triangles that are not exactly coplanar, its
   * vertices lie up to 2e-6 of the extent below the plane.
   */
  facePlanes: Float64Array;
  /** Vertices a < b of each edge, sorted by a, then b. Edges inside merged faces are left out. */
  edges: Uint32Array;
  /**
   * Neighbours of vertex v along `edges`: `neighbours[neighbourStart[v] .. neighbourStart[v + 1]]`, ascending. Hill
   * climbing along them finds support vertices of a polytope whose faces are flat. In a face merged within tolerance it
   * may stop early. In f32 it may also stop on a vertex that sticks out of a face by no more than rounding.
   */
  neighbourStart: Uint32Array;
  neighbours: Uint32Array;
  /**
   * Neighbours along all edges of the triangulated surface that are not exactly flat, including those inside merged
   * faces. A vertex is the support along a direction if none of these neighbours is farther along it.
   */
  surfaceNeighbours: Adjacency;
  gaussMap: GaussArcs;
  /** 0: a point. 1: a segment, without faces. 2: a flat polygon with a front and a back face. 3: a solid. */
  dimension: 0 | 1 | 2 | 3;
}

/**
 * Lattice steps by which points of a flat set may be off its plane, or points of a segment off its line: 2e-14 to 4e-14
 * of the extent.
 */
const FLAT_STEPS = 3;

/**
 * How far a corner of a nominally flat face may be off its plane, relative to its coordinates and at most to the set's
 * extent. It is 16 times the error of rounding to f32, for corners that went through some f32 arithmetic.
 */
const FACE_TOLERANCE = 2 ** -20;

/** The hull of n points, xyz, finite, n at least 1. Lengths are in the caller's unit. */
export function buildHull(points: ArrayLike<number>): Hull {
  const { lattice, step, extent } = toLattice(points);
  const simplex = extremeSimplex(lattice, FLAT_STEPS);
  if (simplex.length < 4) {
    const ring = simplex.length === 3 ? polygon(lattice, simplex) : simplex;
    return flatHull(points, lattice, ring);
  }

  const { source, extreme, surface } = solidSurface(lattice, simplex);
  const tolerance = [0, 0, 0];
  for (let i = 0; i < points.length; i++) {
    tolerance[i % 3] = Math.max(tolerance[i % 3], (FACE_TOLERANCE * Math.min(Math.abs(points[i]), extent)) / step);
  }
  const faces = mergeFaces(extreme, surface, tolerance);
  const { corners, flat } = surface;
  const pairs = (without: Uint8Array): Uint32Array => {
    const list: number[] = [];
    for (let h = 0; h < corners.length; h++) if (without[h] === 0) list.push(corners[h], corners[nextHalfEdge(h)]);
    return Uint32Array.from(list);
  };
  const alongEdges = adjacency(source.length, pairs(faces.inside));
  const climb = adjacency(source.length, pairs(flat));
  return assemble(points, source, extreme, faces, { alongEdges, climb }, 3);
}

/** The surface of a hull as triangles. */
export interface HullSurface {
  /** x, y, z of each vertex. */
  vertices: Float64Array;
  /**
   * Three vertices per triangle, counter-clockwise from outside. A flat polygon has triangles on both sides, a segment
   * or a point none.
   */
  triangles: Uint32Array;
  /** As in `Hull`. */
  dimension: Hull['dimension'];
}

/** The surface of the hull of n points, as `buildHull` has it before it merges faces. */
export function hullSurface(points: ArrayLike<number>): HullSurface {
  const { lattice } = toLattice(points);
  const simplex = extremeSimplex(lattice, FLAT_STEPS);
  if (simplex.length === 4) {
    const { source, surface } = solidSurface(lattice, simplex);
    return { vertices: gather(points, source), triangles: surface.corners, dimension: 3 };
  }
  const ring = simplex.length === 3 ? polygon(lattice, simplex) : simplex;
  const front = ring.slice(2).flatMap((_, i) => [0, i + 1, i + 2]);
  const triangles = Uint32Array.from([...front, ...[...front].reverse()]);
  const dimension = Math.min(ring.length - 1, 2) as 0 | 1 | 2;
  return { vertices: gather(points, Uint32Array.from(ring)), triangles, dimension };
}

/**
 * Triangulates a solid. Returns the points that are corners as `source`, and their lattice coordinates as `extreme`.
 */
function solidSurface(
  lattice: Float64Array,
  simplex: number[],
): { source: Uint32Array; extreme: Float64Array; surface: HullTriangles } {
  let surface = hullTriangles(lattice, simplex);
  const source = extremeVertices(surface, lattice.length / 3);
  const extreme = gather(lattice, source);
  if (new Set(surface.corners).size > source.length) {
    surface = hullTriangles(extreme, extremeSimplex(extreme, 0));
  } else {
    surface = { ...surface, corners: Uint32Array.from(vertexNumbers(source, surface.corners)) };
  }
  return { source, extreme, surface };
}

/**
 * Up to 4 points that are far apart: the ends of the longest side of the set's box, the point farthest from their line,
 * and the point farthest from that plane. It stops early when no point is more than `flatness` from the ones found.
 * Among equals the lowest index wins. Rounding disturbs the distances by less than 2^-4.
 */
function extremeSimplex(points: Float64Array, flatness: number): number[] {
  const count = points.length / 3;
  let [a, b, longest] = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    let [first, last] = [0, 0];
    for (let p = 1; p < count; p++) {
      if (points[3 * p + axis] < points[3 * first + axis]) first = p;
      if (points[3 * p + axis] > points[3 * last + axis]) last = p;
    }
    const side = points[3 * last + axis] - points[3 * first + axis];
    if (side > longest) [a, b, longest] = [first, last, side];
  }
  if (longest === 0) return [0];

  // The distance from the line or plane is the length of p − a after the components along the known directions are
  // removed.
  const beside = (p: number, directions: number[][]): number[] => {
    const rest = [0, 1, 2].map((i) => points[3 * p + i] - points[3 * a + i]);
    for (const u of directions) {
      const along = rest[0] * u[0] + rest[1] * u[1] + rest[2] * u[2];
      for (let i = 0; i < 3; i++) rest[i] -= along * u[i];
    }
    return rest;
  };
  const simplex = [a, b];
  const directions: number[][] = [];
  while (simplex.length < 4) {
    const latest = beside(simplex[simplex.length - 1], directions);
    const length = Math.hypot(latest[0], latest[1], latest[2]);
    directions.push(latest.map((value) => value / length));
    let [farthest, most] = [-1, flatness];
    for (let p = 0; p < count; p++) {
      const rest = beside(p, directions);
      const away = Math.hypot(rest[0], rest[1], rest[2]);
      if (away > most) [farthest, most] = [p, away];
    }
    if (farthest < 0) break;
    simplex.push(farthest);
  }
  return simplex;
}

/** Corners of the convex hull of points near the plane of `triangle`, in order around it. */
function polygon(points: Float64Array, triangle: number[]): number[] {
  const normal = [0, 0, 0];
  areaVector(points, triangle[0], triangle[1], triangle[2], normal);
  const size = normal.map(Math.abs);
  const dropped = size.indexOf(Math.max(...size));
  const u = (dropped + 1) % 3;
  const v = (dropped + 2) % 3;
  const order = Uint32Array.from({ length: points.length / 3 }, (_, p) => p).sort(
    (p, q) => points[3 * p + u] - points[3 * q + u] || points[3 * p + v] - points[3 * q + v] || p - q,
  );
  const turn = (p: number, q: number, r: number): number =>
    determinant(
      points[3 * q + u] - points[3 * p + u],
      points[3 * q + v] - points[3 * p + v],
      points[3 * r + u] - points[3 * p + u],
      points[3 * r + v] - points[3 * p + v],
    );
  const chain = (indices: Uint32Array): number[] => {
    const hull: number[] = [];
    for (const p of indices) {
      const last = hull[hull.length - 1];
      if (hull.length > 0 && points[3 * p + u] === points[3 * last + u] && points[3 * p + v] === points[3 * last + v]) {
        hull[hull.length - 1] = Math.min(last, p);
        continue;
      }
      while (hull.length > 1 && turn(hull[hull.length - 2], hull[hull.length - 1], p) <= 0) hull.pop();
      hull.push(p);
    }
    return hull;
  };
  return [...chain(order).slice(0, -1), ...chain(order.reverse()).slice(0, -1)];
}

/** The hull whose corners are `ring`: a point, the two ends of a segment, or a polygon in order around it. */
function flatHull(points: ArrayLike<number>, lattice: Float64Array, ring: number[]): Hull {
  const source = Uint32Array.from(ring).sort();
  const corners = gather(lattice, source);
  const loop = vertexNumbers(source, ring);
  const pairs = loop.flatMap((vertex, i) => {
    const following = loop[(i + 1) % loop.length];
    return [vertex, following, following, vertex];
  });
  const around = adjacency(source.length, Uint32Array.from(pairs));
  if (loop.length < 3) {
    const none = { start: new Uint32Array(1), vertices: new Uint32Array(), normals: new Float64Array() };
    const faces = { ...none, gaussMap: NO_GAUSS_MAP };
    return assemble(points, source, corners, faces, { alongEdges: around, climb: around }, loop.length === 1 ? 0 : 1);
  }
  const area = [0, 0, 0];
  const triangle = [0, 0, 0];
  for (let i = 1; i + 1 < loop.length; i++) {
    areaVector(corners, loop[0], loop[i], loop[i + 1], triangle);
    for (let k = 0; k < 3; k++) area[k] += triangle[k];
  }
  const length = Math.hypot(area[0], area[1], area[2]);
  const normals = Float64Array.from([...area, ...area.map((value) => -value)], (value) => value / length);
  const faces = {
    start: Uint32Array.of(0, loop.length, 2 * loop.length),
    vertices: Uint32Array.from([...loop, ...[...loop].reverse()]),
    normals,
    gaussMap: makeGaussMap(
      corners,
      normals,
      loop.flatMap((vertex, i) => [vertex, loop[(i + 1) % loop.length], 0, 1]),
    ),
  };
  return assemble(points, source, corners, faces, { alongEdges: around, climb: around }, 2);
}

/** Points of the surface that are corners of the hull, ascending: those with 3 or more edges that are not flat. */
function extremeVertices(surface: HullTriangles, count: number): Uint32Array {
  const edges = new Uint32Array(count);
  for (let h = 0; h < surface.corners.length; h++) edges[surface.corners[h]] += 1 - surface.flat[h];
  return Uint32Array.from(edges.keys()).filter((p) => edges[p] >= 3);
}

/** Positions of point indices in `source`. */
function vertexNumbers(source: Uint32Array, indices: ArrayLike<number>): number[] {
  const numbers = new Map<number, number>();
  source.forEach((index, vertex) => numbers.set(index, vertex));
  return Array.from(indices, (index) => numbers.get(index)!);
}

/** Coordinates of the chosen points, xyz. */
function gather(points: ArrayLike<number>, indices: Uint32Array): Float64Array {
  return Float64Array.from({ length: 3 * indices.length }, (_, i) => points[3 * indices[(i / 3) | 0] + (i % 3)]);
}

/** Neighbours of vertices: along edges of the hull, and over all that bounds its triangles. */
interface Neighbours {
  alongEdges: Adjacency;
  climb: Adjacency;
}

/** Assembles the arrays and computes the offsets of the supporting planes. */
function assemble(
  points: ArrayLike<number>,
  source: Uint32Array,
  lattice: Float64Array,
  faces: { start: Uint32Array; vertices: Uint32Array; normals: Float64Array; gaussMap: GaussArcs },
  { alongEdges, climb }: Neighbours,
  dimension: Hull['dimension'],
): Hull {
  const vertices = gather(points, source);
  const edges: number[] = [];
  for (let v = 0; v < source.length; v++) {
    for (const w of alongEdges.list.subarray(alongEdges.start[v], alongEdges.start[v + 1])) if (v < w) edges.push(v, w);
  }

  const facePlanes = new Float64Array((4 * faces.normals.length) / 3);
  const neighboursAlong = makeNeighboursAlong(lattice, climb);
  for (let face = 0; face + 1 < faces.start.length; face++) {
    const normal = faces.normals.subarray(3 * face, 3 * face + 3);
    const loop = faces.vertices.subarray(faces.start[face], faces.start[face + 1]);
    // The climb runs on the lattice, where rounding can't stop it early. Then its end and all neighbours are measured.
    const top = supportVertex(lattice, neighboursAlong, normal, loop[0]);
    let offset = -Infinity;
    const measure = (v: number): void => {
      offset = Math.max(
        offset,
        normal[0] * vertices[3 * v] + normal[1] * vertices[3 * v + 1] + normal[2] * vertices[3 * v + 2],
      );
    };
    measure(top);
    neighboursAlong(top, normal).forEach(measure);
    loop.forEach(measure);
    facePlanes.set(normal, 4 * face);
    facePlanes[4 * face + 3] = offset;
  }

  return {
    vertices,
    source,
    faceStart: faces.start,
    faceVertices: faces.vertices,
    facePlanes,
    edges: Uint32Array.from(edges),
    neighbourStart: alongEdges.start,
    neighbours: alongEdges.list,
    surfaceNeighbours: climb,
    gaussMap: faces.gaussMap,
    dimension,
  };
}
