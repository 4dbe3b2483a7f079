/**
 * The pairs of a workload in the plane as pairs in space: every shape is the right prism over it, half of it above the
 * plane and half below, turned about z.
 *
 * Gaps are those of the plane, and depths too as long as the pair overlaps by more along z, where it does by both half
 * heights. How deep A and B overlap in the plane is at most what both reach along either normal of the direction in
 * which A is narrowest: its half width there and B's extent, or the other way round. So it is enough for each to be as
 * high as its half width and its extent in the mean.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { outlineOf, reachAlong } from './outlines.ts';
import { emptyWorkload, type PlanarOutline, type PlanarWorkload, type Workload } from './workload.ts';

export function thicken({ name, shapes, bodies, pairs }: PlanarWorkload): Workload {
  const thin = emptyWorkload({ name, shapes: shapes.map(prism) }, bodies.shapes.length);
  const { positions, quaternions } = thin.bodies;
  thin.bodies.shapes.set(bodies.shapes);
  bodies.angles.forEach((angle, body) => {
    positions.set(bodies.positions.subarray(2 * body, 2 * body + 2), 3 * body);
    quaternions.set([0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], 4 * body);
  });
  return { ...thin, pairs };
}

function prism(shape: PlanarOutline): ShapeDescription {
  const half = Math.fround(1.01 * halfHeight(shape));
  if (shape.type === 'rectangle') return { type: 'box', halfExtents: [...Array.from(shape.halfExtents), half] };
  const points = Array.from({ length: shape.points.length / 2 }, (_, i) => [
    shape.points[2 * i],
    shape.points[2 * i + 1],
  ]);
  return {
    type: 'hull',
    points: Float32Array.from([-half, half].flatMap((z) => points.flatMap(([x, y]) => [x, y, z]))),
  };
}

function halfHeight(shape: PlanarOutline): number {
  const outline = outlineOf(shape);
  let halfWidth = Infinity;
  for (let i = 0; i < outline.normals.length; i += 2) {
    const [x, y] = outline.normals.subarray(i, i + 2);
    halfWidth = Math.min(halfWidth, Math.max(reachAlong(outline, x, y), reachAlong(outline, -x, -y)));
  }
  return (halfWidth + outline.extent) / 2;
}
