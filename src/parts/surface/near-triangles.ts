/**
 * Triangles of a mesh that a point or a length of an edge lies on, whether they share vertices with it or not: at T-junctions, where
 * sheets overlap, and at edges of more than two triangles.
 */
import type { PartTree } from '../../bvh/part-tree.ts';
import { MAX_DEPTH } from '../../bvh/part-tree.ts';
import type { Vec3 } from '../../cpu/math.ts';
import type { Mesh } from '../../shapes/parts.ts';

const stack = new Int32Array(MAX_DEPTH);

/** Calls `visit` for the triangles whose boxes are within `reach` of the box around two points. The tree is an aligned one. */
export function visitNear(
  { links, boxes }: PartTree,
  p: Vec3,
  q: Vec3,
  reach: number,
  visit: (triangle: number) => void,
): void {
  const [x, y, z] = [(p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2];
  const halfX = Math.abs(p.x - q.x) / 2 + reach;
  const halfY = Math.abs(p.y - q.y) / 2 + reach;
  const halfZ = Math.abs(p.z - q.z) / 2 + reach;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    const at = 6 * node;
    if (
      Math.abs(boxes[at] - x) > boxes[at + 3] + halfX ||
      Math.abs(boxes[at + 1] - y) > boxes[at + 4] + halfY ||
      Math.abs(boxes[at + 2] - z) > boxes[at + 5] + halfZ
    )
      continue;
    const link = links[node];
    if (link < 0) {
      visit(-1 - link);
      continue;
    }
    stack[top++] = link + 1;
    stack[top++] = link;
  }
}

/** The planes of a triangle: its own, and one across each edge, whose normal points into the triangle. */
export interface TrianglePlanes {
  /** The three corners, 9 numbers. */
  readonly corners: Float64Array;
  /** The triangle's normal, then the normal of each edge's plane: 12 numbers. */
  readonly normals: Float64Array;
}

export function createTrianglePlanes(): TrianglePlanes {
  return { corners: new Float64Array(9), normals: new Float64Array(12) };
}

/** Writes the planes of a triangle that has a normal. Edge k goes from corner k to the next. */
export function placePlanes(
  { positions, indices }: Mesh,
  faces: Float64Array,
  triangle: number,
  { corners, normals }: TrianglePlanes,
): void {
  for (let k = 0; k < 3; k++) {
    normals[k] = faces[3 * triangle + k];
    const from = 3 * indices[3 * triangle + k];
    for (let axis = 0; axis < 3; axis++) corners[3 * k + axis] = positions[from + axis];
  }
  const [x, y, z] = normals;
  for (let k = 0; k < 3; k++) {
    const from = 3 * k;
    const to = 3 * ((k + 1) % 3);
    const u = corners[to] - corners[from];
    const v = corners[to + 1] - corners[from + 1];
    const w = corners[to + 2] - corners[from + 2];
    const length = Math.sqrt(u * u + v * v + w * w);
    normals[3 + from] = (y * w - z * v) / length;
    normals[4 + from] = (z * u - x * w) / length;
    normals[5 + from] = (x * v - y * u) / length;
  }
}

/** How far a point is over plane i of a triangle: 0 is its own, 1 + k that of edge k, over which the triangle lies. */
export function heightOver({ corners, normals }: TrianglePlanes, i: number, { x, y, z }: Vec3): number {
  const from = i === 0 ? 0 : 3 * i - 3;
  const at = 3 * i;
  return (
    normals[at] * (x - corners[from]) +
    normals[at + 1] * (y - corners[from + 1]) +
    normals[at + 2] * (z - corners[from + 2])
  );
}

/** Whether a point is within `reach` of a triangle's plane and of its inside. */
export function isOn(planes: TrianglePlanes, point: Vec3, reach: number): boolean {
  if (Math.abs(heightOver(planes, 0, point)) > reach) return false;
  for (let i = 1; i <= 3; i++) if (heightOver(planes, i, point) < -reach) return false;
  return true;
}

/**
 * Writes which share of the length from p to q lies on a triangle: from `to[0]` up to `to[1]`, both from 0 to 1. Returns false if none
 * does.
 */
export function shareOn(planes: TrianglePlanes, p: Vec3, q: Vec3, reach: number, to: Float64Array): boolean {
  to[0] = 0;
  to[1] = 1;
  const low = heightOver(planes, 0, p);
  const high = heightOver(planes, 0, q);
  keepShare(reach - low, reach - high, to);
  keepShare(reach + low, reach + high, to);
  for (let i = 1; i <= 3; i++) keepShare(reach + heightOver(planes, i, p), reach + heightOver(planes, i, q), to);
  return to[1] > to[0];
}

/** Keeps the shares at which a number, which goes evenly from one value to another, is at least 0. */
export function keepShare(first: number, last: number, to: Float64Array): void {
  if (first < 0 && last < 0) to[1] = -1;
  else if (first < 0) to[0] = Math.max(to[0], first / (first - last));
  else if (last < 0) to[1] = Math.min(to[1], first / (first - last));
}
