/**
 * Pairs whose category the engine leaves open: those without an answer, and those nearer to the rule's tolerance or
 * clearance than the engine's own tolerance. The reference decides them, so that no category depends on the engine.
 */

import { Status } from '../../src/api/types.ts';
import { CORE_HALFSPACE } from '../../src/generated/constants.ts';
import type { Scene } from '../scene/scene.ts';
import { hasCurvedPart } from '../../src/shapes/parts.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import { CURVED_TOLERANCE, TOLERANCE } from '../../src/shapes/tolerances.ts';
import { shortestOfF32 } from '../report/decimal.ts';
import type { Limits } from './rules.ts';

/** A distance that is this many tolerances from a limit is on the side of the limit that it seems to be on. */
const SAFETY = 2;

export function isOpen(scene: Scene, a: number, b: number, status: number, distance: number, limits: Limits): boolean {
  if (status !== Status.Separated && status !== Status.Overlapping) return true;
  const { tolerance, clearance } = limits;
  const error = SAFETY * kernelError(scene, a, b, distance <= 0);
  const decimal = shortestOfF32(distance);
  return (
    Math.abs(Math.abs(decimal) - tolerance) <= error || (clearance !== null && Math.abs(decimal - clearance) <= error)
  );
}

/** The kernels' tolerance for the distance of two bodies. */
function kernelError({ bodies, shapeData }: Scene, a: number, b: number, isOverlapping: boolean): number {
  const { positions, scales, shapes } = bodies;
  const [shapeA, shapeB] = [shapeData[shapes[a]], shapeData[shapes[b]]];
  const between = Math.hypot(
    positions[3 * b] - positions[3 * a],
    positions[3 * b + 1] - positions[3 * a + 1],
    positions[3 * b + 2] - positions[3 * a + 2],
  );
  const size = shapeA.boundingRadius * scales[a] + shapeB.boundingRadius * scales[b];
  return Math.max(kernelFactor(shapeA, isOverlapping), kernelFactor(shapeB, isOverlapping)) * Math.max(size, between);
}

function kernelFactor(shape: ShapeData, isOverlapping: boolean): number {
  if (!hasCurvedPart(shape)) return TOLERANCE.kernels;
  return CURVED_TOLERANCE.kernels[isOverlapping ? 'overlapping' : 'apart'];
}

/** Gaps up to this much beyond the margin are asked for, so that no tolerance hides a pair at the margin. */
export function marginAllowance({ bodies, shapeData }: Scene, margin: number): number {
  let reach = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let body = 0; body < bodies.shapes.length; body++) {
    reach = Math.max(reach, shapeData[bodies.shapes[body]].boundingRadius * bodies.scales[body]);
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], bodies.positions[3 * body + axis]);
      high[axis] = Math.max(high[axis], bodies.positions[3 * body + axis]);
    }
  }
  const hasHalfspace = shapeData.some(({ kind }) => kind === CORE_HALFSPACE);
  const spread = hasHalfspace && reach > 0 ? Math.hypot(...high.map((x, axis) => x - low[axis])) : 0;
  const factor = shapeData.reduce((most, shape) => Math.max(most, kernelFactor(shape, false)), 0);
  return SAFETY * factor * (Math.max(2 * reach, spread) + margin);
}
