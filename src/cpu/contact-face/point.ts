/** Mirror of shaders/contact-face/point.wgsl: contact faces of spheres and ellipsoids. */
import { type Vec3, scale, set } from '../math.ts';
import type { Core } from '../pair.ts';
import type { ContactFace } from './face.ts';

export function pointFace(radius: number, direction: Vec3, face: ContactFace): void {
  face.count = 1;
  scale(direction, radius, face.origin);
}

export function ellipsoidFace({ halfExtents }: Core, { x, y, z }: Vec3, face: ContactFace): void {
  const [halfX, halfY, halfZ] = halfExtents;
  const size = Math.max(Math.hypot(halfX * x, halfY * y, halfZ * z), 1e-300);
  face.count = 1;
  set((halfX * halfX * x) / size, (halfY * halfY * y) / size, (halfZ * halfZ * z) / size, face.origin);
}
