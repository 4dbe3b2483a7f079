/** Area, centroid and moment of inertia of 2-D shapes of density 1. */
import type { PlanarMassProperties } from '../api/geometry.ts';
import { PLANAR_POINT, PLANAR_SEGMENT } from '../generated/constants.ts';
import { coreCorners, type PlanarShapeData } from './planar-shape-data.ts';

/** Integrals of 1, x, y and x² + y² over a part. */
type Moments = [area: number, x: number, y: number, square: number];

/**
 * A rounded shape is its core, a rectangle on each edge and a sector of the disc at each corner. A segment has two
 * edges, one in each direction. A point has a whole disc.
 */
export function planarMassProperties(shape: PlanarShapeData): PlanarMassProperties {
  const list = coreCorners(shape);
  const count = shape.kind === PLANAR_POINT ? 1 : list.length / 2;
  const middle = [0, 1].map(
    (k) => Array.from({ length: count }, (_, i) => list[2 * i + k]).reduce((a, b) => a + b) / count,
  );
  const corner = (i: number): [number, number] => [
    list[2 * (i % count)] - middle[0],
    list[2 * (i % count) + 1] - middle[1],
  ];
  const { radius } = shape;
  const total: Moments = [0, 0, 0, 0];
  const addPart = (part: Moments): void => part.forEach((value, i) => (total[i] += value));
  const [x0, y0] = corner(0);
  const edges = count > 1 ? count : 0;
  if (edges === 0) addPart(sector(x0, y0, 0, 2 * Math.PI, radius));
  for (let i = 0; i < edges; i++) {
    const [ax, ay] = corner(i);
    const [bx, by] = corner(i + 1);
    const [cx, cy] = corner(i + 2);
    if (shape.kind !== PLANAR_SEGMENT) addPart(triangle(x0, y0, ax, ay, bx, by));
    addPart(rectangle(ax, ay, bx, by, radius));
    const from = Math.atan2(ax - bx, by - ay);
    const turn = Math.atan2(
      (bx - ax) * (cy - by) - (by - ay) * (cx - bx),
      (bx - ax) * (cx - bx) + (by - ay) * (cy - by),
    );
    addPart(sector(bx, by, from, Math.abs(turn), radius));
  }
  const [area, x, y, square] = total;
  if (!(area > 0)) return { area: 0, centroid: [middle[0], middle[1]], inertia: 0 };
  const centroid: [number, number] = [middle[0] + x / area, middle[1] + y / area];
  return { area, centroid, inertia: square - (x * x + y * y) / area };
}

function triangle(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): Moments {
  const area = ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
  const [x, y] = [ax + bx + cx, ay + by + cy];
  const squares = ax * ax + bx * bx + cx * cx + x * x + ay * ay + by * by + cy * cy + y * y;
  return [area, (area * x) / 3, (area * y) / 3, (area * squares) / 12];
}

/** Adds the rectangle to the right of the edge from a to b, which is the outside. */
function rectangle(ax: number, ay: number, bx: number, by: number, radius: number): Moments {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return [0, 0, 0, 0];
  const [outX, outY] = [((by - ay) / length) * radius, ((ax - bx) / length) * radius];
  const parts = [
    triangle(ax, ay, ax + outX, ay + outY, bx + outX, by + outY),
    triangle(ax, ay, bx + outX, by + outY, bx, by),
  ];
  return parts[0].map((value, i) => value + parts[1][i]) as Moments;
}

/** The sector of a disc around (x, y) that spans `angle` counter-clockwise from the direction `from`. */
function sector(x: number, y: number, from: number, angle: number, radius: number): Moments {
  const area = (angle * radius ** 2) / 2;
  const chord = (2 * Math.sin(angle / 2) * radius ** 3) / 3;
  const [outX, outY] = [chord * Math.cos(from + angle / 2), chord * Math.sin(from + angle / 2)];
  const square = area * (x * x + y * y) + 2 * (x * outX + y * outY) + (angle * radius ** 4) / 4;
  return [area, area * x + outX, area * y + outY, square];
}
