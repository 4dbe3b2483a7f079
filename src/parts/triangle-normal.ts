/** The normal of a mesh's triangle. */
import type { Mesh } from '../shapes/parts.ts';

/** Writes the unit normal of a triangle, counter-clockwise. Returns whether it has one. */
export function triangleNormal({ positions, indices }: Mesh, triangle: number, to: Float64Array): boolean {
  const a = 3 * indices[3 * triangle];
  const b = 3 * indices[3 * triangle + 1];
  const c = 3 * indices[3 * triangle + 2];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const norm = Math.sqrt(x * x + y * y + z * z);
  const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  if (!(norm > 1e-7 * longest)) return false;
  to[0] = x / norm;
  to[1] = y / norm;
  to[2] = z / norm;
  return true;
}
