/** Volume, centroid and inertia tensor of 3-D shapes of density 1. */
import { invalidInput } from '../errors.ts';
import { CORE_BOX, CORE_CONE, CORE_CYLINDER, CORE_ELLIPSOID, CORE_HALFSPACE, CORE_POINT, CORE_SEGMENT } from '../generated/constants.ts';
import type { MassProperties } from '../geometry-types.ts';
import { centroid as centroidOf } from './centroid.ts';
import { buildHull } from './hull.ts';
import { inertiaOf, type Vector } from './moments.ts';
import { roundedMoments } from './rounded-moments.ts';
import type { ShapeData } from './shape-data.ts';

/** Throws `INVALID_INPUT`, which names `id`, for a half-space. */
export function massProperties(shape: ShapeData, id: number): MassProperties {
  const [x, y, z] = shape.halfExtents;
  switch (shape.kind) {
    case CORE_HALFSPACE:
      return invalidInput('id', id, 'a shape with bounds, and this is a half-space');
    case CORE_CYLINDER: {
      const volume = 2 * Math.PI * x * x * y;
      return upright(volume, 0, volume * (x * x / 4 + y * y / 3), (volume * x * x) / 2);
    }
    case CORE_CONE: {
      const volume = (2 * Math.PI * x * x * y) / 3;
      // Without a volume it is a disc or its axis.
      const height = volume > 0 ? -y / 2 : 0;
      return upright(volume, height, volume * 0.15 * (x * x + y * y), 0.3 * volume * x * x);
    }
    case CORE_ELLIPSOID: {
      const volume = (4 / 3) * Math.PI * x * y * z;
      const [xx, yy, zz] = [y * y + z * z, x * x + z * z, x * x + y * y].map((square) => (volume * square) / 5);
      return properties(volume, [0, 0, 0], [xx, 0, 0, 0, yy, 0, 0, 0, zz]);
    }
    case CORE_POINT: {
      const volume = (4 / 3) * Math.PI * shape.radius ** 3;
      const moment = 0.4 * volume * shape.radius ** 2;
      return properties(volume, [0, 0, 0], [moment, 0, 0, 0, moment, 0, 0, 0, moment]);
    }
    case CORE_SEGMENT:
      return polytope([0, -y, 0, 0, y, 0], shape.radius);
    case CORE_BOX:
      return polytope([0, 1, 2, 3, 4, 5, 6, 7].flatMap((bits) => [bits & 1 ? x : -x, bits & 2 ? y : -y, bits & 4 ? z : -z]), shape.radius);
    default:
      return polytope(shape.vertices, shape.radius);
  }
}

/** The hull of points and all within `radius` of it. */
function polytope(points: ArrayLike<number>, radius: number): MassProperties {
  // Built anew: of a shape's own faces those of next to no width are lines.
  const hull = buildHull(points);
  const middle = centroidOf(hull);
  const vertices = hull.vertices.map((value, i) => value - middle[i % 3]);
  const moments = roundedMoments({ ...hull, vertices }, radius);
  if (!(moments.volume > 0)) return properties(0, middle, []);
  const { centroid, inertia } = inertiaOf(moments);
  return properties(moments.volume, [middle[0] + centroid[0], middle[1] + centroid[1], middle[2] + centroid[2]], inertia);
}

/** A shape around the y axis. */
function upright(volume: number, height: number, across: number, around: number): MassProperties {
  return properties(volume, [0, height, 0], [across, 0, 0, 0, around, 0, 0, 0, across]);
}

function properties(volume: number, centroid: Vector, inertia: readonly number[]): MassProperties {
  // Without a volume nothing turns.
  return { volume, centroid: [...centroid], inertia: volume > 0 ? inertia : Array<number>(9).fill(0) };
}
