/** Functions of the step's shader (wgsl/) in TypeScript, under the same names. */

import type { Grid } from './grid.ts';
import { RULES } from './rules.ts';

export type Vector = [number, number];

export function shortened([x, y]: Vector, greatest: number): Vector {
  const size = Math.hypot(x, y);
  return size > greatest ? [(x * greatest) / size, (y * greatest) / size] : [x, y];
}

export function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/**
 * Acceleration past somebody in the way: on the side on which the two would pass each other anyway, or on the right if they
 * would meet head-on.
 */
export function avoidance(velocity: Vector, relative: Vector, [nx, ny]: Vector, gap: number): Vector {
  const closing = relative[0] * nx + relative[1] * ny;
  if (closing < 0.1 || velocity[0] * nx + velocity[1] * ny <= 0) return [0, 0];
  const urgency = 1 - Math.max(gap, 0) / (closing * RULES.HORIZON);
  if (urgency <= 0) return [0, 0];
  const side = relative[0] * ny - relative[1] * nx < -0.1 * closing ? -1 : 1;
  const size = RULES.AVOIDANCE * urgency;
  return [size * (side * ny - 0.4 * nx), size * (-side * nx - 0.4 * ny)];
}

/**
 * Direction and metres to go, interpolated between the centres of the four cells around a point. Cells in walls count only
 * if none of the four is free.
 */
export function wayTo(
  grid: Grid,
  field: Float32Array,
  zone: number,
  x: number,
  y: number,
): { direction: Vector; left: number } {
  const [px, py] = [(x - grid.left) / grid.cell - 0.5, (y - grid.bottom) / grid.cell - 0.5];
  const [column, row] = [Math.floor(px), Math.floor(py)];
  const [fx, fy] = [px - column, py - row];
  const sums = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ];
  for (let k = 0; k < 4; k++) {
    const [right, up] = [k & 1, k >> 1];
    const cellX = Math.min(Math.max(column + right, 0), grid.width - 1);
    const cellY = Math.min(Math.max(row + up, 0), grid.height - 1);
    const weight = (right ? fx : 1 - fx) * (up ? fy : 1 - fy);
    const at = 4 * ((zone * grid.height + cellY) * grid.width + cellX);
    const sum = sums[field[at + 3] > 0 ? 0 : 1];
    for (let axis = 0; axis < 3; axis++) sum[axis] += weight * field[at + axis];
    sum[3] += weight;
  }
  const [dx, dy, time, weight] = sums[0][3] > 0 ? sums[0] : sums[1];
  const size = Math.hypot(dx, dy);
  return { direction: size > 1e-6 ? [dx / size, dy / size] : [0, 0], left: time / weight };
}

/** Any zone but this one. Visitors have no zone of their own, so that they go to any. */
export function otherZone(zone: number, zones: number, seed: number): number {
  const random = hash(seed);
  return zone >= zones ? random % zones : (zone + 1 + (random % (zones - 1))) % zones;
}

/** PCG (Jarzynski and Olano 2020). */
function hash(value: number): number {
  const state = (Math.imul(value, 747796405) + 2891336453) >>> 0;
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737) >>> 0;
  return ((word >>> 22) ^ word) >>> 0;
}
