/** Rapier's shapes for those of a workload. */

import {
  Ball,
  Capsule,
  Cone,
  ConvexPolyhedron,
  Cuboid,
  Cylinder,
  HalfSpace,
  init,
  Quaternion,
  RoundConvexPolyhedron,
  RoundCuboid,
  RoundTriangle,
  Triangle,
  Vector3,
  version,
  type Shape,
} from '@dimforge/rapier3d-compat';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { hullFaces } from './hull-faces.ts';

/** Has to be awaited before anything else of Rapier is called. */
export async function startRapier(): Promise<string> {
  await init();
  return `@dimforge/rapier3d-compat ${version()}`;
}

export function rapierShape(shape: ShapeDescription): Shape {
  switch (shape.type) {
    case 'sphere':
      return new Ball(shape.radius);
    case 'capsule':
      return new Capsule(shape.halfHeight, shape.radius);
    case 'box': {
      const [x, y, z] = Array.from(shape.halfExtents);
      return shape.radius ? new RoundCuboid(x, y, z, shape.radius) : new Cuboid(x, y, z);
    }
    case 'cylinder':
      return new Cylinder(shape.halfHeight, shape.radius);
    case 'cone':
      return new Cone(shape.halfHeight, shape.radius);
    case 'triangle': {
      const [a, b, c] = [0, 1, 2].map((corner) => vectorAt(Float32Array.from(shape.points), corner));
      return shape.radius ? new RoundTriangle(a, b, c, shape.radius) : new Triangle(a, b, c);
    }
    case 'hull': {
      // With faces, a call that makes the hull anew need not find them again, which takes twice as long.
      const [points, faces] = [Float32Array.from(shape.points), Uint32Array.from(hullFaces(shape.points).flat())];
      return shape.radius
        ? new RoundConvexPolyhedron(points, faces, shape.radius)
        : new ConvexPolyhedron(points, faces);
    }
    case 'halfspace': {
      if (shape.offset !== 0)
        throw new Error(`Rapier's half-spaces go through their origin, not past it by ${shape.offset}`);
      const length = Math.hypot(...Array.from(shape.normal));
      return new HalfSpace(new Vector3(shape.normal[0] / length, shape.normal[1] / length, shape.normal[2] / length));
    }
    default:
      throw new Error(`no shape of Rapier for a ${shape.type}`);
  }
}

export function vectorAt(positions: Float32Array, body: number): Vector3 {
  return new Vector3(positions[3 * body], positions[3 * body + 1], positions[3 * body + 2]);
}

export function quaternionAt(quaternions: Float32Array, body: number): Quaternion {
  return new Quaternion(
    quaternions[4 * body],
    quaternions[4 * body + 1],
    quaternions[4 * body + 2],
    quaternions[4 * body + 3],
  );
}
