/** Mirror of shaders/contact-face/halfspace.wgsl: the contact face of a half-space. */
import { scale, set } from '../math.ts';
import type { Core } from '../pair.ts';
import type { ContactFace } from './face.ts';

export function halfspaceFace({ halfExtents }: Core, radius: number, face: ContactFace): void {
  const [x, y, z] = halfExtents;
  const size = Math.hypot(x, y, z);
  set(x / size, y / size, z / size, face.normal);
  scale(face.normal, radius, face.origin);
}
