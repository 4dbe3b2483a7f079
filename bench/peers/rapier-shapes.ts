/** Rapier's shapes for those of a workload. */

import { Ball, Capsule, ConvexPolyhedron, Cuboid, init, Quaternion, Vector3, version, type Shape } from '@dimforge/rapier3d-compat';
import type { ShapeDescription } from '../../src/shapes/descriptions.ts';
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
      return new Cuboid(x, y, z);
    }
    case 'hull':
      // With faces, a call that makes the hull anew need not find them again, which takes twice as long.
      return new ConvexPolyhedron(Float32Array.from(shape.points), Uint32Array.from(hullFaces(shape.points).flat()));
    default:
      throw new Error(`no shape of Rapier for a ${shape.type}`);
  }
}

export function vectorAt(positions: Float32Array, body: number): Vector3 {
  return new Vector3(positions[3 * body], positions[3 * body + 1], positions[3 * body + 2]);
}

export function quaternionAt(quaternions: Float32Array, body: number): Quaternion {
  return new Quaternion(quaternions[4 * body], quaternions[4 * body + 1], quaternions[4 * body + 2], quaternions[4 * body + 3]);
}
