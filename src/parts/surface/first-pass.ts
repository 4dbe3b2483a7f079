/**
 * The first pass over contacts with a surface: one triangle or solid, and one convex part of the other body, by themselves. A contact of
 * the kernel that is accepted (accepted-normal.ts) stays. Otherwise the accepted normals of the triangle's or solid's features are
 * tried, and the one along which the part moves least to clear the feature's plane takes its place:
 *
 * - face: its normal; of a triangle on the side with less of the part behind it, of a solid where it is open.
 * - edge: the best normal of its arc (arc-search.ts).
 * - vertex: the best normal of its cone, by the contact of the part with the pyramid of the spokes.
 *
 * The depth is how far the part moves along the normal until it leaves the feature, and the point is where (feature-casts.ts). A
 * shorter way beyond a plane whose feature the part does not pass is noted for the second pass (second-pass.ts), which knows the other
 * triangles or solids. All is in the surface's frame and unit.
 */
import { addScaled, copy, dot, length, scale, set, vec3, type Vec3 } from '../../cpu/math.ts';
import {
  beginRecord,
  finishRecord,
  isBetter,
  NOT_TOUCHING,
  takeProposal,
  TIE,
  type Proposal,
} from './contact-proposal.ts';
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
import { createExit } from './exit.ts';
import { exitOfEdge, exitOfPart, exitOfPolygon, exitOfVertex } from './feature-casts.ts';
import { flatReach } from './flat-reach.ts';
import { greatestHeight, leastHeight, supportOf, type PartInMesh } from './part-in-mesh.ts';
import {
  cornerOfEdge,
  cornersFrom,
  edgesFrom,
  facesFrom,
  isPlain,
  isThin,
  placeCorner,
  type OpenPolygon,
  type Outline,
  type Surface,
} from './surface.ts';
import { REFERENCE_ANGLE, type GivenContact, type PassOptions } from './surface-rule.ts';
import { contactWithVertex } from './vertex-contact.ts';

/** An exact normal may be outside of the accepted ones by this angle, in radians. */
const EXACT_SLACK = 1e-5;

/** By how much a normal of the front of a triangle may point behind it, as a sine. */
const FRONT_SLACK = 1e-3;

/** Ways that differ by less than this share are the same. */
const SAME = 1e-9;

/** Arcs of fewer radians are those of a flat edge. */
const LEAST_ARC = 1e-6;

/** A cast's point this near to the end of an edge, as a share of its length, is its vertex. */
const AT_END = 1e-5;

const frame = createEdgeFrame();
const exit = createExit();
const whole = createExit();
const normal = vec3();
const proposal: Proposal = { kind: KIND_NONE, normal, plane: 0, clearance: 0, isPassed: false, exit };
const point = vec3();
const end = vec3();

/** Writes what triangle or solid `own` proposes. */
export function proposeContact(
  surface: Surface,
  own: number,
  part: PartInMesh,
  given: GivenContact,
  options: PassOptions,
  to: ContactRecord,
): void {
  const { depth } = given;
  beginRecord(own, given, to);
  if (isThin(surface, own)) {
    to.kind = KIND_THIN;
    return;
  }
  if (keepsGiven(surface, own, given, to)) return;
  to.kind = KIND_NONE;
  if (options.isGivenOnly) return;
  const { outline } = surface;
  if (outline.solids) proposeFaces(surface, own, part, depth, options, to);
  else proposeFace(surface, own, part, depth, options, to);
  if (depth > 0 && isOpen(to)) {
    const lastEdge = edgesFrom(outline, own + 1);
    for (let edge = edgesFrom(outline, own); edge < lastEdge; edge++) proposeEdge(surface, own, edge, part, to);
    const lastCorner = cornersFrom(outline, own + 1);
    for (let i = cornersFrom(outline, own); i < lastCorner && isOpen(to); i++) proposeVertex(surface, own, i, part, to);
  }
  finishRecord(part.reach, to);
}

/** Whether a normal may clear the triangle or solid in less than what is proposed, but not in less than the depth. */
function isOpen({ kind, clearance, depth }: ContactRecord): boolean {
  return kind === KIND_NONE || clearance > depth * (1 + TIE);
}

function keepsGiven(surface: Surface, own: number, { normal: m, point: at }: GivenContact, to: ContactRecord): boolean {
  const { outline } = surface;
  if (isPlain(surface, own)) {
    to.kind = KIND_KEPT;
    to.plane = dot(at, m);
    return true;
  }
  if (isBehindFront(surface, own, m) || !isAccepted(surface, own, m, at, REFERENCE_ANGLE)) return false;
  makeExact(surface, own, REFERENCE_ANGLE, to.normal);
  const isSame = to.normal.x === m.x && to.normal.y === m.y && to.normal.z === m.z;
  to.kind = isSame ? KIND_KEPT : KIND_EXACT;
  to.plane = highestCorner(outline, own, to.normal);
  return true;
}

/** How high a triangle or solid reaches along a vector. */
export function highestCorner(outline: Outline, own: number, direction: Vec3): number {
  let highest = -Infinity;
  const last = cornersFrom(outline, own + 1);
  for (let i = cornersFrom(outline, own); i < last; i++)
    highest = Math.max(highest, dot(placeCorner(outline, i, point), direction));
  return highest;
}

/** Whether a normal points behind a triangle of which only the front is surface. */
export function isBehindFront({ isFront, normals }: Surface, triangle: number, { x, y, z }: Vec3): boolean {
  const at = 3 * triangle;
  return isFront && x * normals[at] + y * normals[at + 1] + z * normals[at + 2] < -FRONT_SLACK;
}

/** Proposes the open faces of a solid that has the part in front, or overlaps it. */
function proposeFaces(
  surface: Surface,
  own: number,
  part: PartInMesh,
  depth: number,
  { margin }: PassOptions,
  to: ContactRecord,
): void {
  const { normals, outline } = surface;
  const { heights, open } = outline.solids!;
  const last = facesFrom(outline, own + 1);
  const faces: { face: number; clearance: number }[] = [];
  for (let face = facesFrom(outline, own); face < last; face++) {
    if (open[face].length === 0) continue;
    set(normals[3 * face], normals[3 * face + 1], normals[3 * face + 2], normal);
    const clearance = heights[face] - leastHeight(part, normal);
    if (depth > 0 ? clearance > 0 : clearance <= NOT_TOUCHING * part.reach) faces.push({ face, clearance });
  }
  for (const { face, clearance } of faces.sort((a, b) => a.clearance - b.clearance)) {
    if (depth > 0 && !isBetter(clearance, to)) return;
    set(normals[3 * face], normals[3 * face + 1], normals[3 * face + 2], normal);
    for (const polygon of open[face]) {
      exitOfPolygon(polygon, part, normal, { most: clearance, margin }, exit);
      if (depth > 0) takePassed(KIND_FACE, heights[face], clearance, exit.distance > 0, { outline, own, part }, to);
      else takeGap(heights[face], clearance, margin, to);
    }
  }
}

/**
 * Proposes the open face of any solid through which a part that is inside of the surface has the shortest way out; `KIND_NONE` if it
 * passes none. `own`: a solid that it overlaps. `most`: ways that are not shorter are of no use.
 */
export function proposeBuried(surface: Surface, own: number, part: PartInMesh, most: number, to: ContactRecord): void {
  const { normals, outline } = surface;
  const { heights, open } = outline.solids!;
  to.part = own;
  to.kind = KIND_NONE;
  to.full = to.otherClearance = 0;
  for (const [face, polygons] of open.entries()) {
    set(normals[3 * face], normals[3 * face + 1], normals[3 * face + 2], normal);
    const fromMiddle = heights[face] - dot(part.position, normal);
    const bound = fromMiddle - part.reach;
    if (polygons.length === 0 || bound >= most || !isBetter(bound, to)) continue;
    const clearance = heights[face] - leastHeight(part, normal);
    if (!(clearance > 0 && clearance < most) || !isBetter(clearance, to)) continue;
    for (const polygon of polygons) {
      if (!isUnder(polygon, part)) continue;
      exitOfPolygon(polygon, part, normal, { most: clearance, margin: 0 }, exit);
      if (exit.distance > 0) takePassed(KIND_FACE, heights[face], clearance, true, { outline, own, part }, to);
    }
  }
  to.depth = to.travel = to.exit;
}

/** Whether a part may pass a polygon on its way along `normal`. */
function isUnder({ middle, radius }: OpenPolygon, { position, reach }: PartInMesh): boolean {
  set(middle[0] - position.x, middle[1] - position.y, middle[2] - position.z, point);
  addScaled(point, normal, -dot(point, normal), point);
  return length(point) <= radius + reach;
}

/** Takes `normal` for parts that are apart, if the gap along it is the least so far. */
function takeGap(plane: number, clearance: number, margin: number, to: ContactRecord): void {
  if (!(exit.distance > -margin) || (to.kind !== KIND_NONE && exit.distance <= to.exit)) return;
  to.kind = KIND_FACE;
  copy(normal, to.normal);
  copy(exit.point, to.point);
  to.plane = plane;
  to.clearance = clearance;
  to.exit = to.travel = exit.distance;
}

/** Proposes the triangle's own normal; `KIND_NONE` if the part is not over the triangle. */
function proposeFace(
  { outline, normals, isFront, flats }: Surface,
  triangle: number,
  part: PartInMesh,
  depth: number,
  { margin }: PassOptions,
  to: ContactRecord,
): void {
  const from = 3 * triangle;
  set(normals[from], normals[from + 1], normals[from + 2], normal);
  const plane = dot(placeCorner(outline, from, point), normal);
  const below = plane - leastHeight(part, normal);
  const above = greatestHeight(part, normal) - plane;
  const isTie = Math.abs(below - above) <= TIE * part.reach;
  const isFlipped = !isFront && (isTie ? isNegative(normal) : below > above);
  if (isFlipped) scale(normal, -1, normal);
  const clearance = isFlipped ? above : below;
  exitOfPart(outline, triangle, part, normal, { most: clearance, margin }, exit);
  if (!(exit.distance > -margin)) return;
  to.kind = KIND_FACE;
  copy(normal, to.normal);
  to.plane = isFlipped ? -plane : plane;
  to.clearance = clearance;
  to.exit = to.travel = Math.min(exit.distance, Math.max(clearance, exit.distance < 0 ? exit.distance : 0));
  copy(exit.point, to.point);
  if (!flats || !(depth > 0 && exit.distance < clearance)) return;
  supportOf(part, scale(normal, -1, normal), to.fullPoint);
  addScaled(to.fullPoint, to.normal, clearance, to.fullPoint);
  if (flatReach({ outline, flats }, triangle, to.fullPoint) >= clearance) to.full = clearance;
}

/** Whether the first component that is not 0 is negative: decides between two opposite normals without regard to the order of corners. */
function isNegative({ x, y, z }: Vec3): boolean {
  return (x || y || z) < 0;
}

/** Proposes the best normal of each piece of an edge. */
function proposeEdge(surface: Surface, own: number, edge: number, part: PartInMesh, to: ContactRecord): void {
  const { outline, isFront, normals, pieceStarts, pieces } = surface;
  for (let i = pieceStarts[edge]; i < pieceStarts[edge + 1]; i++) {
    const at = PIECE_SIZE * i;
    const least = isFront ? Math.max(0, pieces[at + 2]) : pieces[at + 2];
    const greatest = pieces[at + 3];
    if (greatest - least <= LEAST_ARC) continue;
    placeEdge(outline, normals, edge, frame);
    const clearance = leastOnArc(part, frame, least, greatest, normal);
    if (clearance <= 0 || !isBetter(clearance, to)) continue;
    addScaled(frame.from, frame.along, pieces[at] * frame.length, point);
    addScaled(frame.from, frame.along, pieces[at + 1] * frame.length, end);
    exitOfEdge(point, end, part, normal, clearance, exit);
    const plane = dot(frame.from, normal);
    const isPassed = exit.distance > 0 && isEdgeNormal(surface, edge, exit.point);
    takePassed(KIND_EDGE, plane, clearance, isPassed, { outline, own, part }, to);
  }
}

/** Whether the edge's normal is accepted at a point of the edge by all features there. */
function isEdgeNormal(surface: Surface, edge: number, at: Vec3): boolean {
  addScaled(at, frame.from, -1, point);
  const share = dot(point, frame.along) / frame.length;
  if (share < AT_END && !isEndNormal(surface, edge, 0)) return false;
  if (share > 1 - AT_END && !isEndNormal(surface, edge, 1)) return false;
  return isAcceptedAtEdge(surface, edge, normal, at, EXACT_SLACK);
}

function isEndNormal(surface: Surface, edge: number, side: 0 | 1): boolean {
  const { outline, welded } = surface;
  const vertex = welded[outline.indices[cornerOfEdge(outline, edge, side)]];
  return isAcceptedAtVertex(surface, vertex, normal, EXACT_SLACK);
}

/** Proposes the best normal of the cone of a corner. */
function proposeVertex(surface: Surface, own: number, corner: number, part: PartInMesh, to: ContactRecord): void {
  const { outline, welded } = surface;
  const vertex = welded[outline.indices[corner]];
  if (surface.spokeStarts[vertex] === surface.spokeStarts[vertex + 1]) return;
  placeCorner(outline, corner, end);
  const clearance = contactWithVertex(surface, vertex, end, part, normal);
  if (!(clearance > 0) || !isBetter(clearance, to) || !isAcceptedAtVertex(surface, vertex, normal, EXACT_SLACK)) return;
  if (isBehindFront(surface, own, normal)) return;
  exitOfVertex(end, part, normal, clearance, exit);
  const plane = dot(end, normal);
  takePassed(KIND_VERTEX, plane, clearance, exit.distance > 0, { outline, own, part }, to);
}

interface Moved {
  outline: Outline;
  own: number;
  part: PartInMesh;
}

/** Takes `normal`, with the exits of the feature and of the whole triangle or solid, if it is better than what is proposed so far. */
function takePassed(
  kind: number,
  plane: number,
  clearance: number,
  isPassed: boolean,
  { outline, own, part }: Moved,
  to: ContactRecord,
): void {
  if (!takeProposal(Object.assign(proposal, { kind, plane, clearance, isPassed }), to)) return;
  to.travel = to.exit;
  // What leaves the feature last of all has left the whole.
  if (to.exit >= clearance * (1 - SAME)) return;
  exitOfPart(outline, own, part, normal, { most: clearance, margin: 0 }, whole);
  // A cast that only grazes the whole finds nothing.
  to.travel = whole.distance === -Infinity ? to.exit : Math.min(whole.distance, clearance);
}
