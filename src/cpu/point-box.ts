/** Mirror of shaders/point-box.wgsl: the point of a box nearest to a point, by the 27 Voronoi regions of the box. */
import { LEAST_LENGTH } from '../generated/constants.ts';
import { type Vec3, length, scale, set, vec3 } from './math.ts';

export interface BoxPoint {
  /** Unit vector out of the box, towards a point outside. */
  normal: Vec3;
  /** Signed: negative inside. */
  distance: number;
  /** On the surface. */
  position: Vec3;
}

export function createBoxPoint(): BoxPoint {
  return { normal: vec3(), distance: 0, position: vec3() };
}

/** `size` holds the half extents. */
export function nearestOnBox(size: Float64Array, p: Vec3, to: BoxPoint): BoxPoint {
  const { normal, position } = to;
  set(clamp(p.x, size[0]), clamp(p.y, size[1]), clamp(p.z, size[2]), position);
  set(p.x - position.x, p.y - position.y, p.z - position.z, normal);
  if (Math.max(Math.abs(normal.x), Math.abs(normal.y), Math.abs(normal.z)) > LEAST_LENGTH) {
    to.distance = length(normal);
    scale(normal, 1 / to.distance, normal);
    return to;
  }
  const depthX = size[0] - Math.abs(p.x);
  const depthY = size[1] - Math.abs(p.y);
  const depthZ = size[2] - Math.abs(p.z);
  set(p.x >= 0 ? 1 : -1, 0, 0, normal);
  to.distance = -depthX;
  if (depthY < -to.distance) {
    set(0, p.y >= 0 ? 1 : -1, 0, normal);
    to.distance = -depthY;
  }
  if (depthZ < -to.distance) {
    set(0, 0, p.z >= 0 ? 1 : -1, normal);
    to.distance = -depthZ;
  }
  if (normal.x !== 0) position.x = normal.x * size[0];
  else if (normal.y !== 0) position.y = normal.y * size[1];
  else position.z = normal.z * size[2];
  return to;
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(value, -size), size);
}
