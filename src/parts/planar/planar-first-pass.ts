/**
 * The first pass over contacts with a 2-D surface, as surface/first-pass.ts is that of 3-D: a contact of the kernel that is accepted stays.
 * Otherwise the normals of the part's uncovered faces are tried, and the best ones of the arcs at its corners. All is in the surface's
 * frame and unit.
 */
import { addScaled, copy, scale, set, vec3, type Vec3 } from '../../cpu/math.ts';
import { beginRecord, finishRecord, isBetter, takeProposal, TIE, type Proposal } from '../surface/contact-proposal.ts';
import {
  KIND_EXACT,
  KIND_FACE,
  KIND_KEPT,
  KIND_NONE,
  KIND_VERTEX,
  type ContactRecord,
} from '../surface/contact-records.ts';
import { createExit } from '../surface/exit.ts';
import { REFERENCE_ANGLE, type GivenContact, type PassOptions } from '../surface/surface-rule.ts';
import { isAccepted, isBehindFront, makeExact } from './accepted-normal.ts';
import { facesOf, type Face } from './exposed-faces.ts';
import { exitOfConvex, exitOfSegment } from './feature-exits.ts';
import { isFlatBelow } from './flat-ground.ts';
import { greatestHeight, leastHeight, supportOf, type Outline } from './outline.ts';
import type { PlanarSurface } from './planar-surface.ts';
import { arcOf, coneAt, isOnArc, type Arc } from './polar-cone.ts';

const normal = vec3();
const exit = createExit();
const whole = createExit();
const deepest = vec3();
const proposal: Proposal = { kind: KIND_NONE, normal, plane: 0, clearance: 0, isPassed: false, exit };

/** Writes what part `part` of the surface proposes for a contact with `other`. */
export function proposeContact(
  surface: PlanarSurface,
  part: number,
  other: Outline,
  given: GivenContact,
  options: PassOptions,
  to: ContactRecord,
): void {
  const { depth } = given;
  beginRecord(part, given, to);
  if (keepsGiven(surface, part, given, to)) return;
  to.kind = KIND_NONE;
  if (options.isGivenOnly) return;
  if (surface.cornersOf(part).length === 4) proposeSide(surface, part, other, options, depth, to);
  else proposeFaces(surface, part, other, options, depth, to);
  if (depth > 0 && (to.kind === KIND_NONE || to.clearance > depth * (1 + TIE)))
    proposeCorners(surface, part, other, to);
  finishRecord(other.reach, to);
}

function keepsGiven(
  surface: PlanarSurface,
  part: number,
  { normal: m, point }: GivenContact,
  to: ContactRecord,
): boolean {
  if (surface.isSharp(part)) {
    if (!isAccepted(surface, part, m, point, REFERENCE_ANGLE)) return false;
    makeExact(surface, part, REFERENCE_ANGLE, to.normal);
  }
  const isSame = to.normal.x === m.x && to.normal.y === m.y;
  to.kind = isSame ? KIND_KEPT : KIND_EXACT;
  to.plane = highestOf(surface.cornersOf(part), to.normal);
  return true;
}

/** How far a part of the surface reaches along a unit vector. */
function highestOf(corners: ArrayLike<number>, { x, y }: Vec3): number {
  let highest = -Infinity;
  for (let i = 0; i < corners.length; i += 2) highest = Math.max(highest, corners[i] * x + corners[i + 1] * y);
  return highest;
}

/** Proposes a segment's own normal, on the side with less of the other part behind it. */
function proposeSide(
  surface: PlanarSurface,
  part: number,
  other: Outline,
  { margin }: PassOptions,
  depth: number,
  to: ContactRecord,
): void {
  const [face] = facesOf(surface, part);
  set(face.normalX, face.normalY, 0, normal);
  const plane = face.x * normal.x + face.y * normal.y;
  const below = plane - leastHeight(other, normal.x, normal.y);
  const above = greatestHeight(other, normal.x, normal.y) - plane;
  const isTie = Math.abs(below - above) <= TIE * other.reach;
  const isFlipped = !surface.isFront && (isTie ? (normal.x || normal.y) < 0 : below > above);
  if (isFlipped) scale(normal, -1, normal);
  takeFace(surface, face, other, isFlipped ? above : below, { margin, depth, pieces: face.pieces }, to);
}

/** Proposes the normals of a convex part's uncovered faces. `depth`: positive if the parts overlap. */
function proposeFaces(
  surface: PlanarSurface,
  part: number,
  other: Outline,
  { margin }: Pick<PassOptions, 'margin'>,
  depth: number,
  to: ContactRecord,
): void {
  for (const face of facesOf(surface, part)) {
    const { pieces } = face;
    if (pieces.length === 0) continue;
    set(face.normalX, face.normalY, 0, normal);
    const clearance = face.x * normal.x + face.y * normal.y - leastHeight(other, normal.x, normal.y);
    if (clearance > -margin && isBetter(clearance, to))
      takeFace(surface, face, other, clearance, { margin, depth, pieces }, to);
  }
}

/**
 * Proposes the open face of any part through which a part that is inside of the surface has the shortest way out; `KIND_NONE` if it passes
 * none. `own`: a part that it overlaps.
 */
export function proposeBuried(surface: PlanarSurface, own: number, other: Outline, to: ContactRecord): void {
  to.part = own;
  to.kind = KIND_NONE;
  to.otherClearance = 0;
  for (let part = 0; part < surface.count; part++)
    if (surface.isSharp(part)) proposeFaces(surface, part, other, { margin: 0 }, 1, to);
  to.full = 0;
  to.depth = to.travel = to.exit;
}

interface FaceRange {
  margin: number;
  depth: number;
  pieces: readonly number[];
}

/** Takes `normal`, which is that of a face or against it, with the exit from the face's pieces. */
function takeFace(
  surface: PlanarSurface,
  face: Face,
  other: Outline,
  clearance: number,
  { margin, depth, pieces }: FaceRange,
  to: ContactRecord,
): void {
  whole.distance = -Infinity;
  for (let i = 0; i < pieces.length; i += 2) {
    exitOfSegment(stretchOf(face, pieces[i], pieces[i + 1]), other, normal, exit);
    if (!(exit.distance > whole.distance)) continue;
    whole.distance = exit.distance;
    copy(exit.point, whole.point);
  }
  exit.distance = whole.distance;
  copy(whole.point, exit.point);
  const plane = face.x * normal.x + face.y * normal.y;
  const isPassed = exit.distance > -margin;
  // Apart, the gap over the face is the answer.
  const passedBy = depth > 0 ? exit.distance > 0 : isPassed;
  if (!passedBy && !(clearance > 0)) return;
  Object.assign(proposal, { kind: KIND_FACE, plane, clearance, isPassed: passedBy });
  if (takeProposal(proposal, to)) to.travel = Math.min(exit.distance, clearance);
  if (to.kind !== KIND_FACE || !passedBy || !(depth > 0 && exit.distance < clearance)) return;
  supportOf(other, -normal.x, -normal.y, deepest);
  addScaled(deepest, normal, clearance, to.fullPoint);
  to.fullPoint.z = 0;
  if (isFlatBelow(surface, to.part, normal, to.fullPoint, clearance)) to.full = clearance;
}

function stretchOf(
  { x, y, alongX, alongY }: Face,
  first: number,
  last: number,
): readonly [number, number, number, number] {
  return [x + first * alongX, y + first * alongY, x + last * alongX, y + last * alongY];
}

/** Proposes the best normal of the arc at each corner. */
function proposeCorners(surface: PlanarSurface, part: number, other: Outline, to: ContactRecord): void {
  const corners = surface.cornersOf(part);
  for (let i = 0; i < corners.length; i += 2) {
    const [x, y] = [corners[i], corners[i + 1]];
    const cone = coneAt(surface, x, y);
    if (surface.isFront) {
      const [{ normalX, normalY }] = facesOf(surface, part);
      cone.directions.push(-normalX, -normalY);
    }
    const arc = arcOf(cone);
    if (!arc) continue;
    const clearance = leastOnArc(arc, x, y, other);
    if (clearance <= 0 || !isBetter(clearance, to) || isBehindFront(surface, part, normal)) continue;
    exitOfSegment([x, y, x, y], other, normal, exit);
    const isPassed = exit.distance > 0;
    const plane = x * normal.x + y * normal.y;
    Object.assign(proposal, { kind: KIND_VERTEX, plane, clearance, isPassed });
    if (takeProposal(proposal, to)) to.travel = Math.min(exitOfConvex(corners, other, normal, whole), clearance);
  }
}

/**
 * Writes the accepted normal at a corner along which the other part moves least to be beyond the corner to `normal`. Returns how far.
 * The clearance is the greatest of sines of the corners' directions, so it is least at an end of the arc, along a normal of the other
 * part, or along the line from the corner to the nearest point of its core.
 */
function leastOnArc(arc: Arc, x: number, y: number, other: Outline): number {
  const { corners, count } = other;
  let least = Infinity;
  const tryNormal = (nx: number, ny: number): void => {
    const clearance = x * nx + y * ny - leastHeight(other, nx, ny);
    if (!(clearance < least)) return;
    least = clearance;
    set(nx, ny, 0, normal);
  };
  tryNormal(arc.lowX, arc.lowY);
  tryNormal(arc.highX, arc.highY);
  let nearest = 0;
  let square = Infinity;
  for (let i = 0; i < 2 * count; i += 2) {
    const [dx, dy] = [corners[i] - x, corners[i + 1] - y];
    if (dx * dx + dy * dy < square) {
      square = dx * dx + dy * dy;
      nearest = i;
    }
    const next = i + 2 === 2 * count ? 0 : i + 2;
    const [ex, ey] = [corners[next] - corners[i], corners[next + 1] - corners[i + 1]];
    const length = Math.hypot(ex, ey);
    // Against the outward normal of the other part's edge.
    if (length > 0 && isOnArc(arc, -ey / length, ex / length)) tryNormal(-ey / length, ex / length);
  }
  const distance = Math.sqrt(square);
  if (distance > 0) {
    const [nx, ny] = [(corners[nearest] - x) / distance, (corners[nearest + 1] - y) / distance];
    if (isOnArc(arc, nx, ny)) tryNormal(nx, ny);
  }
  return least;
}
