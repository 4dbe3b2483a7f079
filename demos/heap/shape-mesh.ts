/** Meshes of the package's shapes, as they are tested: rounding included, capsules on the y axis. */

import { BoxGeometry, CapsuleGeometry, SphereGeometry } from 'three';
import type { BufferGeometry } from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import type { ShapeDescription } from 'narrowphase';
import { polytopeGeometry, roundedPolytopeGeometry } from './hull-mesh.ts';

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
    case 'triangle':
    case 'hull':
      return shape.radius ? roundedPolytopeGeometry(shape.points, shape.radius) : polytopeGeometry(shape.points);
  }
}
