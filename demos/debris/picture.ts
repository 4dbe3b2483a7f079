/**
 * Colours of the wall's blocks. The whole run is computed once before it is shown. Where each block came to rest then
 * decides its colour: seen from above, the blocks at rest are two discs that overlap.
 */

import { BODY_FLOATS } from './constants.ts';

export type Colour = readonly [number, number, number];

const GROUND: Colour = [0.12, 0.2, 0.27];
const LEFT: Colour = [0.05, 0.55, 0.8];
const RIGHT: Colour = [1, 0.42, 0.08];
const BOTH: Colour = [0.96, 0.94, 0.88];

/** One colour per body from `first` to before `end`, by the place of the body on the ground. */
export function pictureColours(poses: Float32Array, first: number, end: number): Colour[] {
  const places = Array.from({ length: end - first }, (_, i) => {
    const at = BODY_FLOATS * (first + i);
    return { x: poses[at], z: poses[at + 2] };
  });
  const centreX = quantile(
    places.map(({ x }) => x),
    0.5,
  );
  const centreZ = quantile(
    places.map(({ z }) => z),
    0.5,
  );
  // Blocks that rolled far away do not count.
  const radius = quantile(
    places.map(({ x, z }) => Math.hypot(x - centreX, z - centreZ)),
    0.45,
  );
  const apart = 0.62 * radius;
  return places.map(({ x, z }) => {
    const isLeft = Math.hypot(x - centreX + apart, z - centreZ) < radius;
    const isRight = Math.hypot(x - centreX - apart, z - centreZ) < radius;
    if (isLeft && isRight) return BOTH;
    if (isLeft) return LEFT;
    return isRight ? RIGHT : GROUND;
  });
}

/** The value that this share of the values is below. */
function quantile(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}
