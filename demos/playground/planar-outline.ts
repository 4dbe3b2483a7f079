/** Outlines of 2-D shapes, for drawing. */

import { BufferGeometry, Float32BufferAttribute } from 'three/webgpu';
import type { PlanarConvexDescription } from 'narrowphase';
import { ShapeUtils, Vector2 } from 'three/webgpu';

/** Largest angle between two points of a round corner, in radians. */
const STEP = Math.PI / 32;

/** The corners of the shape's core, counter-clockwise, and its rounding radius. */
function coreOf(shape: PlanarConvexDescription): { corners: Vector2[]; radius: number } {
  const radius = shape.radius ?? 0;
  switch (shape.type) {
    case 'circle':
      return { corners: [new Vector2()], radius };
    case 'capsule':
      return { corners: [new Vector2(0, -shape.halfHeight), new Vector2(0, shape.halfHeight)], radius };
    case 'rectangle': {
      const [x, y] = Array.from(shape.halfExtents);
      return { corners: convexHull([-x, -y, x, -y, x, y, -x, y]), radius };
    }
    case 'segment':
    case 'polygon':
      return { corners: convexHull(Array.from(shape.points)), radius };
  }
}

/** Points of the shape's boundary, counter-clockwise. */
function outlineOf(shape: PlanarConvexDescription): Vector2[] {
  const { corners, radius } = coreOf(shape);
  if (radius === 0) return corners;
  const n = corners.length;
  return corners.flatMap((corner, i) => {
    const start = n === 1 ? 0 : normalAngle(corners[(i + n - 1) % n], corner);
    let turn = n === 1 ? 2 * Math.PI : normalAngle(corner, corners[(i + 1) % n]) - start;
    if (turn <= 0) turn += 2 * Math.PI;
    const steps = Math.ceil(turn / STEP);
    return Array.from({ length: steps + 1 }, (_, k) => {
      const angle = start + (turn * k) / steps;
      return new Vector2(corner.x + radius * Math.cos(angle), corner.y + radius * Math.sin(angle));
    });
  });
}

/** The inside as triangles in the plane z = 0. */
export function planarGeometry(shape: PlanarConvexDescription): BufferGeometry {
  const outline = outlineOf(shape);
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    'position',
    new Float32BufferAttribute(
      outline.flatMap(({ x, y }) => [x, y, 0]),
      3,
    ),
  );
  geometry.setIndex(outline.length < 3 ? [0, 0, outline.length - 1] : ShapeUtils.triangulateShape(outline, []).flat());
  geometry.computeVertexNormals();
  return geometry;
}

/** Direction of the outward normal of an edge. */
function normalAngle(from: Vector2, to: Vector2): number {
  return Math.atan2(-(to.x - from.x), to.y - from.y);
}

/** Andrew's monotone chain; without collinear points. */
function convexHull(coordinates: readonly number[]): Vector2[] {
  const points: Vector2[] = [];
  for (let i = 0; i < coordinates.length; i += 2) points.push(new Vector2(coordinates[i], coordinates[i + 1]));
  points.sort((p, q) => p.x - q.x || p.y - q.y);
  const unique = points.filter((point, i) => i === 0 || !point.equals(points[i - 1]));
  if (unique.length < 3) return unique;
  return [...chainOf(unique), ...chainOf([...unique].reverse())];
}

/** One side of the hull of sorted points, without its last point. */
function chainOf(points: readonly Vector2[]): Vector2[] {
  const chain: Vector2[] = [];
  for (const point of points) {
    while (chain.length > 1 && turnOf(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
    chain.push(point);
  }
  return chain.slice(0, -1);
}

function turnOf(a: Vector2, b: Vector2, c: Vector2): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
