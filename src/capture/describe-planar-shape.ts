/** Descriptions of 2-D shapes from their data. The shape of a description has the same data to the bit. */
import { PLANAR_POINT, PLANAR_RECTANGLE } from '../generated/constants.ts';
import type { PlanarConvexDescription, PlanarShapeDescription } from '../api/planar-shapes.ts';
import { atPoints } from '../util/caller-points.ts';
import { coreCorners, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { toList } from './numbers.ts';

export function describePlanarShape(shape: PlanarShapeData): PlanarShapeDescription {
  const { parts } = shape;
  if (parts?.type === 'compound') {
    const { shapes, positions, angles, scales } = parts;
    const described = shapes.map((part, i) => ({
      shape: describeConvex(part),
      position: toList(positions.subarray(2 * i, 2 * i + 2)),
      angle: angles[i],
      scale: scales[i],
    }));
    return { type: 'compound', parts: described };
  }
  if (parts?.type === 'chain') {
    const { points, isLoop, isFront } = parts;
    return {
      type: 'chain',
      points: toList(points),
      ...(isLoop && { loop: true }),
      ...(isFront && { sides: 'front' as const }),
    };
  }
  return describeConvex(shape);
}

function describeConvex(shape: PlanarShapeData): PlanarConvexDescription {
  const { kind, data, radius, pointIndices, takesSat, given } = shape;
  const rounding = radius > 0 ? { radius } : {};
  if (given) return { type: 'polygon', points: toList(given), convexify: true, ...rounding };
  const corners = coreCorners(shape);
  if (pointIndices.length > 0)
    return { type: 'polygon', points: toList(atPoints(corners, pointIndices, 2)), ...rounding };
  if (kind === PLANAR_RECTANGLE) return { type: 'rectangle', halfExtents: toList(data.slice(0, 2)), ...rounding };
  if (!takesSat && kind === PLANAR_POINT) return { type: 'circle', radius };
  if (!takesSat) return { type: 'capsule', halfHeight: data[3], radius };
  const ends = toList(corners);
  return { type: 'segment', points: ends.length === 4 ? ends : [...ends, ...ends], ...rounding };
}
