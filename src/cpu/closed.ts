/** Mirror of shaders/closed.wgsl: pairs that are decided in one step, by a closed form. */
import { CORE_BOX, CORE_HALFSPACE, CORE_POINT, CORE_SEGMENT, LEAST_LENGTH } from '../generated/constants.ts';
import { type Vec3, addScaled, column, copy, dot, length, scale, set, transform, transformBack, vec3 } from './math.ts';
import { halfspaceNormal, lowestPoint } from './halfspace.ts';
import type { Pair } from './pair.ts';
import { createBoxPoint, nearestOnBox } from './point-box.ts';
import { createTrianglePoint, nearestToPoint } from './point-triangle.ts';
import { createSegmentPoints, nearestOnSegments } from './segments.ts';
import { vertex } from './support.ts';

export interface ClosedForm {
  /** Unit vector from A to B, in A's frame. */
  normal: Vec3;
  /** Bounds of the cores' signed distance; the same but for rounding. */
  lower: number;
  upper: number;
  /** The points that are so far apart, in A's frame. */
  onA: Vec3;
  onB: Vec3;
}

export function createClosedForm(): ClosedForm {
  return { normal: vec3(), lower: 0, upper: 0, onA: vec3(), onB: vec3() };
}

export function closedForm(pair: Pair, to: ClosedForm): ClosedForm {
  const greatest = Math.max(pair.coreA.kind, pair.coreB.kind);
  if (greatest === CORE_HALFSPACE) return closedHalfspace(pair, to);
  if (greatest === CORE_POINT) return closedPoints(pair, to);
  if (greatest === CORE_SEGMENT) return closedSegments(pair, to);
  return closedPoint(pair, to);
}

function closedPoints({ translation }: Pair, to: ClosedForm): ClosedForm {
  const distance = length(translation);
  if (distance > LEAST_LENGTH) scale(translation, 1 / distance, to.normal);
  else set(1, 0, 0, to.normal);
  to.lower = to.upper = distance;
  set(0, 0, 0, to.onA);
  copy(translation, to.onB);
  return to;
}

const axis = vec3();
const points = createSegmentPoints();

/** Points are segments of no length. */
function closedSegments({ coreA, coreB, rotation, translation }: Pair, to: ClosedForm): ClosedForm {
  column(rotation, 1, axis);
  const { normal, lower, upper, first, second } = nearestOnSegments(coreA.halfExtents[1], coreB.halfExtents[1], axis, translation, points);
  copy(normal, to.normal);
  to.lower = lower;
  to.upper = upper;
  set(0, first, 0, to.onA);
  addScaled(translation, axis, second, to.onB);
  return to;
}

const p = vec3();
const a = vec3();
const b = vec3();
const c = vec3();
const onBox = createBoxPoint();
const onTriangle = createTrianglePoint();

/** A point and a box or triangle, in the frame of the latter. */
function closedPoint({ coreA, coreB, rotation, translation }: Pair, to: ClosedForm): ClosedForm {
  const isA = coreA.kind > coreB.kind;
  const core = isA ? coreA : coreB;
  if (isA) copy(translation, p);
  else scale(transformBack(rotation, translation, p), -1, p);
  // From the core to the point.
  if (core.kind === CORE_BOX) {
    const { normal, distance, position } = nearestOnBox(core.halfExtents, p, onBox);
    to.lower = to.upper = distance;
    copy(normal, to.normal);
    copy(position, to.onA);
  } else {
    // Of fewer corners the last again.
    const last = core.vertices.length / 3 - 1;
    const { normal, lower, upper, position } = nearestToPoint(p, vertex(core, 0, a), vertex(core, Math.min(1, last), b), vertex(core, last, c), onTriangle);
    to.lower = lower;
    to.upper = upper;
    copy(normal, to.normal);
    copy(position, to.onA);
  }
  copy(p, to.onB);
  if (isA) return to;
  scale(transform(rotation, to.normal, to.normal), -1, to.normal);
  addScaled(translation, transform(rotation, to.onA, to.onB), 1, to.onB);
  set(0, 0, 0, to.onA);
  return to;
}

const down = vec3();

function closedHalfspace({ coreA, coreB, rotation, translation }: Pair, to: ClosedForm): ClosedForm {
  const { normal, onA, onB } = to;
  if (coreA.kind === CORE_HALFSPACE) {
    halfspaceNormal(coreA, normal);
    scale(transformBack(rotation, normal, down), -1, down);
    addScaled(translation, transform(rotation, lowestPoint(coreB, down, onB), onB), 1, onB);
    to.lower = to.upper = dot(normal, onB);
    addScaled(onB, normal, -to.lower, onA);
    return to;
  }
  scale(transform(rotation, halfspaceNormal(coreB, normal), normal), -1, normal);
  lowestPoint(coreA, normal, onA);
  to.lower = to.upper = dot(normal, translation) - dot(normal, onA);
  addScaled(onA, normal, to.lower, onB);
  return to;
}
