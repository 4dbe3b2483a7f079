/**
 * Debris: boxes and chunks lying close together, and the pairs that a broad phase finds among them. Unlike in the other
 * workloads a body is in several pairs, and the share of hits is what comes of it.
 *
 * Bodies stand on a jittered cubic grid. Candidates are pairs of neighbouring cells whose axis-aligned bounds overlap.
 */

import { setRotation } from '../families/placement.ts';
import type { Cores } from '../families/family.ts';
import { below, uniform, unitVector, type Random } from '../families/random.ts';
import { emptyWorkload, type Workload } from './workload.ts';

/** Width of a cell in units of the mean bounding radius. */
const SPACING = 1.1;
/** How far a body may be from its cell's middle, in cells. */
const JITTER = 0.25;
/** Candidate pairs a body, somewhat fewer than there are, to choose the size of the grid by. */
const PAIRS_PER_BODY = 3;

/** Half of a cell's 26 neighbours, so that each pair of cells is met once. */
const NEIGHBOURS = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])))
  .filter(([x, y, z]) => z > 0 || (z === 0 && (y > 0 || (y === 0 && x > 0))));

export function makeDebris(random: Random, workload: Workload, cores: Cores, pairCount: number): Workload {
  const side = Math.ceil(Math.cbrt(pairCount / PAIRS_PER_BODY)) + 1;
  const made = emptyWorkload(workload, side ** 3);
  const bounds = placeBodies(random, made, cores, side);
  const pairs = new Uint32Array(2 * pairCount);
  let count = 0;
  for (let body = 0; body < side ** 3 && count < pairCount; body++) {
    const cell = [body % side, Math.floor(body / side) % side, Math.floor(body / side ** 2)];
    for (const step of NEIGHBOURS) {
      const [x, y, z] = cell.map((at, k) => at + step[k]);
      if (Math.min(x, y, z) < 0 || Math.max(x, y, z) >= side) continue;
      const other = x + side * (y + side * z);
      if (count === pairCount || !boundsOverlap(bounds, body, other)) continue;
      pairs[2 * count] = body;
      pairs[2 * count + 1] = other;
      count++;
    }
  }
  if (count < pairCount) throw new Error(`the debris has ${count} candidate pairs, expected ${pairCount}`);
  return { ...made, pairs };
}

/** Gives axis-aligned bounds: least x, y, z and greatest x, y, z of each body. */
function placeBodies(
  random: Random,
  { bodies }: Workload,
  { points, radii, extents }: Cores,
  side: number,
): Float64Array {
  const spacing = (SPACING * extents.reduce((sum, extent) => sum + extent, 0)) / extents.length;
  const bounds = new Float64Array(6 * bodies.shapes.length);
  const rotation = new Float64Array(9);
  const quaternion = new Float64Array(4);
  for (let body = 0; body < bodies.shapes.length; body++) {
    const shape = below(random, points.length);
    bodies.shapes[body] = shape;
    bodies.quaternions.set(unitVector(random, quaternion), 4 * body);
    setRotation(bodies.quaternions, 4 * body, rotation);
    const cell = [body % side, Math.floor(body / side) % side, Math.floor(body / side ** 2)];
    for (let k = 0; k < 3; k++) {
      const centre = Math.fround(spacing * (cell[k] - side / 2 + uniform(random, -JITTER, JITTER)));
      bodies.positions[3 * body + k] = centre;
      const [low, high] = extentAlong(points[shape], rotation, k);
      bounds[6 * body + k] = centre + low - radii[shape];
      bounds[6 * body + 3 + k] = centre + high + radii[shape];
    }
  }
  return bounds;
}

/** The extent of the rotated points along a world axis. */
function extentAlong(points: Float64Array, rotation: Float64Array, axis: number): [number, number] {
  const [x, y, z] = rotation.subarray(3 * axis, 3 * axis + 3);
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const value = x * points[i] + y * points[i + 1] + z * points[i + 2];
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

function boundsOverlap(bounds: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (bounds[6 * a + k] > bounds[6 * b + 3 + k] || bounds[6 * b + k] > bounds[6 * a + 3 + k]) return false;
  }
  return true;
}
