/** Mirror of shaders/closed-form.wgsl: pairs that are decided in one step, by a closed form. */
import {
  CORE_BOX,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
  LEAST_LENGTH,
} from '../generated/constants.ts';
import { type Vec3, addScaled, column, copy, dot, length, scale, set, transform, transformBack, vec3 } from './math.ts';
import { halfspaceNormal, lowestPoint } from './halfspace.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import { createBoxPoint, nearestOnBox } from './point-box.ts';
import { createTrianglePoint, nearestToPoint } from './point-triangle.ts';
import { createSegmentPoints, nearestOnSegments } from './segments.ts';
import { vertex } from './support.ts';

export interface ClosedForm {
  /** Unit vector from A to B, in A's frame. */
  normal: Vec3;
  /** Bounds of the cores' signed distance, which differ only by rounding. */
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
  closedFormOfKinds(pair, to);
  if (recorder) recorder.closedForm(pair, to);
  return to;
}

function closedFormOfKinds(pair: Pair, to: ClosedForm): ClosedForm {
  const greatest = Math.max(pair.coreA.kind, pair.coreB.kind);
  if (greatest === CORE_HALFSPACE) return closedHalfspace(pair, to);
  if (greatest === CORE_POINT) return closedPoints(pair, to);
  if (greatest === CORE_SEGMENT) return closedSegments(pair, to);
  if (greatest === CORE_BOX) return closedPointBox(pair, to);
  return closedPointTriangle(pair, to);
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
  const { normal, lower, upper, first, second } = nearestOnSegments(
    coreA.halfExtents[1],
    coreB.halfExtents[1],
    axis,
    translation,
    points,
  );
  copy(normal, to.normal);
  to.lower = lower;
  to.upper = upper;
  set(0, first, 0, to.onA);
  addScaled(translation, axis, second, to.onB);
  return to;
}

const p = vec3();
const onBox = createBoxPoint();

/** A point and a box, in the box's frame. */
function closedPointBox({ coreA, coreB, rotation, translation }: Pair, to: ClosedForm): ClosedForm {
  const { normal, position } = onBox;
  if (coreA.kind === CORE_BOX) {
    to.lower = to.upper = nearestOnBox(coreA.halfExtents, translation, onBox).distance;
    copy(normal, to.normal);
    copy(position, to.onA);
    copy(translation, to.onB);
    return to;
  }
  scale(transformBack(rotation, translation, p), -1, p);
  to.lower = to.upper = nearestOnBox(coreB.halfExtents, p, onBox).distance;
  scale(transform(rotation, normal, to.normal), -1, to.normal);
  set(0, 0, 0, to.onA);
  addScaled(translation, transform(rotation, position, to.onB), 1, to.onB);
  return to;
}

const CENTRE = vec3();
const a = vec3();
const b = vec3();
const c = vec3();
const onTriangle = createTrianglePoint();

/** A point and a triangle, in A's frame. */
function closedPointTriangle(pair: Pair, to: ClosedForm): ClosedForm {
  const { coreA, coreB, translation } = pair;
  const { normal, position } = onTriangle;
  if (coreA.kind === CORE_TRIANGLE) {
    // With fewer corners, the last one is repeated.
    const last = coreA.vertices.length / 3 - 1;
    nearestToPoint(
      translation,
      vertex(coreA, 0, a),
      vertex(coreA, Math.min(1, last), b),
      vertex(coreA, last, c),
      onTriangle,
    );
    copy(normal, to.normal);
    copy(position, to.onA);
    copy(translation, to.onB);
  } else {
    const last = coreB.vertices.length / 3 - 1;
    nearestToPoint(
      CENTRE,
      cornerOfB(pair, 0, a),
      cornerOfB(pair, Math.min(1, last), b),
      cornerOfB(pair, last, c),
      onTriangle,
    );
    scale(normal, -1, to.normal);
    set(0, 0, 0, to.onA);
    copy(position, to.onB);
  }
  to.lower = onTriangle.lower;
  to.upper = onTriangle.upper;
  return to;
}

function cornerOfB({ coreB, rotation, translation }: Pair, number: number, to: Vec3): Vec3 {
  return addScaled(translation, transform(rotation, vertex(coreB, number, to), to), 1, to);
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
