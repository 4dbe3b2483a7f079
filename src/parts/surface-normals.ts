/**
 * Whether a normal at a triangle of a mesh is a normal of the mesh's surface. A body that slides over flat or convex ground
 * made of triangles passes over their common edges. For a triangle by itself, the shortest way out may lead across its
 * edge. Such a normal is wrong for the surface, which continues beyond the edge.
 *
 * The normals of a surface at an edge or vertex are those of its Voronoi region: directions that point away from all
 * triangles there. The test depends on the mesh and the normal alone, so that the order of contacts does not matter.
 *
 * - face: the face's normal, on either side.
 * - edge: directions across the edge out of both triangles. Where the triangles enclose less than half a turn on the
 *   normal's side, no body that is apart from the surface has such a contact, and the normal is kept as it is.
 * - vertex: directions against all edges there.
 * - Edges with one triangle have the whole half turn beyond it. Those with more than two, and their vertices, accept all.
 */
import { dot, length as lengthOf, scale, set, vec3, type Vec3 } from '../cpu/math.ts';
import type { Mesh } from '../shapes/parts.ts';
import { BOUNDARY, MANY, type MeshEdges } from './mesh-edges.ts';

/** Sine of the angle by which a normal may be outside. Normals of kernels are that inexact. */
const ANGLE_SLACK = 2e-5;

/** A corner that is lower than the highest by less than this share of the triangle's size is as high. */
const LEVEL = 1e-4;

/** Writes the unit normal of a triangle, counter-clockwise. Returns whether it has one. */
export function triangleNormal({ positions, indices }: Mesh, triangle: number, to: Float64Array): boolean {
  const a = 3 * indices[3 * triangle];
  const b = 3 * indices[3 * triangle + 1];
  const c = 3 * indices[3 * triangle + 2];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const norm = Math.sqrt(x * x + y * y + z * z);
  const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  if (!(norm > 1e-7 * longest)) return false;
  to[0] = x / norm;
  to[1] = y / norm;
  to[2] = z / norm;
  return true;
}

const face = new Float64Array(3);
const heights = new Float64Array(3);
const out = vec3();
const outOfOther = vec3();

/**
 * Whether the unit vector m, which points from a triangle to the body that touches it, in the mesh's frame, is a normal of
 * the mesh's surface.
 */
export function isSurfaceNormal(mesh: Mesh, edges: MeshEdges, triangle: number, m: Vec3): boolean {
  if (!triangleNormal(mesh, triangle, face)) return true;
  const { x, y, z } = m;
  const along = face[0] * x + face[1] * y + face[2] * z;
  const acrossX = face[1] * z - face[2] * y;
  const acrossY = face[2] * x - face[0] * z;
  const acrossZ = face[0] * y - face[1] * x;
  const sideways = Math.sqrt(acrossX * acrossX + acrossY * acrossY + acrossZ * acrossZ);
  if (sideways <= ANGLE_SLACK) return true;
  const { positions, indices } = mesh;
  const first = 3 * indices[3 * triangle];
  let highest = -Infinity;
  let size = 0;
  for (let k = 0; k < 3; k++) {
    const at = 3 * indices[3 * triangle + k];
    const u = positions[at] - positions[first];
    const v = positions[at + 1] - positions[first + 1];
    const w = positions[at + 2] - positions[first + 2];
    heights[k] = u * x + v * y + w * z;
    highest = Math.max(highest, heights[k]);
    size = Math.max(size, Math.abs(u), Math.abs(v), Math.abs(w));
  }
  // Find the highest part of the triangle: a corner, an edge or all of it.
  const lowest = highest - LEVEL * size * sideways;
  const isHigh0 = heights[0] >= lowest;
  const isHigh1 = heights[1] >= lowest;
  const isHigh2 = heights[2] >= lowest;
  const count = Number(isHigh0) + Number(isHigh1) + Number(isHigh2);
  const side = along < 0 ? -1 : 1;
  if (count === 3) {
    // A needle across the normal: any of its edges and corners may be what is touched.
    for (let k = 0; k < 3; k++) {
      if (isEdgeNormal(mesh, edges, triangle, k, side, m)) return true;
      if (isVertexNormal(mesh, edges, indices[3 * triangle + k], m)) return true;
    }
    return false;
  }
  if (count === 1) {
    const corner = isHigh0 ? 0 : isHigh1 ? 1 : 2;
    return isVertexNormal(mesh, edges, indices[3 * triangle + corner], m);
  }
  // Edge k goes from corner k to the next.
  const edge = !isHigh2 ? 0 : !isHigh0 ? 1 : 2;
  return isEdgeNormal(mesh, edges, triangle, edge, side, m);
}

/** Whether no edge of a vertex goes along m. */
function isVertexNormal(
  { positions }: Mesh,
  { welded, starts, spokes, isOnMany }: MeshEdges,
  vertex: number,
  m: Vec3,
): boolean {
  const own = welded[vertex];
  if (isOnMany[own]) return true;
  for (let i = starts[own]; i < starts[own + 1]; i++) {
    const x = positions[3 * spokes[i]] - positions[3 * own];
    const y = positions[3 * spokes[i] + 1] - positions[3 * own + 1];
    const z = positions[3 * spokes[i] + 2] - positions[3 * own + 2];
    const along = x * m.x + y * m.y + z * m.z;
    if (along > ANGLE_SLACK * Math.sqrt(x * x + y * y + z * z)) return false;
  }
  return true;
}

/** The edge goes from `corner` of the triangle to the next. `side`: on which side of the triangle the normal is. */
function isEdgeNormal(
  mesh: Mesh,
  { neighbours, welded }: MeshEdges,
  triangle: number,
  corner: number,
  side: number,
  m: Vec3,
): boolean {
  const { indices } = mesh;
  const neighbour = neighbours[3 * triangle + corner];
  if (neighbour === MANY) return true;
  const from = indices[3 * triangle + corner];
  const to = indices[3 * triangle + ((corner + 1) % 3)];
  acrossEdge(mesh, from, to, indices[3 * triangle + ((corner + 2) % 3)], out);
  if (dot(out, m) < -ANGLE_SLACK) return false;
  if (neighbour === BOUNDARY) return true;
  for (let k = 0; k < 3; k++) {
    const opposite = indices[3 * neighbour + k];
    if (welded[opposite] === welded[from] || welded[opposite] === welded[to]) continue;
    acrossEdge(mesh, from, to, opposite, outOfOther);
    // The other triangle rises on this side: a valley.
    const rise = -side * (outOfOther.x * face[0] + outOfOther.y * face[1] + outOfOther.z * face[2]);
    return rise > ANGLE_SLACK || dot(outOfOther, m) >= -ANGLE_SLACK;
  }
  return true;
}

/** The unit vector across an edge out of the triangle with this third vertex, in the triangle's plane. */
function acrossEdge({ positions }: Mesh, from: number, to: number, third: number, result: Vec3): void {
  const x = positions[3 * to] - positions[3 * from];
  const y = positions[3 * to + 1] - positions[3 * from + 1];
  const z = positions[3 * to + 2] - positions[3 * from + 2];
  const u = positions[3 * third] - positions[3 * from];
  const v = positions[3 * third + 1] - positions[3 * from + 1];
  const w = positions[3 * third + 2] - positions[3 * from + 2];
  const share = (x * u + y * v + z * w) / Math.max(x * x + y * y + z * z, Number.MIN_VALUE);
  set(share * x - u, share * y - v, share * z - w, result);
  const size = lengthOf(result);
  if (size > 0) scale(result, 1 / size, result);
}
