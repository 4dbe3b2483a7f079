/** Convex bodies of a scene with their poses, in double precision. */

import { heightOf } from '../../../src/broad-phase/bounds.ts';
import { rotationMatrix, transform, transformBack, vec3, type Mat3, type Vec3 } from '../../../src/cpu/math.ts';
import { CORE_HALFSPACE } from '../../../src/generated/constants.ts';
import type { Scene } from '../../scene/scene.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';

/** A convex body. Its points in the world are `position + rotation · (scale · p)`, p in its shape's frame. */
export interface Solid {
  shape: ShapeData;
  scale: number;
  /** Unit quaternion x, y, z, w, and its matrix. */
  quaternion: Float64Array;
  rotation: Mat3;
  position: Vec3;
}

export function createSolid(shape: ShapeData): Solid {
  return { shape, scale: 1, quaternion: Float64Array.of(0, 0, 0, 1), rotation: new Float64Array(9), position: vec3() };
}

/** Reads a body of the scene. */
export function readSolid({ bodies, shapeData }: Scene, body: number, to: Solid): Solid {
  to.shape = shapeData[bodies.shapes[body]];
  to.scale = bodies.scales[body];
  to.quaternion.set(bodies.quaternions.subarray(4 * body, 4 * body + 4));
  const length = Math.hypot(...to.quaternion);
  for (let k = 0; k < 4; k++) to.quaternion[k] /= length;
  rotationMatrix(to.quaternion, to.rotation);
  to.position.x = bodies.positions[3 * body];
  to.position.y = bodies.positions[3 * body + 1];
  to.position.z = bodies.positions[3 * body + 2];
  return to;
}

const local = vec3();

/** Greatest n·(x - origin) over a bounded body, for a unit vector n in world axes. */
export function solidHeight({ shape, scale, rotation, position }: Solid, n: Vec3, origin: Vec3): number {
  transformBack(rotation, n, local);
  const own = n.x * (position.x - origin.x) + n.y * (position.y - origin.y) + n.z * (position.z - origin.z);
  return own + scale * heightOf(shape, local.x, local.y, local.z);
}

/** Takes a point of one body's shape into the frame of another's. Both have their own scales. */
export function intoFrameOf(from: Solid, x: number, y: number, z: number, other: Solid, to: Vec3): Vec3 {
  to.x = from.scale * x;
  to.y = from.scale * y;
  to.z = from.scale * z;
  transform(from.rotation, to, to);
  to.x += from.position.x - other.position.x;
  to.y += from.position.y - other.position.y;
  to.z += from.position.z - other.position.z;
  transformBack(other.rotation, to, to);
  to.x /= other.scale;
  to.y /= other.scale;
  to.z /= other.scale;
  return to;
}

/** Greatest distance of the body from its position; 0 for a half-space. */
export function reachOf({ shape, scale }: Solid): number {
  return shape.kind === CORE_HALFSPACE ? 0 : shape.boundingRadius * scale;
}
