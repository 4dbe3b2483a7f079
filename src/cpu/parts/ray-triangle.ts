/**
 * When a ray crosses the triangles of a mesh: the watertight test of Woop, Benthin and Wald ("Watertight ray/triangle
 * intersection", 2013). Corners are sheared so that the ray goes along an axis from the origin, and the signs of the three
 * areas that it sees decide. Triangles on either side of an edge compute the same area with opposite signs, so that no ray
 * slips through between them.
 */
import type { Triangles } from '../../bvh/build-tree.ts';

export interface CrossingRay {
  /** In the mesh's frame. */
  readonly origin: Float64Array;
  readonly direction: Float64Array;
}

/** A ray as it is sheared. */
export interface ShearedRay {
  origin: Float64Array;
  /** The axis along which the direction is longest, and the others. */
  x: number;
  y: number;
  z: number;
  /** Shear along x and y per length along z, and the time per length. */
  shearX: number;
  shearY: number;
  perLength: number;
}

export function createShearedRay(): ShearedRay {
  return { origin: new Float64Array(3), x: 0, y: 1, z: 2, shearX: 0, shearY: 0, perLength: 0 };
}

/** Prepares a ray. Its direction is not zero. */
export function shearRay({ origin, direction }: CrossingRay, to: ShearedRay): void {
  const x = Math.abs(direction[0]);
  const y = Math.abs(direction[1]);
  const z = Math.abs(direction[2]);
  for (let k = 0; k < 3; k++) to.origin[k] = origin[k];
  to.z = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  to.x = (to.z + 1) % 3;
  to.y = (to.z + 2) % 3;
  to.perLength = 1 / direction[to.z];
  to.shearX = direction[to.x] * to.perLength;
  to.shearY = direction[to.y] * to.perLength;
}

/** Twice the area that a ray sees of a triangle, as a share of its squared extent, from which on the crossing is certain. */
const LEAST_SHARE = 2 ** -20;

/** In place of a time: the ray is nearly in the plane of the triangle, or the triangle is degenerate. */
export const UNCERTAIN = -Infinity;

/**
 * The time at which the line of a ray crosses a triangle, negative if that is behind its origin; Infinity if it does not, and
 * `UNCERTAIN`.
 */
export function crossingTime({ positions, indices }: Triangles, triangle: number, ray: ShearedRay): number {
  const { origin, x, y, z, shearX, shearY, perLength } = ray;
  const a = 3 * indices[3 * triangle];
  const b = 3 * indices[3 * triangle + 1];
  const c = 3 * indices[3 * triangle + 2];
  const az = positions[a + z] - origin[z];
  const bz = positions[b + z] - origin[z];
  const cz = positions[c + z] - origin[z];
  const ax = positions[a + x] - origin[x] - shearX * az;
  const ay = positions[a + y] - origin[y] - shearY * az;
  const bx = positions[b + x] - origin[x] - shearX * bz;
  const by = positions[b + y] - origin[y] - shearY * bz;
  const cx = positions[c + x] - origin[x] - shearX * cz;
  const cy = positions[c + y] - origin[y] - shearY * cz;
  const u = cx * by - cy * bx;
  const v = ax * cy - ay * cx;
  const w = bx * ay - by * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return Infinity;
  const area = u + v + w;
  const across = Math.max(Math.abs(bx - ax), Math.abs(by - ay), Math.abs(cx - ax), Math.abs(cy - ay));
  const size = across + Math.max(Math.abs(bz - az), Math.abs(cz - az));
  if (!(Math.abs(area) > LEAST_SHARE * size * size)) return UNCERTAIN;
  return ((u * az + v * bz + w * cz) / area) * perLength;
}
