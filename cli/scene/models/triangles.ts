/** Triangles on their way from a file to a shape: used vertices, bakes, and the choice of the body's origin. */

import { allocate } from '../../../src/util/arrays.ts';
import { refuse } from './refusal.ts';
import { applyMatrix, determinant, type Matrix, type Triple } from './transform.ts';
import type { HullDescription, MeshDescription } from '../../../src/api/shapes.ts';

export interface Triangles {
  positions: Float32Array | Float64Array;
  /** Three vertices per triangle, all of them within `positions`. */
  indices: Uint32Array;
}

/** Gives the same memory again and again: a place for each of `count` vertices, filled with -1. */
export type VertexNumbers = (count: number) => Int32Array;

export function createVertexNumbers(): VertexNumbers {
  let numbers = new Int32Array(0);
  return (count) => {
    if (numbers.length < count) numbers = allocate('the vertices', Int32Array, count).fill(-1);
    return numbers;
  };
}

/** The triangles with only the vertices that they use, in the same order. */
export function withUsedVertices({ positions, indices }: Triangles, numbersOf: VertexNumbers): Triangles {
  const numbers = numbersOf(positions.length / 3);
  let count = 0;
  const used = allocate('the used vertices', Uint32Array, Math.min(indices.length, positions.length / 3));
  for (const vertex of indices) {
    if (numbers[vertex] >= 0) continue;
    numbers[vertex] = 0;
    used[count++] = vertex;
  }
  const kept = used.subarray(0, count);
  const isWhole = count === positions.length / 3;
  if (isWhole) {
    for (const vertex of kept) numbers[vertex] = -1;
    return { positions, indices };
  }
  kept.sort();
  const own = allocate('the vertices', Float64Array, 3 * count);
  kept.forEach((vertex, i) => {
    numbers[vertex] = i;
    for (let k = 0; k < 3; k++) own[3 * i + k] = positions[3 * vertex + k];
  });
  const renumbered = indices.map((vertex) => numbers[vertex]);
  for (const vertex of kept) numbers[vertex] = -1;
  return { positions: own, indices: renumbered };
}

/** The triangles with each vertex multiplied by the matrix and moved. A mirror turns the winding. */
export function transformed({ positions, indices }: Triangles, matrix: Matrix, [x, y, z]: Triple): Triangles {
  const moved = allocate('the vertices', Float64Array, positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const p = applyMatrix(matrix, [positions[i], positions[i + 1], positions[i + 2]]);
    moved[i] = p[0] + x;
    moved[i + 1] = p[1] + y;
    moved[i + 2] = p[2] + z;
  }
  return { positions: moved, indices: determinant(matrix) < 0 ? turned(indices) : indices };
}

function turned(indices: Uint32Array): Uint32Array {
  const other = indices.slice();
  for (let i = 0; i < other.length; i += 3) [other[i + 1], other[i + 2]] = [other[i + 2], other[i + 1]];
  return other;
}

/** All triangles as one soup. */
export function joined(parts: readonly Triangles[]): Triangles {
  if (parts.length === 1) return parts[0];
  const sum = (of: (part: Triangles) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const isDouble = parts.some(({ positions }) => positions instanceof Float64Array);
  const coordinates = sum(({ positions }) => positions.length);
  const positions = isDouble
    ? allocate('the vertices', Float64Array, coordinates)
    : allocate('the vertices', Float32Array, coordinates);
  const indices = allocate(
    'the triangles',
    Uint32Array,
    sum((part) => part.indices.length),
  );
  let vertex = 0;
  let corner = 0;
  for (const part of parts) {
    positions.set(part.positions, 3 * vertex);
    for (const index of part.indices) indices[corner++] = vertex + index;
    vertex += part.positions.length / 3;
  }
  return { positions, indices };
}

/** A shape, and the point of the triangles' frame that is its body's origin. */
export interface CentredShape {
  description: MeshDescription | HullDescription;
  origin: Triple;
}

/**
 * The triangles as a mesh, or as their convex hull.
 *
 * Testers round vertices to f32, and their tolerance is a share of the distance from the body's origin. A part that is
 * small and far from its origin, as in building models in the coordinates of a country, would lose by both. So the
 * body's origin moves along each axis on which all vertices are on one side of 0 and the farthest one is at most twice
 * as far from it as the nearest. Such differences of f32 numbers are exact (Sterbenz's lemma).
 */
export function centredShape({ positions, indices }: Triangles, isHull: boolean): CentredShape {
  const origin: Triple = [middle(positions, 0), middle(positions, 1), middle(positions, 2)];
  const points = allocate('the vertices', Float32Array, positions.length);
  for (let i = 0; i < positions.length; i++) points[i] = positions[i] - origin[i % 3];
  const bad = points.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) {
    const text = Array.from(positions.subarray(bad - (bad % 3), bad - (bad % 3) + 3)).join(', ');
    refuse(`vertex ${Math.floor(bad / 3)} is (${text}), expected three finite numbers within the range of f32`);
  }
  return { description: isHull ? { type: 'hull', points } : { type: 'mesh', positions: points, indices }, origin };
}

/** An f32 number in the middle of all coordinates along an axis, or 0 where the origin stays. */
function middle(positions: Float32Array | Float64Array, axis: number): number {
  let [least, most] = [Infinity, -Infinity];
  for (let i = axis; i < positions.length; i += 3) {
    least = Math.min(least, positions[i]);
    most = Math.max(most, positions[i]);
  }
  const isFar = least > 0 ? most <= 2 * least : most < 0 && least >= 2 * most;
  const centre = Math.fround(least + (most - least) / 2);
  return isFar && Number.isFinite(centre) ? centre : 0;
}
