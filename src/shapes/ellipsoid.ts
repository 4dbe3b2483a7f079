/**
 * The least radius of curvature of an ellipsoid with these half axes. An ellipsoid is the Minkowski sum of a core and a
 * ball of this radius: shaders/shared/curved.wgsl.
 */
export function ellipsoidBall(x: number, y: number, z: number): number {
  const least = Math.min(x, y, z);
  return (least * least) / Math.max(x, y, z, 1e-300);
}
