/**
 * Meshes of the package's shapes as the package defines them: with rounding, and with capsules, cylinders and cones
 * along the y axis.
 */

import {
  BoxGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { BufferGeometry } from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import type { ShapeDescription } from 'narrowphase';
import { polytopeGeometry, roundedPolytopeGeometry } from './hull-mesh.ts';

/** Edge length of the square that represents a half-space's plane. */
const PLANE_SIZE = 100;

export function shapeGeometry(shape: ShapeDescription): BufferGeometry {
  switch (shape.type) {
    case 'sphere':
      return new SphereGeometry(shape.radius, 24, 16);
    case 'capsule':
      return new CapsuleGeometry(shape.radius, 2 * shape.halfHeight, 6, 20, 1);
    case 'box': {
      const { halfExtents, radius = 0 } = shape;
      const [x, y, z] = Array.from(halfExtents, (half) => 2 * (half + radius));
      return radius > 0 ? new RoundedBoxGeometry(x, y, z, 2, radius) : new BoxGeometry(x, y, z);
    }
    case 'cylinder':
      return new CylinderGeometry(shape.radius, shape.radius, 2 * shape.halfHeight, 32);
    case 'cone':
      return new ConeGeometry(shape.radius, 2 * shape.halfHeight, 32);
    case 'ellipsoid': {
      const [x, y, z] = Array.from(shape.radii);
      return new SphereGeometry(1, 24, 16).scale(x, y, z);
    }
    case 'halfspace': {
      const normal = new Vector3(...Array.from(shape.normal)).normalize();
      return new PlaneGeometry(PLANE_SIZE, PLANE_SIZE)
        .applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal))
        .translate(normal.x * shape.offset, normal.y * shape.offset, normal.z * shape.offset);
    }
    case 'triangle':
    case 'hull':
      return shape.radius ? roundedPolytopeGeometry(shape.points, shape.radius) : polytopeGeometry(shape.points);
  }
}
