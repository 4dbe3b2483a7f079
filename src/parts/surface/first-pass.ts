/**
 * The first pass over contacts with a mesh: one triangle and one convex part by themselves. A contact of the kernel that is
 * accepted (accepted-normal.ts) stays. Otherwise the accepted normals of the triangle's features are tried, and the one along which
 * the part moves least to clear the feature's plane takes its place:
 *
 * - face: the triangle's normal, on the side with less of the part behind it.
 * - edge: the best normal of its arc (arc-search.ts).
 * - vertex: the best normal of its cone, by the contact of the part with the pyramid of the spokes.
 *
 * The depth is how far the part moves along the normal until it leaves the feature, and the point is where (feature-casts.ts). A
 * shorter way beyond a plane whose feature the part does not pass is noted for the second pass (second-pass.ts), which knows the other
 * triangles. All is in the mesh's frame and unit.
 */
import { addScaled, copy, dot, scale, set, vec3, type Vec3 } from '../../cpu/math.ts';
import { isBetter, takeProposal, TIE, type Proposal } from './contact-proposal.ts';
import { isAccepted, isAcceptedAtEdge, isAcceptedAtVertex, makeExact } from './accepted-normal.ts';
import { leastOnArc } from './arc-search.ts';
import {
  KIND_EDGE,
  KIND_EXACT,
  KIND_FACE,
  KIND_KEPT,
  KIND_NONE,
  KIND_THIN,
  KIND_VERTEX,
  type ContactRecord,
} from './contact-records.ts';
import { createEdgeFrame, PIECE_SIZE, placeEdge } from './edge-pieces.ts';
import { NO_EDGE } from './edge-rings.ts';
import { createExit } from './exit.ts';
import { exitOfEdge, exitOfTriangle, exitOfVertex } from './feature-casts.ts';
import { flatReach } from './flat-reach.ts';
import type { MeshSurface } from './mesh-surface.ts';
import { greatestHeight, leastHeight, supportOf, type PartInMesh } from './part-in-mesh.ts';
import type { GivenContact, PassOptions } from './surface-rule.ts';
import { contactWithVertex } from './vertex-contact.ts';

/** An exact normal may be outside of the accepted ones by this angle, in radians. */
const EXACT_SLACK = 1e-5;

/** By how much a normal of the front of a triangle may point behind it, as a sine. */
export const FRONT_SLACK = 1e-3;

/** Arcs of fewer radians are those of a flat edge. */
const LEAST_ARC = 1e-6;

/** A cast's point this near to the end of an edge, as a share of its length, is its vertex. */
const AT_END = 1e-5;

/** Parts that overlap by less than the first share of the part's reach, along a normal with more than the second, only touch. */
const TOUCHING = 1e-9;
const NOT_TOUCHING = 1e-6;

const frame = createEdgeFrame();
const exit = createExit();
const whole = createExit();
const normal = vec3();
const proposal: Proposal = { kind: KIND_NONE, normal, plane: 0, clearance: 0, isPassed: false, exit, travel: 0 };
const point = vec3();
const end = vec3();

/** Writes what triangle `triangle` proposes. */
export function proposeContact(
  surface: MeshSurface,
  triangle: number,
  part: PartInMesh,
  given: GivenContact,
  options: PassOptions,
  to: ContactRecord,
): void {
  const { depth } = given;
  to.triangle = triangle;
  to.depth = to.clearance = to.exit = to.travel = depth;
  to.full = to.otherClearance = 0;
  copy(given.normal, to.normal);
  copy(given.point, to.point);
  if (surface.rings[3 * triangle] === NO_EDGE) {
    to.kind = KIND_THIN;
    return;
  }
  if (keepsGiven(surface, triangle, given, options, to)) return;
  if (options.isGivenOnly) {
    to.kind = KIND_NONE;
    return;
  }
  proposeFace(surface, triangle, part, depth, options, to);
  // No normal clears the triangle in less than the depth.
  if (depth > 0 && (to.kind === KIND_NONE || to.clearance > depth * (1 + TIE))) {
    for (let k = 0; k < 3; k++) proposeEdge(surface, 3 * triangle + k, part, options.isFront, to);
    for (let k = 0; k < 3 && (to.kind === KIND_NONE || to.clearance > depth * (1 + TIE)); k++)
      proposeVertex(surface, 3 * triangle + k, part, options.isFront, to);
  }
  const isTouching = depth <= TOUCHING * part.reach && to.exit > NOT_TOUCHING * part.reach;
  if (to.kind !== KIND_NONE && !isTouching) return;
  to.kind = KIND_NONE;
  to.exit = to.clearance = depth;
  to.travel = Infinity;
}

function keepsGiven(
  surface: MeshSurface,
  triangle: number,
  { normal: m, point: at }: GivenContact,
  { angle, isFront }: PassOptions,
  to: ContactRecord,
): boolean {
  const { normals, mesh } = surface;
  const from = 3 * triangle;
  if (isFront && m.x * normals[from] + m.y * normals[from + 1] + m.z * normals[from + 2] < -FRONT_SLACK) return false;
  if (!isAccepted(surface, triangle, m, at, angle)) return false;
  makeExact(surface, triangle, angle, to.normal);
  const isSame = to.normal.x === m.x && to.normal.y === m.y && to.normal.z === m.z;
  to.kind = isSame ? KIND_KEPT : KIND_EXACT;
  to.plane = -Infinity;
  for (let k = 0; k < 3; k++) to.plane = Math.max(to.plane, dot(cornerOf(mesh, from + k, point), to.normal));
  return true;
}

function cornerOf({ positions, indices }: MeshSurface['mesh'], i: number, to: Vec3): Vec3 {
  const from = 3 * indices[i];
  return set(positions[from], positions[from + 1], positions[from + 2], to);
}

/** Proposes the triangle's own normal; `KIND_NONE` if the part is not over the triangle. */
function proposeFace(
  surface: MeshSurface,
  triangle: number,
  part: PartInMesh,
  depth: number,
  { margin, isFront }: PassOptions,
  to: ContactRecord,
): void {
  const { mesh, normals } = surface;
  const from = 3 * triangle;
  set(normals[from], normals[from + 1], normals[from + 2], normal);
  const plane = dot(cornerOf(mesh, from, point), normal);
  const below = plane - leastHeight(part, normal);
  const above = greatestHeight(part, normal) - plane;
  const isTie = Math.abs(below - above) <= TIE * part.reach;
  const isFlipped = !isFront && (isTie ? isNegative(normal) : below > above);
  if (isFlipped) scale(normal, -1, normal);
  const clearance = isFlipped ? above : below;
  exitOfTriangle(mesh, triangle, part, normal, { most: clearance, margin }, exit);
  to.kind = KIND_NONE;
  if (!(exit.distance > -margin)) return;
  to.kind = KIND_FACE;
  copy(normal, to.normal);
  to.plane = isFlipped ? -plane : plane;
  to.clearance = clearance;
  to.exit = to.travel = Math.min(exit.distance, Math.max(clearance, exit.distance < 0 ? exit.distance : 0));
  copy(exit.point, to.point);
  if (!(depth > 0 && exit.distance < clearance)) return;
  supportOf(part, scale(normal, -1, normal), to.fullPoint);
  addScaled(to.fullPoint, to.normal, clearance, to.fullPoint);
  if (flatReach(surface, triangle, to.fullPoint) >= clearance) to.full = clearance;
}

/** Whether the first component that is not 0 is negative: decides between two opposite normals without regard to the order of corners. */
function isNegative({ x, y, z }: Vec3): boolean {
  return (x || y || z) < 0;
}

/** Proposes the best normal of each piece of an edge. */
function proposeEdge(surface: MeshSurface, edge: number, part: PartInMesh, isFront: boolean, to: ContactRecord): void {
  const { mesh, normals, pieceStarts, pieces } = surface;
  const triangle = Math.floor(edge / 3);
  for (let i = pieceStarts[edge]; i < pieceStarts[edge + 1]; i++) {
    const at = PIECE_SIZE * i;
    const least = isFront ? Math.max(0, pieces[at + 2]) : pieces[at + 2];
    const greatest = pieces[at + 3];
    if (greatest - least <= LEAST_ARC) continue;
    placeEdge(mesh, normals, edge, frame);
    const clearance = leastOnArc(part, frame, least, greatest, normal);
    if (clearance <= 0 || !isBetter(clearance, to)) continue;
    addScaled(frame.from, frame.along, pieces[at] * frame.length, point);
    addScaled(frame.from, frame.along, pieces[at + 1] * frame.length, end);
    exitOfEdge(point, end, part, normal, clearance, exit);
    const plane = dot(frame.from, normal);
    const isPassed = exit.distance > 0 && isEdgeNormal(surface, edge, exit.point);
    if (isPassed) exitOfTriangle(mesh, triangle, part, normal, { most: clearance, margin: 0 }, whole);
    Object.assign(proposal, { kind: KIND_EDGE, plane, clearance, isPassed, travel: whole.distance });
    takeProposal(proposal, to);
  }
}

/** Whether the edge's normal is accepted at a point of the edge by all features there. */
function isEdgeNormal(surface: MeshSurface, edge: number, at: Vec3): boolean {
  const { indices } = surface.mesh;
  const triangle = Math.floor(edge / 3);
  const other = 3 * triangle + ((edge + 1) % 3);
  addScaled(at, frame.from, -1, point);
  const share = dot(point, frame.along) / frame.length;
  if (share < AT_END && !isAcceptedAtVertex(surface, surface.welded[indices[edge]], normal, EXACT_SLACK)) return false;
  if (share > 1 - AT_END && !isAcceptedAtVertex(surface, surface.welded[indices[other]], normal, EXACT_SLACK))
    return false;
  return isAcceptedAtEdge(surface, edge, normal, at, EXACT_SLACK);
}

/** Proposes the best normal of the cone of a triangle's corner. */
function proposeVertex(
  surface: MeshSurface,
  corner: number,
  part: PartInMesh,
  isFront: boolean,
  to: ContactRecord,
): void {
  const { mesh, normals, welded } = surface;
  const vertex = welded[mesh.indices[corner]];
  if (surface.spokeStarts[vertex] === surface.spokeStarts[vertex + 1]) return;
  const triangle = Math.floor(corner / 3);
  cornerOf(mesh, corner, end);
  const clearance = contactWithVertex(surface, vertex, end, part, normal);
  if (!(clearance > 0) || !isBetter(clearance, to) || !isAcceptedAtVertex(surface, vertex, normal, EXACT_SLACK)) return;
  const from = 3 * triangle;
  const along = normal.x * normals[from] + normal.y * normals[from + 1] + normal.z * normals[from + 2];
  if (isFront && along < -FRONT_SLACK) return;
  exitOfVertex(end, part, normal, clearance, exit);
  const plane = dot(end, normal);
  const isPassed = exit.distance > 0;
  if (isPassed) exitOfTriangle(mesh, triangle, part, normal, { most: clearance, margin: 0 }, whole);
  Object.assign(proposal, { kind: KIND_VERTEX, plane, clearance, isPassed, travel: whole.distance });
  takeProposal(proposal, to);
}
