/**
 * Whether a unit vector, which points from a triangle of a mesh to the body that touches it, is a normal of the mesh's surface at the
 * point of contact: the polar test. All is in the mesh's frame.
 *
 * - face: the triangle's normal, on either side.
 * - edge: across the edge, at an accepted angle of the piece at the point (edge-pieces.ts).
 * - vertex: against all spokes (vertex-cones.ts).
 */
import { addScaled, dot, length, scale, vec3, type Vec3 } from '../../cpu/math.ts';
import { createEdgeFrame, PIECE_SIZE, placeEdge } from './edge-pieces.ts';
import { NO_EDGE } from './edge-rings.ts';
import type { MeshSurface } from './mesh-surface.ts';

/**
 * By how many times the error of contacts' normals a normal may be outside of the accepted ones. A rejected one is found again,
 * exactly.
 */
const SLACK = 5;

/** A point this share of an edge's length outside of a piece is on it. */
const PIECE_SLACK = 1e-4;

const frame = createEdgeFrame();
const heights = new Float64Array(3);
const between = vec3();

/**
 * `angle`: the error of contacts' normals, in radians. Corners that are level to within it are as high: the triangle may touch with
 * any of them.
 */
export function isAccepted(surface: MeshSurface, triangle: number, m: Vec3, point: Vec3, angle: number): boolean {
  const { mesh, normals, weld, welded } = surface;
  if (surface.rings[3 * triangle] === NO_EDGE) return false;
  const at = 3 * triangle;
  const slack = SLACK * angle;
  if (sineTo(normals, at, m) <= slack) return true;
  const { positions, indices } = mesh;
  const first = 3 * indices[at];
  let highest = -Infinity;
  let size = 0;
  for (let k = 0; k < 3; k++) {
    const from = 3 * indices[at + k];
    const x = positions[from] - positions[first];
    const y = positions[from + 1] - positions[first + 1];
    const z = positions[from + 2] - positions[first + 2];
    heights[k] = x * m.x + y * m.y + z * m.z;
    highest = Math.max(highest, heights[k]);
    size = Math.max(size, Math.abs(x), Math.abs(y), Math.abs(z));
  }
  const lowest = highest - Math.max(angle * size, 2 * weld);
  for (let k = 0; k < 3; k++) {
    const isHigh = heights[k] >= lowest && heights[(k + 1) % 3] >= lowest;
    if (isHigh && isAcceptedAtEdge(surface, at + k, m, point, slack)) return true;
  }
  for (let k = 0; k < 3; k++) {
    if (heights[k] >= lowest && isAcceptedAtVertex(surface, welded[indices[at + k]], m, slack / 2)) return true;
  }
  return false;
}

/** The sine of the angle between a triangle's normal and a vector of about unit length, exact for small angles. */
function sineTo(normals: Float64Array, at: number, { x, y, z }: Vec3): number {
  const u = normals[at + 1] * z - normals[at + 2] * y;
  const v = normals[at + 2] * x - normals[at] * z;
  const w = normals[at] * y - normals[at + 1] * x;
  return Math.sqrt(u * u + v * v + w * w);
}

/** Whether a normal is accepted at a point of an edge, within an angle. */
export function isAcceptedAtEdge(surface: MeshSurface, edge: number, m: Vec3, point: Vec3, slack: number): boolean {
  placeEdge(surface.mesh, surface.normals, edge, frame);
  if (Math.abs(dot(m, frame.along)) > slack) return false;
  const angle = Math.atan2(dot(m, frame.normal), dot(m, frame.out));
  addScaled(point, frame.from, -1, between);
  const share = dot(between, frame.along) / frame.length;
  const { pieceStarts, pieces } = surface;
  for (let i = pieceStarts[edge]; i < pieceStarts[edge + 1]; i++) {
    const at = PIECE_SIZE * i;
    if (share < pieces[at] - PIECE_SLACK || share > pieces[at + 1] + PIECE_SLACK) continue;
    if (angle >= pieces[at + 2] - slack && angle <= pieces[at + 3] + slack) return true;
  }
  return false;
}

/** Whether a normal is accepted at a welded vertex that has a cone, within an angle. */
export function isAcceptedAtVertex(
  { spokeStarts, spokes }: MeshSurface,
  vertex: number,
  { x, y, z }: Vec3,
  slack: number,
): boolean {
  const end = spokeStarts[vertex + 1];
  if (spokeStarts[vertex] === end) return false;
  for (let i = spokeStarts[vertex]; i < end; i++) {
    if (spokes[3 * i] * x + spokes[3 * i + 1] * y + spokes[3 * i + 2] * z > slack) return false;
  }
  return true;
}

/**
 * Makes an accepted normal exact where a contact's normal is the face's, or across an edge, but for its error: otherwise a
 * plane along it cuts into the triangles beside.
 */
export function makeExact({ mesh, normals }: MeshSurface, triangle: number, angle: number, m: Vec3): void {
  const at = 3 * triangle;
  const along = normals[at] * m.x + normals[at + 1] * m.y + normals[at + 2] * m.z;
  if (sineTo(normals, at, m) <= angle) {
    const side = along < 0 ? -1 : 1;
    m.x = side * normals[at];
    m.y = side * normals[at + 1];
    m.z = side * normals[at + 2];
    return;
  }
  for (let k = 0; k < 3; k++) {
    placeEdge(mesh, normals, at + k, frame);
    const part = dot(m, frame.along);
    if (Math.abs(part) > angle || dot(m, frame.out) < -SLACK * angle) continue;
    addScaled(m, frame.along, -part, m);
    scale(m, 1 / length(m), m);
    return;
  }
}
