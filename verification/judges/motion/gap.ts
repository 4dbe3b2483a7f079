/** Signed distances of a pair at a fixed time, by the double-precision reference, as cheaply as possible. */

import { closedForm, createClosedForm } from '../../../src/cpu/closed-form.ts';
import { lowestPoint } from '../../../src/cpu/halfspace.ts';
import { copy, dot, scale, set, transform, transformBack, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import type { Pair } from '../../../src/cpu/pair.ts';
import { AT_ANY_DISTANCE, contact } from '../../../src/cpu/queries/contacts.ts';
import { distance } from '../../../src/cpu/queries/distances.ts';
import { createPairResult } from '../../../src/cpu/queries/result.ts';
import { CORE_HALFSPACE } from '../../../src/generated/constants.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import { Status } from '../../../src/api/types.ts';

export interface Gap {
  /** Signed distance, with at most the reference's error; NaN if the reference has no answer. */
  distance: number;
  /** Unit vector from A to B in world axes. Along it the surfaces are at least `distance` apart. */
  normal: Vec3;
}

export function createGap(): Gap {
  return { distance: 0, normal: vec3() };
}

const answer = createPairResult();

/** The signed distance, at any depth. */
export function gapOf(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, to: Gap): Gap {
  return take(contact(pair, shapeA, shapeB, AT_ANY_DISTANCE, answer), to);
}

/**
 * The same, with a shortcut. If the overlap along `hint`, a unit vector in world axes, is at most `shallow`, the result
 * is minus that overlap, an upper bound of the true depth. This avoids EPA, which is slow.
 */
export function gapNearTouch(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  hint: Vec3,
  shallow: number,
  to: Gap,
): Gap {
  if (pair.radiusA + pair.radiusB > 0) return gapOf(pair, shapeA, shapeB, to);
  const found = distance(pair, shapeA, shapeB, AT_ANY_DISTANCE, answer);
  if (found.status !== Status.Overlapping) return take(found, to);
  const depth = -supportGap(pair, hint);
  if (!(depth >= 0 && depth <= shallow)) return gapOf(pair, shapeA, shapeB, to);
  to.distance = -depth;
  copy(hint, to.normal);
  return to;
}

/** The gap of a pair that is apart; 0 for an overlapping pair. */
export function clearance(pair: Pair, shapeA: ShapeData, shapeB: ShapeData): number {
  const found = distance(pair, shapeA, shapeB, AT_ANY_DISTANCE, answer);
  return found.status === Status.NotConverged ? NaN : found.distance;
}

function take(found: typeof answer, to: Gap): Gap {
  to.distance = found.status === Status.NotConverged ? NaN : found.distance;
  copy(found.normal, to.normal);
  return to;
}

const closed = createClosedForm();
const normalA = vec3();
const normalB = vec3();
const onA = vec3();
const onB = vec3();

/**
 * How far apart the surfaces are along a unit vector in world axes: B's lowest point minus A's highest. It is at most
 * the signed distance, which is the maximum over all directions. A half-space has a highest point only along its own
 * normal, so for a half-space this is the signed distance.
 */
export function supportGap(pair: Pair, { x, y, z }: Vec3): number {
  const { coreA, coreB, rotation, rotationA, translation, radiusA, radiusB, unit } = pair;
  if (coreA.kind === CORE_HALFSPACE || coreB.kind === CORE_HALFSPACE)
    return (closedForm(pair, closed).lower - radiusA - radiusB) * unit;
  transformBack(rotationA, set(x, y, z, normalA), normalA);
  scale(transformBack(rotation, normalA, normalB), -1, normalB);
  const below = dot(normalA, lowestPoint(coreA, normalA, onA)) + radiusA;
  const above = dot(normalA, translation) - dot(normalB, lowestPoint(coreB, normalB, onB)) - radiusB;
  return (above - below) * unit;
}

/** For a pair with a half-space: its only normal, in world axes. */
export function planeNormal(pair: Pair, to: Vec3): Vec3 {
  return transform(pair.rotationA, closedForm(pair, closed).normal, to);
}
