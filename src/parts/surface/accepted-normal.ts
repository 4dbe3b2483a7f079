/**
 * Whether a unit vector, which points from a part of a body to another body that touches it, is a normal of the body's surface at the
 * point of contact: the polar test. All is in the body's frame.
 *
 * - face: the face's normal, of a triangle on either side, of a solid where no other covers it (open-faces.ts).
 * - edge: across the edge, at an accepted angle of the piece at the point (edge-pieces.ts).
 * - vertex: against all spokes (vertex-cones.ts).
 */
import { addScaled, dot, length, scale, vec3, type Vec3 } from '../../cpu/math.ts';
import { createEdgeFrame, PIECE_SIZE, placeEdge } from './edge-pieces.ts';
import { isInPolygon } from './open-faces.ts';
import { cornerOfEdge, cornersFrom, edgesFrom, facesFrom, isThin, placeCorner, type Surface } from './surface.ts';

/**
 * By how many times the error of contacts' normals a normal may be outside of the accepted ones. A rejected one is found again,
 * exactly.
 */
const SLACK = 5;

/** A point this share of an edge's length outside of a piece is on it. */
const PIECE_SLACK = 1e-4;

/** A point this share of a part's size outside of an open polygon is on it. */
const POLYGON_SLACK = 1e-5;

const frame = createEdgeFrame();
const between = vec3();

/** The heights of a part's corners along a normal, and the size of the part. */
interface Heights {
  values: Float64Array;
  highest: number;
  size: number;
}

const heights: Heights = { values: new Float64Array(16), highest: 0, size: 0 };

/**
 * `angle`: the error of contacts' normals, in radians. Corners that are level to within it are as high: the part may touch with any of
 * them.
 */
export function isAccepted(surface: Surface, part: number, m: Vec3, point: Vec3, angle: number): boolean {
  if (isThin(surface, part)) return false;
  const { outline, weld, welded } = surface;
  const slack = SLACK * angle;
  const first = cornersFrom(outline, part);
  const end = cornersFrom(outline, part + 1);
  measureHeights(surface, first, end, m);
  const { values } = heights;
  if (isFaceNormal(surface, part, m, point, slack)) return true;
  const lowest = heights.highest - Math.max(angle * heights.size, 2 * weld);
  const lastEdge = edgesFrom(outline, part + 1);
  for (let edge = edgesFrom(outline, part); edge < lastEdge; edge++) {
    const isHigh =
      values[cornerOfEdge(outline, edge, 0) - first] >= lowest &&
      values[cornerOfEdge(outline, edge, 1) - first] >= lowest;
    if (!isHigh || !isAcceptedAtEdge(surface, edge, m, point, slack)) continue;
    if (highCorners(end - first, lowest) <= 2 || isAtEdge(surface, point)) return true;
  }
  for (let i = first; i < end; i++) {
    if (values[i - first] < lowest || !isAcceptedAtVertex(surface, welded[outline.indices[i]], m, slack / 2)) continue;
    if (highCorners(end - first, lowest) === 1 || isAtCorner(surface, i, point)) return true;
  }
  return false;
}

/** How many corners are as high as the highest. Up to two of them have the point of contact; of more, it may be on the face between. */
function highCorners(count: number, lowest: number): number {
  let high = 0;
  for (let i = 0; i < count; i++) high += Number(heights.values[i] >= lowest);
  return high;
}

/** Whether a point is on the line of the edge in `frame`. */
function isAtEdge({ weld }: Surface, point: Vec3): boolean {
  addScaled(point, frame.from, -1, between);
  addScaled(between, frame.along, -dot(between, frame.along), between);
  return length(between) <= PIECE_SLACK * heights.size + 2 * weld;
}

function isAtCorner({ outline, weld }: Surface, corner: number, point: Vec3): boolean {
  addScaled(placeCorner(outline, corner, between), point, -1, between);
  return length(between) <= PIECE_SLACK * heights.size + 2 * weld;
}

function measureHeights({ outline }: Surface, first: number, end: number, { x, y, z }: Vec3): void {
  const { positions, indices } = outline;
  if (heights.values.length < end - first) heights.values = new Float64Array(2 * (end - first));
  const from = 3 * indices[first];
  const [ox, oy, oz] = [positions[from], positions[from + 1], positions[from + 2]];
  heights.highest = -Infinity;
  heights.size = 0;
  for (let i = first; i < end; i++) {
    const at = 3 * indices[i];
    const u = positions[at] - ox;
    const v = positions[at + 1] - oy;
    const w = positions[at + 2] - oz;
    const height = u * x + v * y + w * z;
    heights.values[i - first] = height;
    heights.highest = Math.max(heights.highest, height);
    heights.size = Math.max(heights.size, Math.abs(u), Math.abs(v), Math.abs(w));
  }
}

/** Whether a normal is that of a face of a part, where it is open, within an angle. */
function isFaceNormal({ outline, normals, weld }: Surface, part: number, m: Vec3, point: Vec3, slack: number): boolean {
  const { solids } = outline;
  const end = facesFrom(outline, part + 1);
  for (let face = facesFrom(outline, part); face < end; face++) {
    const at = 3 * face;
    if (sineTo(normals, at, m) > slack) continue;
    if (!solids) return true;
    const normal = [normals[at], normals[at + 1], normals[at + 2]];
    if (normal[0] * m.x + normal[1] * m.y + normal[2] * m.z < 0) continue;
    const away = POLYGON_SLACK * heights.size + 2 * weld;
    const place = [point.x, point.y, point.z];
    if (solids.open[face].some((polygon) => isInPolygon(polygon, normal, place, away))) return true;
  }
  return false;
}

/** The sine of the angle between a face's normal and a vector of about unit length, exact for small angles. */
export function sineTo(normals: Float64Array, at: number, { x, y, z }: Vec3): number {
  const u = normals[at + 1] * z - normals[at + 2] * y;
  const v = normals[at + 2] * x - normals[at] * z;
  const w = normals[at] * y - normals[at + 1] * x;
  return Math.sqrt(u * u + v * v + w * w);
}

/** Whether a normal is accepted at a point of an edge, within an angle. */
export function isAcceptedAtEdge(surface: Surface, edge: number, m: Vec3, point: Vec3, slack: number): boolean {
  placeEdge(surface.outline, surface.normals, edge, frame);
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
  { spokeStarts, spokes }: Surface,
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
 * Makes an accepted normal exact if it is a face's, or across an edge, up to its error. Otherwise a plane along it would cut into the
 * parts beside.
 */
export function makeExact({ outline, normals }: Surface, part: number, angle: number, m: Vec3): void {
  const lastFace = facesFrom(outline, part + 1);
  for (let face = facesFrom(outline, part); face < lastFace; face++) {
    const at = 3 * face;
    const along = normals[at] * m.x + normals[at + 1] * m.y + normals[at + 2] * m.z;
    if (sineTo(normals, at, m) > angle || (outline.solids && along < 0)) continue;
    const side = along < 0 ? -1 : 1;
    m.x = side * normals[at];
    m.y = side * normals[at + 1];
    m.z = side * normals[at + 2];
    return;
  }
  const lastEdge = edgesFrom(outline, part + 1);
  for (let edge = edgesFrom(outline, part); edge < lastEdge; edge++) {
    placeEdge(outline, normals, edge, frame);
    const across = dot(m, frame.along);
    if (Math.abs(across) > angle || dot(m, frame.out) < -SLACK * angle) continue;
    addScaled(m, frame.along, -across, m);
    scale(m, 1 / length(m), m);
    return;
  }
}
