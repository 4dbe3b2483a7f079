/** Mirror of shaders/contact-face/cone.wgsl: contact faces of cones. */
import { RIM_PEAK, SIDE_LINE } from '../../generated/constants.ts';
import { type Vec3, addScaled, copy, dot, set, vec3 } from '../math.ts';
import type { Core } from '../pair.ts';
import { radialOf } from './cylinder.ts';
import type { ContactFace } from './face.ts';

const radial = vec3();
const rim = vec3();
const flank = vec3();

export function coneFace({ halfExtents }: Core, radius: number, direction: Vec3, face: ContactFace): void {
  const [halfX, halfY] = halfExtents;
  radialOf(direction, radial);
  const slant = Math.max(Math.hypot(2 * halfY, halfX), 1e-300);
  set((radial.x * 2 * halfY) / slant, halfX / slant, (radial.z * 2 * halfY) / slant, flank);
  set(radial.x * halfX, -halfY, radial.z * halfX, rim);
  if (-direction.y >= dot(direction, flank)) {
    face.count = 8;
    set(0, -1, 0, face.normal);
    set(0, -halfY - radius, 0, face.origin);
    set(halfX, 0, 0, face.p);
    set(0, 0, halfX, face.q);
    face.number = 8;
  } else {
    face.count = 2;
    copy(flank, face.normal);
    set(0.5 * rim.x, 0, 0.5 * rim.z, face.origin);
    addScaled(face.origin, flank, radius, face.origin);
    copy(face.origin, face.middle);
    set(-0.5 * rim.x, halfY, -0.5 * rim.z, face.p);
    face.firstEnd = SIDE_LINE;
    face.lastEnd = SIDE_LINE + 1;
    face.bend = 0.5 * halfX;
    face.isRound = true;
    face.slantX = (2 * halfY) / slant;
    face.slantY = halfX / slant;
  }
  const isApex = -direction.x * rim.x + direction.y * 2 * halfY - direction.z * rim.z >= 0;
  face.hasPeak = true;
  if (isApex) set(0, halfY, 0, face.peak);
  else copy(rim, face.peak);
  addScaled(face.peak, direction, radius, face.peak);
  face.peakNumber = face.count === 2 ? SIDE_LINE + (isApex ? 1 : 0) : RIM_PEAK;
}
