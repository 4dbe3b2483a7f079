/**
 * Mirror of shaders/shared/curved.wgsl: supports of cylinders, cones and ellipsoids, whose points are named by numbers.
 */
import { CORE_CONE, CORE_CYLINDER } from '../generated/constants.ts';
import { ellipsoidBall } from '../shapes/ellipsoid.ts';
import { type Vec3, set } from './math.ts';
import type { Core } from './pair.ts';

// Numbers of 53 bits, which leave out as little of double precision as the kernels' 32 bits leave out of f32.

/** Added to the number of the upper rim's points, and the number of a cone's apex. */
const OTHER_END = 2 ** 52;
/** Steps of a quarter of a circle, and of an edge of the octahedron's square. */
const QUARTER = 2 ** 50;
const OCTAHEDRON_STEPS = 2 ** 26 - 1;

/** The core's point farthest along the direction x, y, z, by number. */
export function curvedSupport({ kind, halfExtents }: Core, x: number, y: number, z: number): number {
  const [sizeX, sizeY, sizeZ] = halfExtents;
  if (kind === CORE_CYLINDER) return circleNumber(x, z) + (y >= 0 ? OTHER_END : 0);
  if (kind === CORE_CONE) return 2 * sizeY * y >= sizeX * Math.sqrt(x * x + z * z) ? OTHER_END : circleNumber(x, z);
  return ballNumber(x * sizeX, y * sizeY, z * sizeZ);
}

/** Position of a point by its number, in the body's frame. */
export function curvedPoint({ kind, halfExtents }: Core, number: number, to: Vec3): Vec3 {
  const [sizeX, sizeY] = halfExtents;
  if (kind === CORE_CYLINDER) {
    circlePoint(number % OTHER_END, to);
    return set(to.x * sizeX, number >= OTHER_END ? sizeY : -sizeY, to.z * sizeX, to);
  }
  if (kind === CORE_CONE) {
    if (number >= OTHER_END) return set(0, sizeY, 0, to);
    circlePoint(number, to);
    return set(to.x * sizeX, -sizeY, to.z * sizeX, to);
  }
  ballPoint(number, to);
  return ellipsoidPoint(halfExtents, to, to);
}

/**
 * The point of the core that belongs to a point of the unit ball: its image, and from there inwards along the normal.
 */
export function ellipsoidPoint(halfExtents: Float64Array, onBall: Vec3, to: Vec3): Vec3 {
  const [sizeX, sizeY, sizeZ] = halfExtents;
  const least = Math.min(sizeX, sizeY, sizeZ);
  const x = onBall.x * (least / Math.max(sizeX, 1e-300));
  const y = onBall.y * (least / Math.max(sizeY, 1e-300));
  const z = onBall.z * (least / Math.max(sizeZ, 1e-300));
  const inward = ellipsoidBall(sizeX, sizeY, sizeZ) / Math.max(Math.sqrt(x * x + y * y + z * z), 1e-300);
  return set(onBall.x * sizeX - x * inward, onBall.y * sizeY - y * inward, onBall.z * sizeZ - z * inward, to);
}

function circleNumber(x: number, z: number): number {
  const size = Math.abs(x) + Math.abs(z);
  if (size === 0) return 0;
  const share = z >= 0 === x >= 0 ? Math.abs(z) / size : Math.abs(x) / size;
  const quarter = z >= 0 ? (x >= 0 ? 0 : 1) : x < 0 ? 2 : 3;
  return quarter * QUARTER + Math.min(Math.floor(share * QUARTER), QUARTER - 1);
}

function circlePoint(number: number, to: Vec3): void {
  const share = (number % QUARTER) / QUARTER;
  const quarter = Math.floor(number / QUARTER);
  const length = Math.sqrt(share * share + (1 - share) * (1 - share));
  const along = (1 - share) / length;
  const across = share / length;
  if (quarter === 0) set(along, 0, across, to);
  else if (quarter === 1) set(-across, 0, along, to);
  else if (quarter === 2) set(-along, 0, -across, to);
  else set(across, 0, -along, to);
}

function ballNumber(x: number, y: number, z: number): number {
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
  if (size === 0) return 0;
  let u = x / size;
  let v = y / size;
  if (z < 0) {
    const folded = (1 - Math.abs(v)) * (u >= 0 ? 1 : -1);
    v = (1 - Math.abs(u)) * (v >= 0 ? 1 : -1);
    u = folded;
  }
  const column = Math.round((u * 0.5 + 0.5) * OCTAHEDRON_STEPS);
  const row = Math.round((v * 0.5 + 0.5) * OCTAHEDRON_STEPS);
  return column * (OCTAHEDRON_STEPS + 1) + row;
}

function ballPoint(number: number, to: Vec3): void {
  const column = Math.floor(number / (OCTAHEDRON_STEPS + 1));
  const row = number % (OCTAHEDRON_STEPS + 1);
  let u = (column / OCTAHEDRON_STEPS) * 2 - 1;
  let v = (row / OCTAHEDRON_STEPS) * 2 - 1;
  const z = 1 - Math.abs(u) - Math.abs(v);
  if (z < 0) {
    const unfolded = (1 - Math.abs(v)) * (u >= 0 ? 1 : -1);
    v = (1 - Math.abs(u)) * (v >= 0 ? 1 : -1);
    u = unfolded;
  }
  const toUnit = 1 / Math.sqrt(u * u + v * v + z * z);
  set(u * toUnit, v * toUnit, z * toUnit, to);
}
