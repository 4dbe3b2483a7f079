/** Outlines of 2-D shapes as paths of a canvas, in the frame of their body. */

import type { PlanarShapeDescription } from 'narrowphase';

export function traceShape(context: CanvasRenderingContext2D, shape: PlanarShapeDescription): void {
  switch (shape.type) {
    case 'circle':
      context.arc(0, 0, shape.radius, 0, 2 * Math.PI);
      break;
    case 'capsule':
      traceThick(context, 0, -shape.halfHeight, 0, shape.halfHeight, shape.radius);
      break;
    case 'segment': {
      const { points, radius = 0 } = shape;
      traceThick(context, points[0], points[1], points[2], points[3], radius);
      break;
    }
    case 'rectangle': {
      const radius = shape.radius ?? 0;
      const [x, y] = [shape.halfExtents[0] + radius, shape.halfExtents[1] + radius];
      context.roundRect(-x, -y, 2 * x, 2 * y, radius);
      break;
    }
    case 'polygon':
      for (let k = 0; k < shape.points.length; k += 2) context.lineTo(shape.points[k], shape.points[k + 1]);
      context.closePath();
  }
}

/** All points within `radius` of a segment. */
function traceThick(
  context: CanvasRenderingContext2D,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  radius: number,
): void {
  const along = Math.atan2(y1 - y0, x1 - x0);
  context.arc(x1, y1, radius, along - Math.PI / 2, along + Math.PI / 2);
  context.arc(x0, y0, radius, along + Math.PI / 2, along + (3 * Math.PI) / 2);
  context.closePath();
}
