/** The triangle of a mesh that is nearest to a point, through the mesh's tree. In the mesh's frame, in double precision. */

import { copy, distance, set, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import { createTrianglePoint, nearestToPoint } from '../../../src/cpu/point-triangle.ts';
import { meshTreeOf } from '../../../src/bvh/mesh-tree.ts';
import { SKEW, type PartTree } from '../../../src/bvh/part-tree.ts';
import type { Mesh } from '../../../src/shapes/parts.ts';

export interface NearestTriangle {
  distance: number;
  triangle: number;
  /** On the triangle. */
  point: Vec3;
}

export function createNearestTriangle(): NearestTriangle {
  return { distance: Infinity, triangle: -1, point: vec3() };
}

/** Boxes are rounded outwards; this covers the rounding of their distance, as a share of it. */
const ROUNDING = 1e-12;

const [a, b, c] = [vec3(), vec3(), vec3()];
const onTriangle = createTrianglePoint();
const stack: number[] = [];
const bounds: number[] = [];

/** Branch and bound: the nearer of two boxes is searched first. The tree of the mesh has been built. */
export function nearestTriangle(mesh: Mesh, p: Vec3, to: NearestTriangle): NearestTriangle {
  const tree = meshTreeOf(mesh);
  to.distance = Infinity;
  let top = 0;
  let node = 0;
  let bound = 0;
  for (;;) {
    while (bound < to.distance) {
      const link = tree.links[node];
      if (link < 0) {
        measure(mesh, -1 - link, p, to);
        break;
      }
      const left = boxDistance(tree, link, p);
      const right = boxDistance(tree, link + 1, p);
      const isLeftNext = left <= right;
      stack[top] = isLeftNext ? link + 1 : link;
      bounds[top++] = Math.max(left, right);
      node = isLeftNext ? link : link + 1;
      bound = Math.min(left, right);
    }
    if (top === 0) return to;
    node = stack[--top];
    bound = bounds[top];
  }
}

function measure(mesh: Mesh, triangle: number, p: Vec3, to: NearestTriangle): void {
  const distanceOf = triangleDistance(mesh, triangle, p);
  if (distanceOf >= to.distance) return;
  to.distance = distanceOf;
  to.triangle = triangle;
  copy(onTriangle.position, to.point);
}

/** The distance of a point from one triangle. */
export function triangleDistance({ positions, indices }: Mesh, triangle: number, p: Vec3): number {
  corner(positions, indices[3 * triangle], a);
  corner(positions, indices[3 * triangle + 1], b);
  corner(positions, indices[3 * triangle + 2], c);
  nearestToPoint(p, a, b, c, onTriangle);
  return distance(p, onTriangle.position);
}

function corner(positions: Float64Array, vertex: number, to: Vec3): void {
  set(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], to);
}

/** A lower bound of the distance of a point from a node's box. */
function boxDistance({ boxes, axes }: PartTree, node: number, p: Vec3): number {
  const at = 6 * node;
  const x = p.x - boxes[at];
  const y = p.y - boxes[at + 1];
  const z = p.z - boxes[at + 2];
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const from = 9 * node + 3 * k;
    const along = axes ? axes[from] * x + axes[from + 1] * y + axes[from + 2] * z : k === 0 ? x : k === 1 ? y : z;
    const beyond = Math.abs(along) - boxes[at + 3 + k];
    if (beyond > 0) squared += beyond * beyond;
  }
  return Math.sqrt(squared) * (1 - (axes ? SKEW : 0) - ROUNDING);
}
