/** The centroid of a hull: a point well inside it. */

import type { Hull } from './hull.ts';

type Vector = [x: number, y: number, z: number];

/**
 * A solid's centre of mass, a polygon's centroid, or the middle of a segment or point. Any plane through it leaves at
 * least a quarter of the hull's width on either side (Minkowski, 1897), however unevenly the vertices are spread.
 *
 * The sum is taken relative to the mean of the vertices. Every tetrahedron or triangle then has a weight of at least 0,
 * so the result lies inside however thin the hull is.
 */
export function centroid({ vertices, faceStart, faceVertices, dimension }: Hull): Vector {
  const count = vertices.length / 3;
  const mean: Vector = [0, 0, 0];
  for (let i = 0; i < vertices.length; i++) mean[i % 3] += vertices[i] / count;
  const fromMean = (vertex: number): Vector => [
    vertices[3 * vertex] - mean[0],
    vertices[3 * vertex + 1] - mean[1],
    vertices[3 * vertex + 2] - mean[2],
  ];
  const sum: Vector = [0, 0, 0];
  let total = 0;
  for (let f = 0; f + 1 < faceStart.length; f++) {
    const first = fromMean(faceVertices[faceStart[f]]);
    for (let n = faceStart[f] + 1; n + 1 < faceStart[f + 1]; n++) {
      const second = fromMean(faceVertices[n]);
      const third = fromMean(faceVertices[n + 1]);
      const normal = areaVector(first, second, third);
      const volume = first[0] * normal[0] + first[1] * normal[1] + first[2] * normal[2];
      const weight = dimension === 3 ? Math.max(volume, 0) : Math.hypot(...normal);
      total += weight;
      for (let k = 0; k < 3; k++) sum[k] += weight * (first[k] + second[k] + third[k]);
    }
  }
  // No area, or numbers too large or too small to be cubed.
  if (!(total > 0 && total < Infinity)) return mean;
  const corners = dimension === 3 ? 4 : 3;
  return [0, 1, 2].map((k) => mean[k] + sum[k] / (corners * total)) as Vector;
}

/** Twice the area of the triangle, along its normal. */
function areaVector(a: Vector, b: Vector, c: Vector): Vector {
  const p = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const q = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}
