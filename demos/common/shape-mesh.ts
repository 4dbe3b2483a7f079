/**
 * Meshes of the package's shapes as the package defines them: with rounding, and with capsules, cylinders and cones
 * along the y axis.
 */

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { PartDescription, ShapeDescription } from 'narrowphase';
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
    case 'compound':
      return mergeGeometries(shape.parts.map(partGeometry));
    case 'mesh': {
      const corners = Array.from(shape.indices);
      const positions = new Float32Array(3 * corners.length);
      corners.forEach((vertex, i) => {
        for (let k = 0; k < 3; k++) positions[3 * i + k] = shape.positions[3 * vertex + k];
      });
      const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
      geometry.computeVertexNormals();
      return geometry;
    }
  }
}

/** A part in the frame of its compound. Only what all geometries have is kept, so that they can be merged. */
function partGeometry({ shape, position = [0, 0, 0], quaternion = [0, 0, 0, 1], scale = 1 }: PartDescription) {
  const [x, y, z, w] = Array.from(quaternion);
  const [px, py, pz] = Array.from(position);
  const geometry = shapeGeometry(shape).toNonIndexed();
  geometry.deleteAttribute('uv');
  return geometry
    .scale(scale, scale, scale)
    .applyQuaternion(new Quaternion(x, y, z, w).normalize())
    .translate(px, py, pz);
}
