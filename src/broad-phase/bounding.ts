/** What bounds of bodies enclose, and the part of it that does not depend on the dimension: motion. */
import { BOUND_ROUNDING } from '../generated/constants.ts';
import type { AnyBodies, BodyMotion } from '../records/bodies.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { createPace, type Work } from '../util/turns.ts';

export interface Bounding {
  /** Bodies up to this far apart meet. */
  readonly margin: number;
  /** Missing: the bodies are at rest. */
  readonly motion?: BodyMotion;
}

/** Bodies per step of a loop that yields. */
export const BODIES_AT_ONCE = 128;

/** Coordinates of boxes are at most this either way. Those of bodies that move for ever have no other limit. */
const FARTHEST = 1e100;

/**
 * By which share of a body's bounding radius and path a box is enlarged on each side: twice the body's share of the
 * narrow phase's tolerance `k`, and the rounding of boxes on the GPU. shaders/broad-phase/bound.wgsl has the same, so
 * the pairs of both backends differ by rounding alone.
 */
export function enlargementShare(k: number): number {
  return 2 * k + BOUND_ROUNDING;
}

/** Whether a box has no points, as that of a half-space. */
export function isEmptyBox(boxes: Float64Array, i: number): boolean {
  return boxes[6 * i] > boxes[6 * i + 3];
}

/** The distance that a speed covers. 0 for a body at rest, however long the duration is. */
export function distanceOf(speed: number, duration: number): number {
  return speed === 0 ? 0 : speed * duration;
}

/** Whether body i has an angular velocity that is not 0. `width`: numbers per angular velocity. */
export function isTurning({ angular }: BodyMotion, i: number, width: number): boolean {
  if (!angular) return false;
  for (let k = width * i; k < width * (i + 1); k++) if (angular[k] !== 0) return true;
  return false;
}

/**
 * Extends the boxes of bodies at rest to those of their motion. A body that turns is in the ball about its position, as
 * it turns about that. `share` is that of `enlargementShare`. Two bodies that meet were no farther apart at the start
 * than they move and reach, and than the positions of any two bodies are. So a box is enlarged by a share of the path, or
 * of that distance if it is less, as for a body that moves for ever.
 */
export function* sweepBoxes(
  boxes: Float64Array,
  bodies: AnyBodies,
  shapes: readonly (ShapeBase | undefined)[],
  { margin, motion }: Bounding,
  axes: 2 | 3,
  share: number,
): Work<void> {
  if (!motion) return;
  const isDue = createPace();
  const { length } = bodies.shapes;
  const farthest = greatestDistance(bodies.positions, axes);
  const sweep = { margin, motion, axes, share, farthest };
  for (let first = 0; first < length; first += BODIES_AT_ONCE) {
    sweepSome(boxes, bodies, shapes, sweep, first, Math.min(first + BODIES_AT_ONCE, length));
    if (isDue(32 * BODIES_AT_ONCE)) yield;
  }
}

/** How boxes are swept: along the motion, enlarged by half of the margin and a share of lengths up to `farthest`. */
interface BoxSweep {
  margin: number;
  motion: BodyMotion;
  axes: 2 | 3;
  share: number;
  farthest: number;
}

/** The boxes of the bodies from `first` up to `end`. */
function sweepSome(
  boxes: Float64Array,
  { shapes: ids, positions, scales }: AnyBodies,
  shapes: readonly (ShapeBase | undefined)[],
  { margin, motion, axes, share, farthest }: BoxSweep,
  first: number,
  end: number,
): void {
  const { linear, duration } = motion;
  for (let i = first; i < end; i++) {
    if (isEmptyBox(boxes, i)) continue;
    const turns = isTurning(motion, i, axes === 3 ? 3 : 1);
    const reach = shapes[ids[i]]!.boundingRadius * (scales ? scales[i] : 1) + margin / 2;
    let squared = 0;
    for (let axis = 0; axis < axes; axis++) squared += linear[axes * i + axis] ** 2;
    const slack = share * Math.min(distanceOf(Math.sqrt(squared), duration), farthest);
    for (let axis = 0; axis < axes; axis++) {
      const low = 6 * i + axis;
      const high = low + 3;
      if (turns) {
        const centre = positions[axes * i + axis];
        const enlarged = reach * (1 + share) + roundingAt(centre);
        boxes[low] = Math.min(boxes[low], centre - enlarged);
        boxes[high] = Math.max(boxes[high], centre + enlarged);
      }
      const path = distanceOf(linear[axes * i + axis], duration);
      boxes[low] = Math.max(boxes[low] + Math.min(path, 0) - slack, -FARTHEST);
      boxes[high] = Math.min(boxes[high] + Math.max(path, 0) + slack, FARTHEST);
    }
  }
}

/** An upper bound of the distance between any two positions. */
export function greatestDistance(positions: ArrayLike<number>, axes: number): number {
  let sum = 0;
  for (let axis = 0; axis < axes; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < positions.length; i += axes) {
      if (positions[i] < low) low = positions[i];
      if (positions[i] > high) high = positions[i];
    }
    sum += high - low;
  }
  return sum;
}

/** Far from the origin, sums of a coordinate and an extent may round by more than boxes are enlarged. */
export function roundingAt(centre: number): number {
  return Math.abs(centre) * 2 ** -51;
}
