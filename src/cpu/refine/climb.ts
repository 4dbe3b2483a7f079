/** Mirror of shaders/refine/climb.wgsl: search for a better normal by climbing. */
import { CLIMB_END, CLIMB_FAR, CLIMB_ROUNDS, CLIMB_SHRINK, CLIMB_START } from '../../generated/constants.ts';
import type { EpaResult } from '../epa.ts';
import { type Vec3, addScaled, copy, cross, distance, dot, scale, set, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { createPoint, differenceSupport } from '../support.ts';
import { createFrame, frameOf, tilted } from './frame.ts';

const AXIS = vec3(0, 1, 0);
const axisB = vec3();
const candidate = vec3();
const direction = vec3();
const found = createPoint();
const frame = createFrame();

/** Replaces the normal and the lower bound by those of a nearby normal of the greatest least height. */
export function climb(pair: Pair, result: EpaResult): void {
  let radius = CLIMB_START;
  const { rotation } = pair;
  set(rotation[3], rotation[4], rotation[5], axisB);
  for (let round = 0; round < CLIMB_ROUNDS && radius > CLIMB_END; round++) {
    frameOf(result.normal, frame);
    const middle = result.lower;
    let sum = 0;
    let slopeX = 0;
    let slopeY = 0;
    let cosines = 0;
    let sines = 0;
    for (let k = 0; k < 11; k++) {
      const angle = (Math.PI / 3) * k;
      let x = radius * Math.cos(angle);
      let y = radius * Math.sin(angle);
      if (k === 6) {
        // First and second harmonics of the six are the parabola's slopes and curvatures.
        const bend = (sum / 6 - middle) * 2;
        const xx = bend + (cosines * 2) / 3;
        const yy = bend - (cosines * 2) / 3;
        const xy = (sines * 2) / 3;
        const determinant = xx * yy - xy * xy;
        const isTop = determinant > 0 && bend < 0;
        x = isTop ? (-(yy * slopeX - xy * slopeY) * radius) / 3 / determinant : slopeX;
        y = isTop ? (-(xx * slopeY - xy * slopeX) * radius) / 3 / determinant : slopeY;
        const size = Math.max(Math.hypot(x, y), 1e-300);
        const step = isTop ? Math.min(size, 2 * radius) : 2 * radius;
        x *= step / size;
        y *= step / size;
      }
      if (k < 7) tilted(frame, x, y, candidate);
      else turned(frame.normal, k < 9 ? AXIS : axisB, k % 2 ? radius : -radius, candidate);
      differenceSupport(pair, scale(candidate, -1, direction), found);
      const height = dot(candidate, found.position);
      if (k < 6) {
        sum += height;
        slopeX += height * Math.cos(angle);
        slopeY += height * Math.sin(angle);
        cosines += height * Math.cos(2 * angle);
        sines += height * Math.sin(2 * angle);
      }
      if (height > result.lower) {
        result.lower = height;
        copy(candidate, result.normal);
      }
    }
    result.iterations += 11;
    if (distance(result.normal, frame.normal) < CLIMB_FAR * radius) radius *= CLIMB_SHRINK;
  }
}

/** A unit vector turned about an axis. */
function turned(v: Vec3, axis: Vec3, angle: number, to: Vec3): Vec3 {
  const lift = dot(v, axis) * (1 - Math.cos(angle));
  cross(axis, v, to);
  scale(to, Math.sin(angle), to);
  return addScaled(addScaled(to, v, Math.cos(angle), to), axis, lift, to);
}
