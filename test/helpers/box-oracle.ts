/** Boxes of bodies by closed forms in double precision. */
import type { PosedBodies } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';

export interface OracleBody {
  low: number[];
  high: number[];
  /** Bounding radius, and how far the body moves. */
  reach: number;
  /** Set for a half-space: unit normal, and the plane's offset along it. */
  plane?: { normal: number[]; offset: number; position: number[] };
}

export function oracleBodies(
  shapes: readonly ShapeDescription[],
  { shapes: ids, positions, quaternions, scales }: PosedBodies,
  motion?: { linear: Float32Array; angular?: Float32Array; duration: number },
): OracleBody[] {
  return Array.from(ids, (id, body) => {
    const shape = shapes[id];
    const scale = scales?.[body] ?? 1;
    const position = [...positions.subarray(3 * body, 3 * body + 3)];
    const rows = rotationOf(quaternions.subarray(4 * body, 4 * body + 4));
    const path = [0, 1, 2].map((axis) => (motion ? motion.linear[3 * body + axis] * motion.duration : 0));
    const far = Math.hypot(...path);
    if (shape.type === 'halfspace') {
      const length = Math.hypot(...Array.from(shape.normal));
      const normal = rows.map((row) =>
        dot(
          row,
          Array.from(shape.normal, (x) => x / length),
        ),
      );
      const offset = shape.offset * scale + Math.max(0, dot(normal, path));
      return { low: [], high: [], reach: 0, plane: { normal, offset, position } };
    }
    const reach = scale * makeShapeData(shape).boundingRadius;
    const turns = motion?.angular?.subarray(3 * body, 3 * body + 3).some((x) => x !== 0) ?? false;
    const ends = rows.map((row, axis) => {
      const [low, high] = turns ? [-reach, reach] : extentOf(shape, row).map((x) => x * scale);
      return [position[axis] + low + Math.min(0, path[axis]), position[axis] + high + Math.max(0, path[axis])];
    });
    return { low: ends.map(([low]) => low), high: ends.map(([, high]) => high), reach: reach + far };
  });
}

function both(size: number): [number, number] {
  return [-size, size];
}

/** The least and the greatest x·row over a shape. */
function extentOf(shape: ShapeDescription, row: number[]): [number, number] {
  const [x, y, z] = row;
  const across = Math.hypot(x, z);
  switch (shape.type) {
    case 'sphere':
      return both(shape.radius);
    case 'box':
      return both(
        Array.from(shape.halfExtents).reduce((sum, h, k) => sum + Math.abs(row[k]) * Math.fround(h), shape.radius ?? 0),
      );
    case 'capsule':
      return both(Math.abs(y) * shape.halfHeight + shape.radius);
    case 'cylinder':
      return both(Math.abs(y) * shape.halfHeight + across * shape.radius);
    case 'cone': {
      const apex = y * shape.halfHeight;
      return [Math.min(apex, -apex - across * shape.radius), Math.max(apex, -apex + across * shape.radius)];
    }
    case 'ellipsoid':
      return both(Math.hypot(...Array.from(shape.radii, (r, k) => r * row[k])));
    case 'hull': {
      const points = Array.from({ length: shape.points.length / 3 }, (_, i) =>
        dot(row, [...Array.prototype.slice.call(shape.points, 3 * i, 3 * i + 3)] as number[]),
      );
      return [Math.min(...points) - (shape.radius ?? 0), Math.max(...points) + (shape.radius ?? 0)];
    }
    default:
      throw new Error(`no box of a ${shape.type}`);
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function rotationOf(quaternion: Float32Array): number[][] {
  const length = Math.hypot(...quaternion);
  const [x, y, z, w] = Array.from(quaternion, (v) => v / length);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}
