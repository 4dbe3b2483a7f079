/** Convex solids for drawing: polygons with normals, and edges that know their two faces. */

import { buildHull } from '../../src/shapes/hull.ts';
import { add, dot, scaled, subtract, unit, vec, type Vec } from './linear.ts';

export interface Face {
  loop: number[];
  normal: Vec;
}

export interface Edge {
  ends: [number, number];
  /** The faces on either side; none for a segment. */
  faces: number[];
  /** Whether the edge is always drawn. Others are drawn on the outline only. */
  isSharp: boolean;
}

export interface Solid {
  vertices: Vec[];
  faces: Face[];
  edges: Edge[];
}

/** Cosines of the angle between faces below which their edge is drawn: of polytopes, and of samples of curved surfaces. */
export const POLYTOPE = 0.99999;
export const CURVED = 0.9;

/** The hull of points. Points on a line give one edge; equal points give a vertex. */
export function solidOf(points: readonly Vec[], sharpCosine: number): Solid {
  const hull = buildHull(points.flat());
  const vertices = Array.from(hull.source, (_, v) => vec(hull.vertices, 3 * v));
  const faces: Face[] = [];
  for (let f = 0; f + 1 < hull.faceStart.length; f++)
    faces.push({
      loop: Array.from(hull.faceVertices.subarray(hull.faceStart[f], hull.faceStart[f + 1])),
      normal: vec(hull.facePlanes, 4 * f),
    });
  if (hull.dimension === 1) return { vertices, faces, edges: [{ ends: [0, 1], faces: [], isSharp: true }] };
  return { vertices, faces, edges: edgesOf(faces, sharpCosine) };
}

export function edgesOf(faces: readonly Face[], sharpCosine: number): Edge[] {
  const edges = new Map<string, Edge>();
  faces.forEach(({ loop }, f) => {
    loop.forEach((from, i) => {
      const to = loop[(i + 1) % loop.length];
      const key = from < to ? `${from} ${to}` : `${to} ${from}`;
      const known = edges.get(key);
      if (known) known.faces.push(f);
      else edges.set(key, { ends: [from, to], faces: [f], isSharp: true });
    });
  });
  for (const edge of edges.values()) {
    const [f, g] = edge.faces;
    edge.isSharp = g === undefined || dot(faces[f].normal, faces[g].normal) < sharpCosine;
  }
  return [...edges.values()];
}

/** The solid with each vertex moved; normals turn with it. */
export function moved(solid: Solid, place: (point: Vec) => Vec, turn: (vector: Vec) => Vec): Solid {
  return {
    vertices: solid.vertices.map(place),
    faces: solid.faces.map(({ loop, normal }) => ({ loop, normal: turn(normal) })),
    edges: solid.edges,
  };
}

export function highest(points: readonly Vec[], direction: Vec): Vec {
  let best = points[0];
  let height = -Infinity;
  for (const point of points) {
    const above = dot(point, direction);
    if (above <= height) continue;
    height = above;
    best = point;
  }
  return best;
}

/** Points of the hull of `points` enlarged by a ball. */
export function enlarged(points: readonly Vec[], radius: number, normals: readonly Vec[]): Vec[] {
  if (radius === 0) return [...points];
  return [...SPHERE, ...normals].map((direction) => add(highest(points, direction), scaled(direction, radius)));
}

/** Up to this many sums are formed directly. */
const MOST_SUMS = 2500;

/** Points whose hull is the Minkowski difference B - A; for large solids, a sample of its supports. */
export function differencePoints(a: Solid, b: Solid): Vec[] {
  if (a.vertices.length * b.vertices.length <= MOST_SUMS)
    return b.vertices.flatMap((onB) => a.vertices.map((onA) => subtract(onB, onA)));
  const normals = [...b.faces.map(({ normal }) => normal), ...a.faces.map(({ normal }) => scaled(normal, -1))];
  return [...SPHERE, ...normals].map((direction) =>
    subtract(highest(b.vertices, direction), highest(a.vertices, scaled(direction, -1))),
  );
}

/** Directions that cover the sphere: an octahedron whose triangles are halved four times. */
export const SPHERE: readonly Vec[] = makeSphere(4);

function makeSphere(rounds: number): Vec[] {
  let triangles: [Vec, Vec, Vec][] = [];
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      for (const z of [-1, 1])
        triangles.push([
          [x, 0, 0],
          [0, y, 0],
          [0, 0, z],
        ]);
  for (let round = 0; round < rounds; round++)
    triangles = triangles.flatMap(([a, b, c]): [Vec, Vec, Vec][] => {
      const [u, v, w] = [unit(add(a, b)), unit(add(b, c)), unit(add(c, a))];
      return [[a, u, w], [u, b, v], [w, v, c], [u, v, w]]; // prettier-ignore
    });
  const unique = new Map(triangles.flat().map((point) => [point.map((x) => (x + 0).toFixed(9)).join(), point]));
  return [...unique.values()];
}
