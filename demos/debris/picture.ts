/**
 * Colours of the wall's blocks. The whole run is computed once before it is shown. Where each block came to rest then
 * decides its colour: seen from above, the blocks at rest are two discs that overlap.
 */

import { BODY_FLOATS } from './constants.ts';

export type Colour = readonly [number, number, number];

const GROUND: Colour = [0.13, 0.16, 0.2];
const LEFT: Colour = [0.06, 0.4, 0.9];
const RIGHT: Colour = [1, 0.42, 0.08];
const BOTH: Colour = [0.96, 0.94, 0.88];

/** One colour per body from `first` to before `end`, by the place of the body on the ground. */
export function pictureColours(poses: Float32Array, first: number, end: number): Colour[] {
  const places = Array.from({ length: end - first }, (_, i) => {
    const at = BODY_FLOATS * (first + i);
    return { x: poses[at], z: poses[at + 2] };
  });
  const [left, right] = spread(places.map(({ x }) => x));
  const [back, front] = spread(places.map(({ z }) => z));
  const [centreX, centreZ] = [(left + right) / 2, (back + front) / 2];
  const radius = Math.min(0.36 * (right - left) * 0.8, 0.42 * (front - back));
  const apart = 0.62 * radius;
  return places.map(({ x, z }) => {
    const isLeft = Math.hypot(x - centreX + apart, z - centreZ) < radius;
    const isRight = Math.hypot(x - centreX - apart, z - centreZ) < radius;
    if (isLeft && isRight) return BOTH;
    if (isLeft) return LEFT;
    return isRight ? RIGHT : GROUND;
  });
}

/** The interval that has nearly all of the values. */
function spread(values: number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  return [sorted[Math.floor(0.03 * sorted.length)], sorted[Math.floor(0.97 * (sorted.length - 1))]];
}
