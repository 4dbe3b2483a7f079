/** Vertices, edges and faces of shapes in 3-D, numbered as features number them (shaders/feature.wgsl). */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
} from '../generated/constants.ts';
import type { Circle, ShapeGeometry, Surface } from '../api/geometry.ts';
import { atPoints } from '../util/caller-points.ts';
import type { ShapeData } from './shape-data.ts';

export function shapeGeometry({ kind, halfExtents, radius, ...hull }: ShapeData): ShapeGeometry {
  const [x, y, z] = halfExtents;
  switch (kind) {
    case CORE_POINT:
      return geometry({ vertices: Float32Array.of(0, 0, 0), radius });
    case CORE_SEGMENT:
      return geometry({ vertices: Float32Array.of(0, -y, 0, 0, y, 0), edges: Uint32Array.of(0, 1), radius });
    case CORE_BOX:
      return geometry({ ...box(x, y, z), radius });
    case CORE_CYLINDER:
      return geometry({ circles: [circle(-y, -1, x), circle(y, 1, x)], surfaces: ['disc', 'disc', 'cylinder'] });
    case CORE_CONE:
      return geometry({ vertices: Float32Array.of(0, y, 0), circles: [circle(-y, -1, x)], surfaces: ['disc', 'cone'] });
    case CORE_ELLIPSOID:
      return geometry({ surfaces: ['ellipsoid'] });
    case CORE_HALFSPACE:
      return geometry({ surfaces: ['plane'] });
    default:
      return geometry({ ...polytope(hull), radius });
  }
}

function geometry(parts: Partial<ShapeGeometry>): ShapeGeometry {
  const none = {
    vertices: new Float32Array(0),
    edges: new Uint32Array(0),
    faces: [],
    circles: [] as Circle[],
    surfaces: [] as Surface[],
    radius: 0,
  };
  return { ...none, ...parts };
}

function circle(height: number, up: number, radius: number): Circle {
  return { centre: [0, height, 0], normal: [0, up, 0], radius };
}

function box(x: number, y: number, z: number): Partial<ShapeGeometry> {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bits) => [bits & 1 ? x : -x, bits & 2 ? y : -y, bits & 4 ? z : -z]);
  const edges: number[] = [];
  const faces: Uint32Array[] = [];
  for (let axis = 0; axis < 3; axis++) {
    // The bits of a vertex number for this axis and the two that follow it.
    const [along, next, last] = [0, 1, 2].map((k) => 1 << ((axis + k) % 3));
    const around = [0, next, next | last, last];
    for (const side of [0, next, last, next | last]) edges.push(side, side | along);
    faces.push(
      Uint32Array.from([...around].reverse()),
      Uint32Array.from(around, (side) => side | along),
    );
  }
  return { vertices: Float32Array.from(corners), edges: Uint32Array.from(edges), faces };
}

type HullParts = Pick<ShapeData, 'vertices' | 'pointIndices' | 'edges' | 'faceStart' | 'faceVertices'>;

function polytope({ vertices, pointIndices, edges, faceStart, faceVertices }: HullParts): Partial<ShapeGeometry> {
  const pointOf = (vertex: number): number => pointIndices[vertex];
  const faces = Array.from({ length: faceStart.length - 1 }, (_, face) =>
    faceVertices.subarray(faceStart[face], faceStart[face + 1]).map(pointOf),
  );
  return { vertices: atPoints(vertices, pointIndices, 3), edges: edges.map(pointOf), faces };
}
