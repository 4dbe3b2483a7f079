/** Mirror of shaders/contact-face/cylinder.wgsl: contact faces of cylinders. */
import { RIM_PEAK, SIDE_LINE } from '../../generated/constants.ts';
import { type Vec3, addScaled, copy, scale, set, vec3 } from '../math.ts';
import type { Core } from '../pair.ts';
import type { ContactFace } from './face.ts';

const radial = vec3();

export function cylinderFace({ halfExtents }: Core, radius: number, direction: Vec3, face: ContactFace): void {
  const [halfX, halfY] = halfExtents;
  radialOf(direction, radial);
  const isUp = direction.y >= 0;
  const height = isUp ? halfY : -halfY;
  if (Math.abs(direction.y) >= Math.hypot(direction.x, direction.z)) {
    face.count = 8;
    set(0, isUp ? 1 : -1, 0, face.normal);
    set(0, height, 0, face.origin);
    addScaled(face.origin, face.normal, radius, face.origin);
    set(isUp ? 0 : halfX, 0, isUp ? halfX : 0, face.p);
    set(face.p.z, 0, face.p.x, face.q);
    face.number = isUp ? 0 : 8;
  } else {
    face.count = 2;
    copy(radial, face.normal);
    scale(radial, halfX + radius, face.origin);
    set(0, halfY, 0, face.p);
    face.firstEnd = SIDE_LINE;
    face.lastEnd = SIDE_LINE + 1;
    face.bend = halfX + radius;
    face.isRound = true;
  }
  face.hasPeak = true;
  set(radial.x * halfX, height, radial.z * halfX, face.peak);
  addScaled(face.peak, direction, radius, face.peak);
  // An end of the line is the farthest point of the rim there.
  face.peakNumber = face.count === 2 ? SIDE_LINE + (isUp ? 1 : 0) : RIM_PEAK + (isUp ? 0 : 1);
}

/** The unit vector away from the y axis. */
export function radialOf({ x, z }: Vec3, to: Vec3): Vec3 {
  const size = Math.hypot(x, z);
  return size > 1e-20 ? set(x / size, 0, z / size, to) : set(1, 0, 0, to);
}
