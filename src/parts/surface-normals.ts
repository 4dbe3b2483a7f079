/**
 * Whether a normal at a triangle of a mesh is one of the mesh's surface. A body that slides over a flat or convex run of
 * triangles meets their common edges, and for each triangle alone the edge's normal may be the nearest way out. Such a
 * normal is wrong for the surface, which goes on behind the edge.
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
import type { Mesh } from '../shapes/parts.ts';
import { BOUNDARY, MANY, type MeshEdges } from './mesh-edges.ts';

/** Sine of the angle by which a normal may be outside. Normals of kernels are that inexact. */
const ANGLE_SLACK = 2e-5;

/** A corner that is lower than the highest by less than this share of the triangle's size is as high. */
const LEVEL = 1e-4;

type Vector = [x: number, y: number, z: number];

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
  const length = Math.sqrt(x * x + y * y + z * z);
  const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  if (!(length > 1e-7 * longest)) return false;
  to[0] = x / length;
  to[1] = y / length;
  to[2] = z / length;
  return true;
}

const face = new Float64Array(3);
const heights = new Float64Array(3);

/**
 * Whether the unit vector m, which points from a triangle to the body that touches it, in the mesh's frame, is a normal of
 * the mesh's surface.
 */
export function isSurfaceNormal(mesh: Mesh, edges: MeshEdges, triangle: number, m: Vector): boolean {
  if (!triangleNormal(mesh, triangle, face)) return true;
  const along = face[0] * m[0] + face[1] * m[1] + face[2] * m[2];
  const sideways = Math.hypot(
    face[1] * m[2] - face[2] * m[1],
    face[2] * m[0] - face[0] * m[2],
    face[0] * m[1] - face[1] * m[0],
  );
  if (sideways <= ANGLE_SLACK) return true;
  const { positions, indices } = mesh;
  let highest = -Infinity;
  let size = 0;
  for (let k = 0; k < 3; k++) {
    const at = 3 * indices[3 * triangle + k];
    const first = 3 * indices[3 * triangle];
    const [x, y, z] = [0, 1, 2].map((axis) => positions[at + axis] - positions[first + axis]);
    heights[k] = x * m[0] + y * m[1] + z * m[2];
    highest = Math.max(highest, heights[k]);
    size = Math.max(size, Math.abs(x), Math.abs(y), Math.abs(z));
  }
  const isHigh = (k: number): boolean => highest - heights[k] <= LEVEL * size * Math.max(sideways, ANGLE_SLACK);
  const high = [0, 1, 2].filter(isHigh);
  if (high.length === 1) return isVertexNormal(mesh, edges, indices[3 * triangle + high[0]], m);
  if (high.length === 3) return false;
  const [p, q] = high;
  const corner = (p + 1) % 3 === q ? p : q;
  return isEdgeNormal(mesh, edges, triangle, corner, along < 0 ? -1 : 1, m);
}

/** Whether no edge of a vertex goes along m. */
function isVertexNormal(
  { positions }: Mesh,
  { welded, starts, spokes, isOnMany }: MeshEdges,
  vertex: number,
  m: Vector,
): boolean {
  const own = welded[vertex];
  if (isOnMany[own]) return true;
  for (let i = starts[own]; i < starts[own + 1]; i++) {
    const [x, y, z] = [0, 1, 2].map((axis) => positions[3 * spokes[i] + axis] - positions[3 * own + axis]);
    const length = Math.sqrt(x * x + y * y + z * z);
    if (x * m[0] + y * m[1] + z * m[2] > ANGLE_SLACK * length) return false;
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
  m: Vector,
): boolean {
  const { indices } = mesh;
  const neighbour = neighbours[3 * triangle + corner];
  if (neighbour === MANY) return true;
  const from = indices[3 * triangle + corner];
  const to = indices[3 * triangle + ((corner + 1) % 3)];
  const out = acrossEdge(mesh, from, to, indices[3 * triangle + ((corner + 2) % 3)]);
  if (dot(out, m) < -ANGLE_SLACK) return false;
  if (neighbour === BOUNDARY) return true;
  const opposite = [0, 1, 2]
    .map((k) => indices[3 * neighbour + k])
    .find((vertex) => welded[vertex] !== welded[from] && welded[vertex] !== welded[to]);
  if (opposite === undefined) return true;
  const outOfOther = acrossEdge(mesh, from, to, opposite);
  // The other triangle rises on this side: a valley.
  if (-side * dot(outOfOther, [face[0], face[1], face[2]]) > ANGLE_SLACK) return true;
  return dot(outOfOther, m) >= -ANGLE_SLACK;
}

/** The unit vector across an edge out of the triangle with this third vertex, in the triangle's plane. */
function acrossEdge({ positions }: Mesh, from: number, to: number, third: number): Vector {
  const edge = difference(positions, to, from);
  const inward = difference(positions, third, from);
  const share = dot(edge, inward) / Math.max(dot(edge, edge), Number.MIN_VALUE);
  const [x, y, z] = [0, 1, 2].map((k) => share * edge[k] - inward[k]);
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
}

function difference(positions: Float64Array, to: number, from: number): Vector {
  return [
    positions[3 * to] - positions[3 * from],
    positions[3 * to + 1] - positions[3 * from + 1],
    positions[3 * to + 2] - positions[3 * from + 2],
  ];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
