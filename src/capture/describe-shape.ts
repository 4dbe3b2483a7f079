/** Descriptions of 3-D shapes from their data. The shape of a description has the same data to the bit. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
} from '../generated/constants.ts';
import type { ConvexDescription, ShapeDescription } from '../api/shapes.ts';
import { atPoints } from '../util/caller-points.ts';
import type { Compound } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { toList } from './numbers.ts';

export function describeShape(shape: ShapeData): ShapeDescription {
  const { parts } = shape;
  if (parts?.type === 'compound') return { type: 'compound', parts: describeParts(parts, shape.given!) };
  if (parts?.type === 'mesh') {
    const { positions, indices, isFront } = parts;
    const triangles = { type: 'mesh', positions: toList(positions), indices: toList(indices) } as const;
    return isFront ? { ...triangles, sides: 'front' } : triangles;
  }
  return describeConvex(shape);
}

/** `turns` are the quaternions as they were given, 4 numbers per part. */
function describeParts({ shapes, positions, scales }: Compound<ShapeData>, turns: ArrayLike<number>) {
  const given = Array.from(turns);
  return shapes.map((shape, i) => ({
    shape: describeConvex(shape),
    position: toList(positions.subarray(3 * i, 3 * i + 3)),
    quaternion: toList(given.slice(4 * i, 4 * i + 4)),
    scale: scales[i],
  }));
}

function describeConvex(shape: ShapeData): ConvexDescription {
  const { kind, halfExtents, radius } = shape;
  const [x, y] = halfExtents;
  const rounding = radius > 0 ? { radius } : {};
  switch (kind) {
    case CORE_POINT:
      return { type: 'sphere', radius };
    case CORE_SEGMENT:
      return { type: 'capsule', halfHeight: y, radius };
    case CORE_BOX:
      return { type: 'box', halfExtents: toList(halfExtents), ...rounding };
    case CORE_CYLINDER:
      return { type: 'cylinder', halfHeight: y, radius: x };
    case CORE_CONE:
      return { type: 'cone', halfHeight: y, radius: x };
    case CORE_ELLIPSOID:
      return { type: 'ellipsoid', radii: toList(halfExtents) };
    case CORE_HALFSPACE:
      return { type: 'halfspace', normal: toList(shape.given!), offset: radius + 0 };
    default:
      return {
        type: 'hull',
        points: toList(shape.given ?? atPoints(shape.vertices, shape.pointIndices, 3)),
        ...rounding,
      };
  }
}
