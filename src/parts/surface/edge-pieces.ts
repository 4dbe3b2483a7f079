/**
 * The normals that a mesh's surface has along an edge: those that no triangle there rises above. Seen along the edge of a triangle
 * with the normal n, `out` points out of the triangle and across the edge. A normal at the angle a is out cos a + n sin a.
 *
 *     convex: an arc        flat: ends in +-n only    concave: the arc is      free: half a turn
 *        n \ | /            n |                       behind the triangle           n |
 *           \|/               |                            /                          |--- out
 *     -------\--- out    -----------  out            ----- / out               -------|
 *             \                                           \ arc                       |
 *
 * A triangle that goes on at the angle p below the plane (p < 0) leaves angles from p + 90 degrees on; one that rises (p > 0) leaves
 * those up to p - 90 degrees. So the accepted angles are one range, which is empty on flat ground. The triangle's own normal, at 90 or
 * -90 degrees, is accepted in any case.
 */
import type { PartTree } from '../../bvh/part-tree.ts';
import { addScaled, cross, dot, length, scale, set, subtract, vec3, type Vec3 } from '../../cpu/math.ts';
import type { Mesh } from '../../shapes/parts.ts';
import { createTrianglePlanes, heightOver, placePlanes, shareOn, visitNear } from './near-triangles.ts';
import { pushPiece, type NumberList } from './number-list.ts';
import { cornerOfEdge, faceOfEdge, placeCorner, type Outline } from './surface.ts';

/** Numbers per piece of an edge: from and to which share of its length it goes, the least and the greatest accepted angle. */
export const PIECE_SIZE = 4;

/** A triangle that goes on at an angle nearer to 0 than this is in the plane. Radians. */
const LEVEL_ANGLE = 1e-7;

/** What shares less of an edge than this share of it, or than 4 times the reach of the search, does not bound it. */
export const LEAST_SHARE = 1e-6;

/** Sine of the angle by which a triangle's corner may be sharper than its edges say. */
const CORNER_SLACK = 1e-5;

/** The frame of a triangle's edge. */
export interface EdgeFrame {
  readonly from: Vec3;
  readonly to: Vec3;
  /** Unit vector along the edge. */
  readonly along: Vec3;
  readonly normal: Vec3;
  readonly out: Vec3;
  length: number;
}

export function createEdgeFrame(): EdgeFrame {
  return { from: vec3(), to: vec3(), along: vec3(), normal: vec3(), out: vec3(), length: 0 };
}

/** Writes the frame of an edge, whose face has a normal. */
export function placeEdge(outline: Outline, faces: Float64Array, edge: number, to: EdgeFrame): void {
  const at = 3 * faceOfEdge(outline, edge);
  set(faces[at], faces[at + 1], faces[at + 2], to.normal);
  placeCorner(outline, cornerOfEdge(outline, edge, 0), to.from);
  placeCorner(outline, cornerOfEdge(outline, edge, 1), to.to);
  finishFrame(to);
}

/** Completes a frame that has its ends and its normal. */
export function finishFrame(to: EdgeFrame): void {
  subtract(to.to, to.from, to.along);
  to.length = length(to.along);
  scale(to.along, 1 / to.length, to.along);
  cross(to.along, to.normal, to.out);
}

function corner(positions: Float64Array, vertex: number, to: Vec3): Vec3 {
  return set(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], to);
}

/** What bounds an edge: on which share of it, and the least and the greatest angle that it leaves. */
export type EdgeBound = [first: number, last: number, least: number, greatest: number];

/** The angle at which a direction goes on from an edge. */
function angleOf({ normal, out }: EdgeFrame, direction: Vec3): number {
  return Math.atan2(dot(direction, normal), dot(direction, out));
}

const third = vec3();
const direction = vec3();

/** Appends the one piece of an edge that two triangles share. `other`: the edge of the second. */
export function addSharedEdge({ positions, indices }: Mesh, frame: EdgeFrame, other: number, to: NumberList): void {
  // Of the second triangle's corners, the one that is farthest from the edge. The others are within the weld tolerance of it.
  let farthest = -1;
  const first = 3 * Math.floor(other / 3);
  for (let i = first; i < first + 3; i++) {
    subtract(corner(positions, indices[i], third), frame.from, third);
    addScaled(third, frame.along, -dot(third, frame.along), third);
    const size = length(third);
    if (size <= farthest) continue;
    farthest = size;
    scale(third, 1 / size, direction);
  }
  const angle = angleOf(frame, direction);
  pushPiece(to, 0, 1, leastBeside(angle), greatestBeside(angle));
}

const planes = createTrianglePlanes();
const share = new Float64Array(2);
const middle = vec3();

/** What a search for triangles needs: an aligned tree, the mesh's normals, and how near triangles have to be. */
export interface NearSearch {
  readonly mesh: Mesh;
  readonly faces: Float64Array;
  readonly tree: PartTree;
  readonly reach: number;
}

/** Calls `visit` for the triangles with a normal that go along a length of an edge. `share` is which. */
export function visitAlong(
  search: NearSearch,
  frame: EdgeFrame,
  edge: number,
  visit: (triangle: number) => void,
): void {
  const { mesh, faces, tree, reach } = search;
  const own = Math.floor(edge / 3);
  const least = Math.max((4 * reach) / frame.length, LEAST_SHARE);
  visitNear(tree, frame.from, frame.to, reach, (triangle) => {
    const at = 3 * triangle;
    if (triangle === own || (faces[at] === 0 && faces[at + 1] === 0 && faces[at + 2] === 0)) return;
    placePlanes(mesh, faces, triangle, planes);
    if (shareOn(planes, frame.from, frame.to, reach, share) && share[1] - share[0] > least) visit(triangle);
  });
}

/** Appends the pieces of an edge of any number of triangles, some of which may share a part of it only. */
export function addSearchedEdge(search: NearSearch, frame: EdgeFrame, edge: number, to: NumberList): void {
  const bounds: EdgeBound[] = [];
  visitAlong(search, frame, edge, () => {
    addScaled(frame.from, frame.along, ((share[0] + share[1]) / 2) * frame.length, middle);
    set(planes.normals[0], planes.normals[1], planes.normals[2], direction);
    cross(direction, frame.along, direction);
    for (let side = 0; side < 2; side++) {
      scale(direction, -1 / length(direction), direction);
      if (!goesOn(middle, direction, search.reach)) continue;
      const angle = angleOf(frame, direction);
      bounds.push([share[0], share[1], leastBeside(angle), greatestBeside(angle)]);
    }
  });
  addPieces(bounds, -Math.PI / 2, Math.PI / 2, to);
}

/** Whether the triangle of `planes` goes on from a point of it in a direction within its plane. */
function goesOn(point: Vec3, { x, y, z }: Vec3, reach: number): boolean {
  const { normals } = planes;
  for (let i = 1; i <= 3; i++) {
    const at = 3 * i;
    const rate = normals[at] * x + normals[at + 1] * y + normals[at + 2] * z;
    if (rate < -CORNER_SLACK && heightOver(planes, i, point) <= 2 * reach) return false;
  }
  return true;
}

/** The least accepted angle beside a triangle that goes on at an angle from the edge. */
function leastBeside(angle: number): number {
  return angle < LEVEL_ANGLE ? Math.max(-Math.PI / 2, angle + Math.PI / 2) : -Math.PI / 2;
}

/** The greatest accepted angle beside it. */
function greatestBeside(angle: number): number {
  return angle > -LEVEL_ANGLE ? Math.min(Math.PI / 2, angle - Math.PI / 2) : Math.PI / 2;
}

/** Appends the pieces of an edge with these accepted angles: it is cut where its bounds begin and end. */
export function addPieces(bounds: readonly EdgeBound[], ownLeast: number, ownGreatest: number, to: NumberList): void {
  const cuts = [0, 1, ...bounds.flatMap(([first, last]) => [first, last])].sort((a, b) => a - b);
  for (let i = 1; i < cuts.length; i++) {
    const first = cuts[i - 1];
    const last = cuts[i];
    if (last - first < LEAST_SHARE) continue;
    const at = (first + last) / 2;
    let least = ownLeast;
    let greatest = ownGreatest;
    for (const [from, end, low, high] of bounds) {
      if (from > at || end < at) continue;
      least = Math.max(least, low);
      greatest = Math.min(greatest, high);
    }
    pushPiece(to, first, last, least, greatest);
  }
}
