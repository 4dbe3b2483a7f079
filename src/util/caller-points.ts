/** Vertices with `axes` numbers each, placed at the indices of the caller's points. */
export function atPoints(vertices: ArrayLike<number>, pointIndices: Uint32Array, axes: number): Float32Array {
  const last = pointIndices.reduce((a, b) => Math.max(a, b), 0);
  const points = new Float32Array(axes * (last + 1));
  pointIndices.forEach((point, vertex) => {
    for (let k = 0; k < axes; k++) points[axes * point + k] = vertices[axes * vertex + k];
  });
  return points;
}
