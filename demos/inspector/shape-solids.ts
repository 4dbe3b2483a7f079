/** Shapes as solids: the core that the searches see, and the shape itself with its rounding. */

import type { PlanarConvexDescription, PlanarShapeDescription, ShapeDescription } from 'narrowphase';
import { dot, scaled, vec, ZERO, type Vec } from './linear.ts';
import { enlarged, SPHERE, CURVED, POLYTOPE, solidOf, type Solid } from './solid.ts';

export interface ShapeSolid {
  core: Solid;
  surface: Solid;
  /** Rounding radius. */
  radius: number;
}

/** Corners of the polygon that stands for a circle. */
const CIRCLE = 48;

/** The square that stands for a half-space: next to a point of its body's frame, with half the side. */
export interface Square {
  around: Vec;
  size: number;
}

/** A convex shape in its body's frame. */
export function shapeSolid(
  shape: ShapeDescription | PlanarShapeDescription,
  isPlanar: boolean,
  plane: Square,
): ShapeSolid {
  const { points, radius } = isPlanar
    ? planarCore(shape as PlanarConvexDescription)
    : spaceCore(shape as ShapeDescription, plane);
  const core = solidOf(points, isCurved(shape) ? CURVED : POLYTOPE);
  if (radius === 0) return { core, surface: core, radius };
  const around = isPlanar
    ? discs(points, radius)
    : enlarged(
        points,
        radius,
        core.faces.map(({ normal }) => normal),
      );
  return { core, surface: solidOf(around, CURVED), radius };
}

export function isCurved({ type }: { type: string }): boolean {
  return type === 'cylinder' || type === 'cone' || type === 'ellipsoid';
}

/** A half-space's core is its plane, through the offset. */
export function isHalfspace(shape: { type: string }): boolean {
  return shape.type === 'halfspace';
}

function spaceCore(shape: ShapeDescription, plane: Square): { points: Vec[]; radius: number } {
  switch (shape.type) {
    case 'sphere':
      return { points: [ZERO], radius: shape.radius };
    case 'capsule':
      return { points: [[0, -shape.halfHeight, 0], [0, shape.halfHeight, 0]], radius: shape.radius }; // prettier-ignore
    case 'box': {
      const [x, y, z] = Array.from(shape.halfExtents);
      const points = [-x, x].flatMap((i) => [-y, y].flatMap((j) => [-z, z].map((k): Vec => [i, j, k])));
      return { points, radius: shape.radius ?? 0 };
    }
    case 'triangle':
    case 'hull':
      return { points: listed(shape.points, 3), radius: shape.radius ?? 0 };
    case 'cylinder':
      return { points: [...rim(shape.radius, -shape.halfHeight), ...rim(shape.radius, shape.halfHeight)], radius: 0 };
    case 'cone':
      return { points: [...rim(shape.radius, -shape.halfHeight), [0, shape.halfHeight, 0]], radius: 0 };
    case 'ellipsoid': {
      const [x, y, z] = Array.from(shape.radii);
      return { points: SPHERE.map((p): Vec => [p[0] * x, p[1] * y, p[2] * z]), radius: 0 };
    }
    case 'halfspace':
      return { points: square(vec(shape.normal), shape.offset, plane), radius: 0 };
    default:
      throw new Error(`a ${shape.type} is not convex`);
  }
}

function planarCore(shape: PlanarConvexDescription): { points: Vec[]; radius: number } {
  switch (shape.type) {
    case 'circle':
      return { points: [ZERO], radius: shape.radius };
    case 'capsule':
      return { points: [[0, -shape.halfHeight, 0], [0, shape.halfHeight, 0]], radius: shape.radius }; // prettier-ignore
    case 'rectangle': {
      const [x, y] = Array.from(shape.halfExtents);
      return { points: [[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]], radius: shape.radius ?? 0 }; // prettier-ignore
    }
    default:
      return { points: listed(shape.points, 2), radius: shape.radius ?? 0 };
  }
}

function listed(points: ArrayLike<number>, width: 2 | 3): Vec[] {
  return Array.from({ length: points.length / width }, (_, i): Vec => [
    points[width * i],
    points[width * i + 1],
    width === 3 ? points[width * i + 2] : 0,
  ]);
}

function rim(radius: number, y: number): Vec[] {
  return Array.from({ length: CIRCLE }, (_, i): Vec => {
    const angle = (2 * Math.PI * i) / CIRCLE;
    return [radius * Math.cos(angle), y, radius * Math.sin(angle)];
  });
}

/** Points of circles around the points, in the plane. */
function discs(points: readonly Vec[], radius: number): Vec[] {
  return points.flatMap(([x, y]) => rim(radius, 0).map(([u, , v]): Vec => [x + u, y + v, 0]));
}

/** Corners of the square in the plane normal · x = offset. */
function square(given: Vec, offset: number, { around, size }: Square): Vec[] {
  const n = scaled(given, 1 / Math.hypot(...given));
  const other: Vec = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const along = other.map((x, k) => x - n[k] * (other[0] * n[0] + other[1] * n[1] + other[2] * n[2]));
  const u = scaled(vec(along), 1 / Math.hypot(...along));
  const v: Vec = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(
    ([s, t]): Vec =>
      // prettier-ignore
      [0, 1, 2].map((k) => around[k] + n[k] * (offset - dot(n, around)) + size * (s * u[k] + t * v[k])) as unknown as Vec,
  );
}
