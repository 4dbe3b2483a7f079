/** Mass properties and geometry of 2-D compounds and chains. */
import type { PlanarMassProperties, PlanarShapeGeometry } from '../api/geometry.ts';
import { invalidInput } from '../api/errors.ts';
import { planarMassProperties } from './planar-mass-properties.ts';
import { planarPartsOf } from './planar-part-shapes.ts';
import { planarPartCount, type Chain } from './planar-parts.ts';
import type { PlanarShapeData } from './planar-shape-data.ts';
import { planarShapeGeometry } from './planar-shape-geometry.ts';

/**
 * Mass properties of any shape. Those of a compound are the sums over its parts: where parts overlap, their mass counts twice. A chain
 * has those of the area that it encloses. Throws `INVALID_INPUT`, which names `id`, for a chain that is no counter-clockwise loop.
 */
export function planarMassPropertiesOfAny(shape: PlanarShapeData, id: number): PlanarMassProperties {
  const { parts } = shape;
  if (!parts) return planarMassProperties(shape);
  return parts.type === 'compound' ? sumOf(planarPartsOf(shape).map(planarMassProperties)) : massOfLoop(parts, id);
}

function sumOf(parts: readonly PlanarMassProperties[]): PlanarMassProperties {
  const area = parts.reduce((sum, part) => sum + part.area, 0);
  const weights = parts.map((part) => (area > 0 ? part.area / area : 1 / parts.length));
  const [x, y] = [0, 1].map((k) => parts.reduce((sum, { centroid }, i) => sum + weights[i] * centroid[k], 0));
  const inertia = parts.reduce(
    (sum, part) => sum + part.inertia + part.area * ((part.centroid[0] - x) ** 2 + (part.centroid[1] - y) ** 2),
    0,
  );
  return { area, centroid: [x, y], inertia };
}

/** Integrals over the triangles of the mean of the points and each segment. */
function massOfLoop({ points, isLoop }: Chain, id: number): PlanarMassProperties {
  if (!isLoop) invalidInput('id', id, 'a chain that is a loop');
  const count = points.length / 2;
  const [meanX, meanY] = [0, 1].map(
    (k) => points.reduce((sum, value, i) => (i % 2 === k ? sum + value : sum), 0) / count,
  );
  const total = { area: 0, x: 0, y: 0, square: 0 };
  for (let i = 0; i < points.length; i += 2) {
    const next = i + 2 === points.length ? 0 : i + 2;
    const [ax, ay] = [points[i] - meanX, points[i + 1] - meanY];
    const [bx, by] = [points[next] - meanX, points[next + 1] - meanY];
    const area = (ax * by - ay * bx) / 2;
    total.area += area;
    total.x += (area * (ax + bx)) / 3;
    total.y += (area * (ay + by)) / 3;
    total.square += (area * (ax * ax + ay * ay + bx * bx + by * by + ax * bx + ay * by)) / 6;
  }
  const { area, x, y, square } = total;
  if (!(area > 0)) invalidInput('id', id, 'a counter-clockwise loop; the area of this is not positive');
  return { area, centroid: [meanX + x / area, meanY + y / area], inertia: square - (x * x + y * y) / area };
}

/** Vertices and edges of any shape: of a chain its points and segments. Throws `INVALID_INPUT`, which names `id`, for a compound. */
export function planarShapeGeometryOfAny(shape: PlanarShapeData, id: number): PlanarShapeGeometry {
  const { parts } = shape;
  if (!parts) return planarShapeGeometry(shape);
  if (parts.type === 'compound')
    invalidInput('id', id, 'a convex shape or a chain; features of a compound are those of its parts');
  const count = parts.points.length / 2;
  const edges = Uint32Array.from({ length: 2 * planarPartCount(parts) }, (_, i) => ((i + 1) >> 1) % count);
  return { vertices: Float32Array.from(parts.points), edges, radius: 0 };
}
