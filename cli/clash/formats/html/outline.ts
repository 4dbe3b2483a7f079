/** Outlines of convex bodies, seen along a direction. */

import type { Vec3 } from '../../../../src/cpu/math.ts';
import { transform, vec3 } from '../../../../src/cpu/math.ts';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
} from '../../../../src/generated/constants.ts';
import type { Solid } from '../../solids/solid.ts';
import { hullOf, type Point } from './polygon.ts';

/** A view: a point of the world in its middle, and unit vectors to its right and up. */
export interface View {
  centre: Vec3;
  right: Vec3;
  up: Vec3;
}

/** Corners of circles. */
const CORNERS = 48;

/** The outline of a convex body, counter-clockwise. A half-space reaches `far` in all directions. */
export function outlineOf(solid: Solid, view: View, far: number): Point[] {
  const { shape, scale } = solid;
  if (shape.kind === CORE_HALFSPACE) return hullOf(planePoints(solid, view, far));
  const points = corePoints(solid, view);
  const radius = shape.kind === CORE_ELLIPSOID ? 0 : shape.radius * scale;
  return hullOf(radius === 0 ? points : points.flatMap((point) => circleAround(point, radius)));
}

function circleAround([x, y]: Point, radius: number): Point[] {
  return angles().map((angle): Point => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]);
}

function angles(): number[] {
  return Array.from({ length: CORNERS }, (_, i) => (2 * Math.PI * i) / CORNERS);
}

/** Points whose hull is the core, as seen. */
function corePoints(solid: Solid, view: View): Point[] {
  const { kind, halfExtents, vertices } = solid.shape;
  const [hx, hy, hz] = halfExtents;
  const at = (x: number, y: number, z: number): Point => projected(solid, x, y, z, view);
  const rim = (y: number): Point[] => angles().map((angle) => at(hx * Math.cos(angle), y, hx * Math.sin(angle)));
  switch (kind) {
    case CORE_POINT:
      return [at(0, 0, 0)];
    case CORE_SEGMENT:
      return [at(0, hy, 0), at(0, -hy, 0)];
    case CORE_BOX:
      return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => at(bits & 1 ? hx : -hx, bits & 2 ? hy : -hy, bits & 4 ? hz : -hz));
    case CORE_CYLINDER:
      return [...rim(hy), ...rim(-hy)];
    case CORE_CONE:
      return [at(0, hy, 0), ...rim(-hy)];
    case CORE_ELLIPSOID:
      return angles().map((angle) => ellipsoidPoint(solid, angle, view));
    default:
      return Array.from({ length: vertices.length / 3 }, (_, v) =>
        at(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]),
      );
  }
}

const world = vec3();

/** A point of a body's shape, as seen. */
export function projected({ rotation, scale, position }: Solid, x: number, y: number, z: number, view: View): Point {
  world.x = scale * x;
  world.y = scale * y;
  world.z = scale * z;
  transform(rotation, world, world);
  world.x += position.x - view.centre.x;
  world.y += position.y - view.centre.y;
  world.z += position.z - view.centre.z;
  return [along(view.right, world), along(view.up, world)];
}

function along(axis: Vec3, { x, y, z }: Vec3): number {
  return axis.x * x + axis.y * y + axis.z * z;
}

/** The point of an ellipsoid that is farthest in a direction of the picture. */
function ellipsoidPoint(solid: Solid, angle: number, view: View): Point {
  const { rotation, shape } = solid;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const { right, up } = view;
  const direction = vec3(cos * right.x + sin * up.x, cos * right.y + sin * up.y, cos * right.z + sin * up.z);
  const local = [0, 3, 6].map((c) => along(vec3(rotation[c], rotation[c + 1], rotation[c + 2]), direction));
  const stretched = local.map((x, axis) => x * shape.halfExtents[axis]);
  const length = Math.hypot(...stretched);
  const [x, y, z] = stretched.map((s, axis) => (length > 0 ? (s * shape.halfExtents[axis]) / length : 0));
  return projected(solid, x, y, z, view);
}

/** A half-space whose plane is seen from the side. */
function planePoints({ shape, scale, rotation, position }: Solid, { centre, right, up }: View, far: number): Point[] {
  const [x, y, z] = shape.halfExtents;
  const n = transform(rotation, vec3(x, y, z), vec3());
  const toCentre = vec3(centre.x - position.x, centre.y - position.y, centre.z - position.z);
  const height = along(n, toCentre) - shape.radius * scale;
  const [nx, ny] = [along(right, n), along(up, n)];
  const length = Math.hypot(nx, ny) || 1;
  const [ux, uy] = [nx / length, ny / length];
  const corner = (side: number, depth: number): Point => [
    -ux * (height + depth) - uy * side,
    -uy * (height + depth) + ux * side,
  ];
  return [corner(-far, 0), corner(far, 0), corner(far, 2 * far), corner(-far, 2 * far)];
}
