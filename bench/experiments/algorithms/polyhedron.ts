/** Solids by their vertices, edges and faces with what lies beside each: what a walk from feature to feature needs. */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { buildHull } from '../../../src/shapes/hull.ts';
import { corePieces, type BoundedDescription } from '../../../verification/oracle/shape.ts';

export type Vector = readonly [x: number, y: number, z: number];

export interface Edge {
  tail: number;
  head: number;
  /** Unit vector from tail to head. */
  direction: Vector;
  length: number;
  /** Its two faces. */
  faces: readonly [number, number];
  /** For each of them the unit vector in its plane that points out of it across the edge. */
  outward: readonly [Vector, Vector];
}

export interface Face {
  /** Unit normal, and the height of the plane along it. */
  normal: Vector;
  offset: number;
  /** Its edges, and which of the edge's two faces it is. */
  edges: readonly { edge: number; side: 0 | 1 }[];
}

export interface Polyhedron {
  vertices: readonly Vector[];
  edges: readonly Edge[];
  faces: readonly Face[];
  /** Edges at each vertex. */
  edgesAt: readonly (readonly number[])[];
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** a + b * factor */
export function plus(a: Vector, b: Vector, factor: number): Vector {
  return [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The polyhedron of a solid hull or of a box, without rounding. */
export function polyhedronOf(description: ShapeDescription): Polyhedron {
  const hull = buildHull(corePieces(description as BoundedDescription).points);
  if (hull.dimension !== 3) throw new Error(`a flat ${description.type} is no polyhedron`);
  const { vertices: list } = hull;
  const vertices = Array.from({ length: list.length / 3 }, (_, i): Vector => [
    list[3 * i],
    list[3 * i + 1],
    list[3 * i + 2],
  ]);
  const numbers = new Map<string, number>();
  const sides: { face: number; outward: Vector }[][] = [];
  for (let e = 0; 2 * e < hull.edges.length; e++) {
    numbers.set(`${hull.edges[2 * e]},${hull.edges[2 * e + 1]}`, e);
    sides.push([]);
  }
  const faces = Array.from({ length: hull.faceStart.length - 1 }, (_, f): Face => {
    const [x, y, z, offset] = hull.facePlanes.subarray(4 * f, 4 * f + 4);
    const normal: Vector = [x, y, z];
    const loop = hull.faceVertices.subarray(hull.faceStart[f], hull.faceStart[f + 1]);
    const edges = Array.from(loop, (from, i) => {
      const to = loop[(i + 1) % loop.length];
      const edge = numbers.get(`${Math.min(from, to)},${Math.max(from, to)}`)!;
      // Counter-clockwise seen from outside: outward is to the right.
      const across = cross(minus(vertices[to], vertices[from]), normal);
      const length = Math.hypot(...across);
      sides[edge].push({ face: f, outward: [across[0] / length, across[1] / length, across[2] / length] });
      return { edge, side: (sides[edge].length - 1) as 0 | 1 };
    });
    return { normal, offset, edges };
  });
  const edges = sides.map(([first, second], e): Edge => {
    const [tail, head] = [hull.edges[2 * e], hull.edges[2 * e + 1]];
    const along = minus(vertices[head], vertices[tail]);
    const length = Math.hypot(...along);
    return {
      tail,
      head,
      length,
      direction: [along[0] / length, along[1] / length, along[2] / length],
      faces: [first.face, second.face],
      outward: [first.outward, second.outward],
    };
  });
  const edgesAt = vertices.map((): number[] => []);
  edges.forEach(({ tail, head }, e) => {
    edgesAt[tail].push(e);
    edgesAt[head].push(e);
  });
  return { vertices, edges, faces, edgesAt };
}
