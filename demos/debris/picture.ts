/**
 * Colours of the wall's blocks. The whole run is computed once before it is shown. Where each block came to rest then
 * decides its colour: the blocks at rest are a sun, with rings from yellow to blue around it.
 */

import { Color } from 'three';
import { BODY_FLOATS } from './constants.ts';

/** Linear red, green and blue. */
export type Colour = readonly [number, number, number];

/** From the middle of the picture to its edge. */
const RINGS = [0xfff1c1, 0xffd166, 0xfca311, 0xf3722c, 0xe63946, 0xb5296b, 0x6a2c91, 0x2f3c9e, 0x1b6ca8, 0x1f9e9a].map(
  (hex) => new Color(hex),
);

/** The share of the blocks that the unit of distance from the middle covers, along x and along z. */
const SPREAD = 0.7;

/** The colour of the rings at `share` of the way from the middle, 0 to 1. */
export function ringColour(share: number): Colour {
  const place = Math.max(0, Math.min(1, share)) * (RINGS.length - 1);
  const ring = Math.min(Math.floor(place), RINGS.length - 2);
  return new Color().lerpColors(RINGS[ring], RINGS[ring + 1], place - ring).toArray() as unknown as Colour;
}

/** One colour per body from `first` to before `end`, by the place of the body on the ground. */
export function pictureColours(poses: Float32Array, first: number, end: number): Colour[] {
  const bodies = Array.from({ length: end - first }, (_, i) => BODY_FLOATS * (first + i));
  const x = fromMedian(bodies.map((at) => poses[at]));
  const z = fromMedian(bodies.map((at) => poses[at + 2]));
  // By rank, so that all colours are there however far some blocks rolled.
  const order = bodies.map((_, i) => i).sort((a, b) => Math.hypot(x[a], z[a]) - Math.hypot(x[b], z[b]));
  const colours: Colour[] = [];
  for (const [rank, i] of order.entries()) colours[i] = ringColour(rank / Math.max(1, order.length - 1));
  return colours;
}

/** Distances from the median, scaled so that the share `SPREAD` of them is below 1. */
function fromMedian(values: number[]): number[] {
  const median = quantile(values, 0.5);
  const distances = values.map((value) => Math.abs(value - median));
  const unit = quantile(distances, SPREAD) || 1;
  return distances.map((distance) => distance / unit);
}

/** The value that this share of the values is below. */
function quantile(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}
